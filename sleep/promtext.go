package sleep

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// bounds of all histograms, in seconds: a proof takes 0.2 to 5, a start up to 120.
var bounds = [...]float64{0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120}

// histogram counts durations. The zero histogram is empty.
type histogram struct {
	buckets [len(bounds)]uint64 // not cumulative
	n       uint64
	sum     float64
}

func (h *histogram) saw(d time.Duration) {
	s := d.Seconds()
	h.n++
	h.sum += s
	if i, _ := slices.BinarySearch(bounds[:], s); i < len(bounds) {
		h.buckets[i]++
	}
}

// promText writes one family after the other, and keeps the first error.
type promText struct {
	w    io.Writer
	name string
	err  error
}

func (p *promText) family(name, kind, help string) {
	p.name = name
	p.printf("# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// sample writes name+suffix{labels} value; labels come in pairs.
func (p *promText) sample(suffix string, value float64, labels ...string) {
	p.printf("%s%s%s %s\n", p.name, suffix, labelText(labels), strconv.FormatFloat(value, 'g', -1, 64))
}

func (p *promText) pairs(m map[[2]string]float64, a, b string) {
	for _, k := range sortedKeys(m) {
		p.sample("", m[k], a, k[0], b, k[1])
	}
}

func (p *promText) histogram(h *histogram, labels ...string) {
	var upTo uint64
	for i, b := range bounds {
		upTo += h.buckets[i]
		le := strconv.FormatFloat(b, 'g', -1, 64)
		p.sample("_bucket", float64(upTo), append(slices.Clone(labels), "le", le)...)
	}
	p.sample("_bucket", float64(h.n), append(slices.Clone(labels), "le", "+Inf")...)
	p.sample("_sum", h.sum, labels...)
	p.sample("_count", float64(h.n), labels...)
}

func (p *promText) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func labelText(labels []string) string {
	if len(labels) == 0 {
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(labels); i += 2 {
		fmt.Fprintf(&b, `,%s="%s"`, labels[i], labelEscapes.Replace(labels[i+1]))
	}
	return "{" + b.String()[1:] + "}"
}

// sortedKeys orders strings and pairs of them alike.
func sortedKeys[K comparable, V any](m map[K]V) []K {
	return slices.SortedFunc(maps.Keys(m), func(a, b K) int {
		return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
}
