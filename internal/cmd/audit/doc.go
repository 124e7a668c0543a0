// Package audit finds problems in the ownership of live objects: the command, what it
// asks about each object, and the page. Its rules are in internal/cmd/audit/rules.
package audit
