// Package story tells scenarios to a real kube-apiserver and records what it
// answers, in the format of test/parity.
package story
