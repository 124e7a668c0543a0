package pace

import (
	"bytes"
	"math"
	"os"
	"runtime/debug"
	"syscall"
)

// hugeHeap is how much of the heap is asked for in huge pages, from its start on: as much
// as all but the largest runs have. It costs addresses, and memory only once it is used.
const hugeHeap = 256 << 20

// askForHugePages has the kernel back the heap by huge pages where it does so for those
// who ask (transparent_hugepage/enabled is madvise, as most distributions set it). A heap
// that grows to its size once and is gone takes a fault for each of its pages, a fifth of
// the processor time of a short run, and huge pages are a five-hundredth of them.
//
// Advice is about addresses, which the heap has when it has grown. So it grows here, while
// there is nothing to collect, and gives the memory back; the advice remains.
func askForHugePages() {
	if addressesAreFree() {
		advise(make([]byte, hugeHeap))
		debug.FreeOSMemory()
	}
}

// addressesAreFree reports whether the process may have as many of them as it likes, and
// none counts as memory before it is used.
func addressesAreFree() bool {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil || limit.Cur != math.MaxUint64 {
		return false
	}
	// 2 is for a kernel that promises no more than it has.
	overcommit, err := os.ReadFile("/proc/sys/vm/overcommit_memory")
	return err == nil && !bytes.HasPrefix(overcommit, []byte("2"))
}

// advise asks for huge pages. A kernel that has none says so, which is fine.
func advise(heap []byte) { _ = syscall.Madvise(heap, syscall.MADV_HUGEPAGE) }
