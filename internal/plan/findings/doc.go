// Package findings is what commands that find faults have in common: rules, what they
// found, what is not to be reported, and the report of a run.
//
//	rule.go      rules, and which of them count
//	finding.go   what a rule found
//	suppress.go  what is not to be reported
//	report.go    the answer
package findings
