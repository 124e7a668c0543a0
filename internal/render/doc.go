// Package render turns a report into bytes, one file a format. Every format
// is a pure view of the same engine.Report: nothing is computed twice, and
// nothing here asks the API server.
//
// Secrets are masked before a report comes here (internal/report/redact).
package render
