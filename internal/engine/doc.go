// Package engine simulates one write and explains the answer, as plain data.
//
// Simulate asks an api.Server for the answer to a Write and explains it:
//
//	write -> answer of the server        simulate.go
//	      -> the result                  result.go       of the parts that follow
//	      -> outcome, status             outcome.go
//	      -> causes of a refusal         engine/causes   with their lines
//	      -> conflicts                   conflict.go     from the causes of the Status
//	      -> changes                     difference.go   live to stored, leaf by leaf
//	         with their reasons          reason.go       from what the write asks for (intent.go)
//	      -> ownership, transfers        transfer.go     from managedFields before and after
//	      -> notices, confidence         notice.go       also of kinds that nothing serves (unknown_kind.go)
//
// The engine decides nothing that the server decides. It imports no clock, files,
// environment, YAML or color.
package engine
