// Package finding is what commands that find faults have in common: a rule, a finding, how
// findings are suppressed, and the report of a run.
//
//	rule.go      rules, and which of them count
//	finding.go   what a rule found, and how to fix it
//	suppress.go  what is not to be reported
//	report.go    the answer
//
// A rule stands with its check and its sentences in the package of its command.
package finding
