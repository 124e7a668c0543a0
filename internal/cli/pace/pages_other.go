//go:build !linux

package pace

// askForHugePages asks nobody: only Linux has to be asked.
func askForHugePages() {}
