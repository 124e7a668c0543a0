// Package report is the vocabulary of every answer: what was written where
// (Target, Source), what the API server made of it (Outcome, Status, Cause,
// Conflict, Change), who owns what after it (Writer, FieldOwners, Transfer), how
// far it can be trusted (Confidence), and the document of a whole run (Document,
// and of writes Report, Summary, Overview).
//
//	document.go  what all documents have
//	report.go    that of simulated writes
//	answer.go    what the server answers, in short
//	result.go    one simulated write
//	change.go    what a write does to fields, and to who owns them
//	patch.go     operations of a JSON patch
//	caveat.go    confidence, and the reasons against it
//	risk.go      what is to be looked at though it is accepted
//	sequence.go  what a client sends for one object
//	overview.go  what the results of a run have in common
//
// All of it is inert data: slices are sorted, nothing is formatted for people.
// Who makes an answer (engine, plan) and who shows it (render) meet here alone.
package report
