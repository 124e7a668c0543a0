// Package compare asks a real kube-apiserver and ssactl the same, and makes
// each difference as small as it gets.
package compare
