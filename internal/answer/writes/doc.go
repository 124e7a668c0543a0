// Package writes makes the page of simulated writes: one object in full, and a run over
// several by what is found on them, the worst first.
//
//	report.Result -> FactsOf (findings, changes)   run.go, changes.go
//	Facts -> Run.Add (groups, changes made)        run.go, changes_made.go, heaviness.go
//	Run.Tail -> what is looked at, changes         run.go, say.go, cells.go, fix.go
//	report.Result -> Write (one object)            write.go, write_title.go, write_changes.go,
//	                                               write_refused.go
//	Run, report.Result -> findings for CI          finding.go
package writes
