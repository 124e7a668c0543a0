// Package story tells scenarios to a real kube-apiserver and records what it
// answers, in the format of internal/parity.
package story
