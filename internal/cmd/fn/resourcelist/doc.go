// Package resourcelist reads and writes what a KRM function gets and gives: a
// ResourceList of config.kubernetes.io/v1, whose items pass through as they are.
//
//	list.go    the list, and its items as manifests
//	result.go  what a function says of an item
package resourcelist
