// Package kubectl writes kubectl command lines that do to one object what
// ssactl simulated: fully named, and quoted for a POSIX shell.
package kubectl
