package cmd

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/render/brief"
)

// checkBrief: a release fits, the worst first, each error with what to do, and what force takes.
func checkBrief(t *testing.T, text string) {
	t.Helper()
	if len(text) > 6000 {
		t.Errorf("%d characters", len(text))
	}
	d := briefIn(t, text)
	rank := map[string]int{"error": 0, "warning": 1, "note": 2}
	worst := 0
	for _, f := range d.Findings {
		if rank[f.Severity] < worst {
			t.Errorf("%s comes late:\n%s", f.Severity, text)
		}
		worst = rank[f.Severity]
	}
	if len(d.Findings) < 3 || d.LeftOut != nil && d.LeftOut.Error > 0 || len(d.Lost) == 0 || len(d.NotSimulated) == 0 ||
		!strings.Contains(d.Verdict, "objects as argocd-controller") {
		t.Error(text)
	}
	if first := d.Findings[0]; first.Severity != "error" || first.Command == "" {
		t.Errorf("it begins with %v\n%s", first, text)
	}
}

func briefIn(t *testing.T, text string) brief.Document {
	t.Helper()
	var d brief.Document
	if start := strings.Index(text, "{"); start < 0 {
		t.Errorf("no document in %s", text)
	} else if err := json.NewDecoder(strings.NewReader(text[start:])).Decode(&d); err != nil {
		t.Errorf("%v in %s", err, text)
	}
	return d
}

// TestBrief: whatever is asked, the exit code in the document is that of the program.
func TestBrief(t *testing.T) {
	examples, err := filepath.Abs(filepath.Join("..", "..", "examples"))
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]int{
		"apply -f autoscaler/nginx.yaml --live autoscaler/live.yaml":                                             1,
		"apply -f autoscaler/nginx.yaml --live autoscaler/live.yaml --force-conflicts":                           0,
		"apply -f autoscaler/nginx.yaml --live autoscaler/live.yaml --force-conflicts --fail-on error":           1,
		"apply -f autoscaler/nginx.yaml --live autoscaler/live.yaml --base autoscaler/nginx.yaml":                0,
		"apply -f errors/typo.yaml --live errors/live.yaml":                                                      1,
		"apply -f errors/typo.yaml -f errors/none.yaml --live errors/live.yaml":                                  2,
		"diff -f autoscaler/nginx.yaml --live autoscaler/live.yaml":                                              3,
		"diff -f autoscaler/nginx.yaml --live autoscaler/live.yaml --force-conflicts":                            1,
		"create -f autoscaler/nginx.yaml":                                                                        0,
		"scale --replicas 9 deployment/nginx-deployment --live autoscaler/live.yaml":                             0,
		"explain -f autoscaler/nginx.yaml --live autoscaler/live.yaml":                                           1,
		"resolve -f autoscaler/nginx.yaml --live autoscaler/live.yaml --all-stop-managing":                       0,
		"migrate -f to-server-side/live.yaml -f to-server-side/web.yaml":                                         1,
		"audit -f ownership-audit/dump.yaml":                                                                     1,
		"lint -f lint/shop.yaml":                                                                                 1,
		"lint -f lint/shop.yaml --fail-on never":                                                                 0,
		"schema impact --old schema-impact/old.yaml --new schema-impact/new.yaml --live schema-impact/live.yaml": 1,
		"compare maintenance/before.yaml maintenance/after.yaml":                                                 0,
		"compare maintenance/before.yaml maintenance/after.yaml --exit-code":                                     1,
	} {
		t.Run(line, func(t *testing.T) {
			t.Chdir(examples)
			code, text := runIn(append(strings.Fields(line), "-o", "brief", "--now", "2026-11-24T00:00:00Z"))
			d := briefIn(t, text)
			switch command := strings.Fields(line)[0]; {
			case (d.Lost == nil) != slices.Contains([]string{"audit", "lint", "schema", "compare", "migrate", "resolve"}, command):
				t.Errorf("what force takes is %q", d.Lost)
			case strings.Contains(line, "autoscaler/nginx.yaml --live") && command != "resolve" && !strings.Contains(line, "--base"):
				if len(d.Lost) != 1 || !strings.Contains(d.Lost[0], "kube-controller-manager loses 1 field: .spec.replicas") {
					t.Errorf("force takes %q", d.Lost)
				}
			}
			if d.ExitCode != code || code != want || d.Verdict == "" || d.Kind != "Brief" {
				t.Errorf("exit code %d, want %d, in the document %d\n%s", code, want, d.ExitCode, text)
			}
		})
	}
}
