// Package interactive asks on a terminal what to do about each conflict and risk.
//
//	questions (question.go) and former decisions
//	  -> Walk        walk.go     the state: a key gives the next one
//	  -> its lines   screen.go   a head, a part of the body, the keys
//	  -> Run         program.go  the terminal, for a Walk or a Confirm of an edit
//	  -> an Ending   walk.go     what is to be done: write, edit, or nothing
//
// The state machine knows no terminal, and nothing here reads or writes manifests.
// Memory (memory.go) keeps the decisions of a session that was left.
package interactive
