// Package kubectl gives the kubectl command lines that do to one object what ssactl
// simulated, fully named. There is none about what no API server has: a name, a kind, a
// group or a namespace that is none.
package kubectl
