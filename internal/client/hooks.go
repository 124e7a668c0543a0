package client

import (
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
)

// runsHook notes that a run is that of a hook: it is judged by what the events ask for, and
// not by what it leaves. A live object that is no hook is one that is lost.
func (c *Client) runsHook(w engine.Write, run *Run) {
	if c.does.Hook == nil || len(run.Steps) == 0 {
		return
	}
	live := Live(w)
	if live != nil && c.does.Hook(w, live) == "" {
		return
	}
	run.whole.Hook = c.does.Hook(w, Manifest(w))
	if run.whole.Hook == "" || live != nil {
		return
	}
	// A hook that is removed again is absent until it runs.
	expected := func(r report.Caveat) bool {
		return r.Rule == report.RuleNoLiveKind || r.Rule == report.RuleNoLiveObject
	}
	all := run.whole.Confidence.Reasons
	if reasons := slices.DeleteFunc(slices.Clone(all), expected); len(reasons) < len(all) {
		run.whole.Confidence = report.ConfidenceOf(reasons)
	}
}

// The annotations of hooks of Helm, which Argo CD runs, too.
const (
	HookAnnotation = "helm.sh/hook"
	HookPolicy     = "helm.sh/hook-delete-policy"
)
