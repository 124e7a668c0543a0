// Package cmd is the command line: the root command, its help, topics, manual pages and
// completions. Each question has a room below it, with its flags (audit/command.go), what it
// asks about each object (audit/question.go), what it plans, its page and its formats:
//
//	apply explain resolve owners migrate transfer clear compare audit lint policy
//	schema impact snapshot write fn version
//
// What every command does around its question is internal/run.
package cmd
