// Package kubectl gives the words of kubectl commands that do to one object what
// ssactl simulated, fully named. The shell's quoting is for whoever writes them.
package kubectl
