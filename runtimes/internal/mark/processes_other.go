//go:build !linux

package mark

import (
	"os/exec"
	"strconv"
	"strings"
)

// processes lists all processes, as ps has them: with -E the BSDs append the
// environment of one's own processes to the command. ps tells no session leader
// that could be relied upon, so nothing is found by its session here.
func processes(id string) map[int]relative {
	out, err := exec.Command("ps", "-A", "-E", "-ww", "-o", "pid=,ppid=,lstart=,command=").Output()
	if err != nil {
		return nil
	}
	all := map[int]relative{}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) < 8 {
			continue
		}
		pid, err := strconv.Atoi(f[0])
		if err != nil {
			continue
		}
		p := relative{process: process{pid: pid, start: strings.Join(f[2:7], " ")}}
		p.parent, _ = strconv.Atoi(f[1])
		p.ours = strings.Contains(line, " "+Variable+"="+id)
		p.other = !p.ours && strings.Contains(line, " "+Variable+"=")
		all[pid] = p
	}
	return all
}

// Started tells when a process started, as the system counts; "" is one that does not
// live. With the number it names one process: a number alone is another's tomorrow.
func Started(pid int) string {
	out, err := exec.Command("ps", "-o", "stat=,lstart=", "-p", strconv.Itoa(pid)).Output()
	f := strings.Fields(string(out))
	if err != nil || len(f) < 2 || strings.HasPrefix(f[0], "Z") {
		return ""
	}
	return strings.Join(f[1:], " ")
}
