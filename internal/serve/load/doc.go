// Package load makes of a dump what kube-apiserver would have stored: each object encoded at
// its storage version, under the key of its resource.
//
//	dump.go     the objects of files, and what they say of the cluster
//	encode.go   objects as keys and values; made.go those that a dump lacks
//	typed.go    built-in kinds; custom.go definitions and what they define
//	kinds.go    which kinds have no namespace, and which are not stored
package load
