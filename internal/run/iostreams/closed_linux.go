package iostreams

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// closed reports whether a standard stream was closed when the process began, as
// by >&- in a shell. The Go runtime has opened /dev/null in its place by then, for
// reading and writing. Programs that discard an output do that too, but shells
// open /dev/null for writing alone: where a shell started the process, and has
// nothing like it itself, the stream was closed.
func closed(file *os.File) bool {
	info, err := file.Stat()
	if err != nil {
		return true
	}
	null, err := os.Stat(os.DevNull)
	if err != nil || !os.SameFile(null, info) {
		return false
	}
	shell := fmt.Sprintf("/proc/%d/", os.Getppid())
	return isShell(shell+"exe") && opened("/proc/self/", file.Fd()) == syscall.O_RDWR && !discards(shell, file.Fd(), null)
}

// discards reports whether a process has /dev/null, for reading and writing, as
// the stream. A shell may have closed its own, for as long as it starts another.
func discards(process string, fd uintptr, null os.FileInfo) bool {
	info, err := os.Stat(fmt.Sprintf("%sfd/%d", process, fd))
	return err == nil && os.SameFile(null, info) && opened(process, fd) == syscall.O_RDWR
}

// opened is how a process has opened a file: for reading, writing, or both.
func opened(process string, fd uintptr) int {
	text, err := os.ReadFile(fmt.Sprintf("%sfdinfo/%d", process, fd))
	if err != nil {
		return -1
	}
	var flags int
	_, after, _ := strings.Cut(string(text), "flags:")
	if _, err := fmt.Sscanf(after, "%o", &flags); err != nil {
		return -1
	}
	return flags & syscall.O_ACCMODE
}

var shells = []string{"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "fish", "busybox"}

func isShell(exe string) bool {
	target, err := os.Readlink(exe)
	return err == nil && slices.Contains(shells, filepath.Base(target))
}
