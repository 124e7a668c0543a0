package client

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
)

// runsHook notes that a run is that of a hook: it is judged by what the events ask for, and
// not by what it leaves. A live object that is no hook is one that is lost.
func (c *Client) runsHook(w engine.Write, run *Run) {
	if c.hook == nil || len(run.Steps) == 0 {
		return
	}
	live := liveOf(w)
	if live != nil && c.hook(w, live) == "" {
		return
	}
	run.whole.Hook = c.hook(w, manifestOf(w))
	if run.whole.Hook == "" || live != nil {
		return
	}
	// A hook that is removed again is absent until it runs.
	expected := func(r report.Caveat) bool {
		return r.Rule == report.RuleNoLiveKind || r.Rule == report.RuleNoLiveObject
	}
	if reasons := slices.DeleteFunc(slices.Clone(run.whole.Confidence.Reasons), expected); len(
		reasons,
	) < len(
		run.whole.Confidence.Reasons,
	) {
		run.whole.Confidence = report.ConfidenceOf(reasons)
	}
}

// event are the events of an install or an upgrade for which an object is a hook. As an item
// of a List it is none.
func (h *helm) event(w engine.Write, manifest map[string]any) string {
	if w.List != "" {
		return ""
	}
	var out []string
	for _, phase := range []helmPhase{preHooks, postHooks} {
		if h.asksFor(manifest, phase) {
			out = append(out, map[helmPhase]string{preHooks: "pre-", postHooks: "post-"}[phase]+h.what("install", "upgrade"))
		}
	}
	return strings.Join(out, ",")
}

// event is the phase of a sync for which a manifest is a hook.
func (a *argoCD) event(_ engine.Write, manifest map[string]any) string {
	step, runs := stepOf(manifest)
	if !runs || !isArgoHook(manifest) {
		return ""
	}
	return argoPhases[step.phase][0]
}
