package pace

import (
	"os"
	"regexp"
	"strconv"
	"testing"
)

var (
	mapping = regexp.MustCompile(`(?m)^([0-9a-f]+)-([0-9a-f]+) (?:.*\n[A-Z])*.*`)
	advised = regexp.MustCompile(`(?m)^VmFlags:.* hg( |$)`)
)

// The heap that was asked for in huge pages is there, to be used by whatever comes.
func TestHugePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil || !ours() || !addressesAreFree() {
		t.Skip("the kernel has no huge pages, or nobody asks for them")
	}
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	var bytes uint64
	for _, m := range mapping.FindAllStringSubmatch(string(smaps), -1) {
		if advised.MatchString(m[0]) {
			from, _ := strconv.ParseUint(m[1], 16, 64)
			to, _ := strconv.ParseUint(m[2], 16, 64)
			bytes += to - from
		}
	}
	if bytes < hugeHeap {
		t.Errorf("%d bytes are asked for in huge pages, want %d", bytes, hugeHeap)
	}
}
