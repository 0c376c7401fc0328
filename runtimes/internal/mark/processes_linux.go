package mark

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// processes lists all processes that live. A zombie has ended already.
func processes(id string) map[int]relative {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	all := make(map[int]relative, len(names))
	mark, other := []byte(Variable+"="+id+"\x00"), []byte(Variable+"=")
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		state, f := stat(pid)
		if f == nil || state == "Z" || state == "X" {
			continue
		}
		p := relative{process: process{pid: pid, start: f[start]}}
		p.parent, _ = strconv.Atoi(f[parent])
		p.session, _ = strconv.Atoi(f[session])
		// Readable for our own processes only, and empty for the kernel's.
		if env, err := os.ReadFile("/proc/" + name + "/environ"); err == nil {
			env = append([]byte{0}, env...)
			p.ours = bytes.Contains(env, append([]byte{0}, mark...))
			p.other = !p.ours && bytes.Contains(env, append([]byte{0}, other...))
		}
		all[pid] = p
	}
	return all
}

// Fields of /proc/PID/stat behind the state (proc(5)).
const (
	parent  = 0
	session = 2
	start   = 18
)

// stat returns the state of a process and the fields that follow it. The program's
// name before them may hold anything, blanks and parentheses too.
func stat(pid int) (state string, fields []string) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", nil
	}
	f := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(f) <= start+1 {
		return "", nil
	}
	return f[0], f[1:]
}

// Started tells when a process started, as the system counts; "" is one that does not
// live. With the number it names one process: a number alone is another's tomorrow.
func Started(pid int) string {
	if state, f := stat(pid); f != nil && state != "Z" && state != "X" {
		return f[start]
	}
	return ""
}
