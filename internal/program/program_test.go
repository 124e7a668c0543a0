package program

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCalledAs(t *testing.T) {
	cases := []struct{ file, called, back string }{
		{"ssactl", "ssactl", "ssactl"},
		{"/usr/local/bin/ssactl", "ssactl", "ssactl"},
		{`C:\tools\ssactl.exe`, "ssactl", "ssactl"},
		{"/opt/bin/kubectl-ssa", "kubectl ssa", "kubectl-ssa"},
		{`C:\krew\bin\kubectl-ssa.exe`, "kubectl ssa", "kubectl-ssa"},
		{`C:\krew\bin\kubectl-ssa.EXE`, "kubectl ssa", "kubectl-ssa"},
		{"kubectl-server_side-apply", "kubectl server-side apply", "kubectl-server_side-apply"},
		{"/home/a/.fluxcd/plugins/flux-ssa", "flux ssa", "flux-ssa"},
		{"argocd-ssa", "argocd ssa", "argocd-ssa"},
		{"argocd-server-side_apply", "argocd server-side_apply", "argocd-server-side_apply"},
		{`C:\helm\plugins\ssa\helm-ssa.exe`, "helm ssa", "helm-ssa"},
		{"kubectl-", "ssactl", "ssactl"},
		{"flux-", "ssactl", "ssactl"},
		{"flux", "ssactl", "ssactl"},
		{"kubectl", "ssactl", "ssactl"},
		{"ssactl-1.2.3", "ssactl", "ssactl"},
		{"", "ssactl", "ssactl"},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.called, calledAs(c.file)); diff != "" {
			t.Errorf("called from %q: (-want +got)\n%s", c.file, diff)
		}
		if diff := cmp.Diff(c.back, fileOf(c.called)); diff != "" {
			t.Errorf("file of %q: (-want +got)\n%s", c.called, diff)
		}
	}
}

func TestIn(t *testing.T) {
	text := "'ssactl explain' simulates each; annotate it with ssactl.dev/lint-ignore"
	want := "'kubectl ssa explain' simulates each; annotate it with ssactl.dev/lint-ignore"
	if diff := cmp.Diff(want, in(text, "kubectl ssa")); diff != "" {
		t.Errorf("as a plug-in: (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(text, in(text, Name)); diff != "" {
		t.Errorf("by its own name: (-want +got)\n%s", diff)
	}
}
