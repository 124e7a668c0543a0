package main

import (
	"regexp"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/oracle/scenario"
	"github.com/ssactl/ssactl/test/parity"
)

// Definitions may be older than the first step of a scenario, and what is deleted with grace is
// stamped with a time to come.
const (
	earlier = 2 * time.Hour
	later   = time.Minute
)

// differenceToRecorded compares two recordings of the step of index i.
func differenceToRecorded(old, fresh []parity.Step, i int, renamed scenario.Renames) string {
	expected := old[i]
	// Whatever the scenario stamped from its beginning is stamped anew.
	expected.StartedAt, expected.FinishedAt = old[0].StartedAt.Add(-earlier), expected.FinishedAt.Add(later)
	answered := renamed.Old(fresh[i].Response)
	expected.Response, answered = plain(expected.Response), plain(answered)
	return parity.Diff(expected, api.Response{Code: fresh[i].Status, Body: answered, Warnings: fresh[i].Warnings})
}

// What differs between two servers in a text: the names of volumes with tokens, stored revisions, in
// preconditions and in objects that are quoted, and what is said of a webhook that cannot be reached.
var (
	revisions = regexp.MustCompile(`(in record \(|in the precondition \(|resourceVersion\\+":\\+")\d+`)
	quoted    = regexp.MustCompile(
		`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ` +
			`|10\.96\.\d+\.\d+`,
	)
	tokens    = regexp.MustCompile(`kube-api-access-[0-9a-z]{5}`)
	unreached = strings.NewReplacer(
		"dial tcp 127.0.0.1:1: connect: connection refused", "not reached",
		"ssactl serve opens no connection: 127.0.0.1:1 is not called", "not reached",
		// The program that made the recordings has a name of its own, as every client does.
		`"k-oracle.bin"`, `"kube-apiserver"`,
	)
)

// plain is an answer without those; of a Status also without the times, uids and addresses that it quotes.
func plain(answer []byte) []byte {
	text := unreached.Replace(string(answer))
	text = tokens.ReplaceAllString(text, "kube-api-access-made0")
	text = revisions.ReplaceAllString(text, "${1}0")
	if strings.Contains(text, `"kind":"Status"`) {
		text = quoted.ReplaceAllString(text, "made")
	}
	return []byte(text)
}
