// Package snapshot plans what is to be fetched from a cluster so that an answer about
// some manifests is as exact as it can be: their live objects, the definitions of their
// kinds, what admission looks up for them, and what else writes to them. It gives data;
// who fetches is not its business.
//
//	document.go    the plan, and what came of it
//	needs.go       from manifests to fetches
//	cut.go         fetches that one command can make
//	parameters.go  from admission policies, once they are fetched, to their parameters
package snapshot
