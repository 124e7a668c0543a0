// Package shell writes command lines for a POSIX shell, to be read by people,
// pasted into a terminal, or run as a script. Arguments come from untrusted
// objects: whatever they hold, the shell gives them to the command unchanged,
// and runs nothing else.
package shell
