// Package settle finds out whether an accepted write lasts: the same client asks again, and
// the other writers that are known write again, until nothing changes or a state comes back.
//
//	an accepted write                     settle.go
//	  -> once more, by the same client    again.go
//	  -> who else writes the object       others.go, replay.go, and a file for each kind of writer
//	     -> rounds of them all            rounds.go
//
// Every write is sent to the API server in the process. A writer's next value is what its
// last entry wrote, or what the object says that has it write; nothing is made up, and what
// is only likely makes the answer Partial. A false alarm is worse than a missed one: a
// writer counts only if it writes by itself.
package settle
