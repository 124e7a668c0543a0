// Package shell writes command lines for a POSIX shell, to be read by people,
// pasted into a terminal, or run as a script.
//
// Law: a text from an input is the value of a flag or an operand, and never a flag,
// a command, or a line of its own. Programs, their commands and the names of flags
// are constants (no other package can make one of a text), a long flag carries its
// value behind an equals sign, and operands stand behind "--". Whatever a value
// holds, the shell gives it to the command unchanged, and runs nothing else.
package shell
