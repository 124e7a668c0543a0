package cluster

import (
	"testing"
	"time"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/report"
)

// TestSnapshots: what a snapshot says of itself, and of an object that is not in it.
func TestSnapshots(t *testing.T) {
	taken := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	maps := report.Covered{Kind: "ConfigMap", Namespace: "a"}
	s := report.Snapshot{File: "live.gz", Taken: taken, Server: "v1.30.1", Context: "prod", Fetched: []report.Covered{maps},
		Missing: []report.Missing{{Covered: report.Covered{Kind: "Secret", Namespace: "a"}, Reason: "forbidden"}}}
	for name, c := range map[string]struct{ got, want string }{
		"new":            {aged(s, taken.Add(time.Hour)), "live.gz is a snapshot of 2026-01-01 00:00 UTC (60m ago) from context prod"},
		"stale":          {aged(s, taken.Add(49*time.Hour)), "live.gz is a snapshot of 2026-01-01 00:00 UTC (2d ago) from context prod: live objects may have changed since; 'ssactl snapshot' takes a new one"},
		"the same minor": {otherServer(s, "v1.30.9"), ""},
		"not simulated":  {otherServer(s, "v1.36.0"), "the cluster of live.gz runs v1.30.1, which is not simulated: v1.36.0 is"},
		"no version":     {otherServer(report.Snapshot{Server: "1.x"}, "v1.36.0"), ""},
		"what it lacks":  {lacking(s), "live.gz lacks what kubectl could not get (forbidden): Secret of namespace a"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", name, c.got, c.want)
		}
	}
	all := snapshots{s}
	covered, lacked := live.Key{Kind: "ConfigMap", Namespace: "a", Name: "x"}, live.Key{Kind: "Secret", Namespace: "a", Name: "x"}
	if !all.covered(covered) || all.covered(lacked) || all.notFetched(covered) != nil || all.notFetched(lacked) == nil {
		t.Errorf("covered: %v, %v; not fetched: %v, %v", all.covered(covered), all.covered(lacked), all.notFetched(covered), all.notFetched(lacked))
	}
}
