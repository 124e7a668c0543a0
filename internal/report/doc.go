// Package report is the vocabulary of every answer: what was written where
// (Target, Source), what the API server made of it (Outcome, Status, Cause,
// Conflict, Change), who owns what after it (Writer, FieldOwners, Transfer), how
// far it can be trusted (Confidence), and the document of a whole run (Document,
// and of writes Report, Summary, Overview).
//
//	document.go  what all documents have, and the snapshots that they are of
//	report.go    that of simulated writes, and what the server answers in short
//	comparison.go  what of it a change of the manifests causes
//	result.go    one simulated write
//	change.go    what a write does to fields, and to who owns them
//	caveat.go    confidence, and the reasons against it
//	risk.go      what may do harm though it is accepted, and when it fails a run
//	client.go    clients, their settings and what they send
//	overview.go  what the results of a run have in common
//
// All of it is inert data: slices are sorted, nothing is formatted for people. The engine
// and the questions make answers, and render shows them.
package report
