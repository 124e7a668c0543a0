// Package release tests what ssactl is shipped with: that the files which name a
// release's archives, actions and programs agree with each other. What takes minutes
// is in hack/release/check.sh.
package release
