package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// pages are the documentation pages whose console blocks are checked, with the
// folder that their commands run in.
var pages = map[string]string{
	"clear.md":               "helm-replicas",
	"conflicts.md":           "autoscaler",
	"for/chart-author.md":    "clients/helm",
	"for/on-call.md":         "autoscaler",
	"for/operator-author.md": "schema-impact",
	"for/platform.md":        "ownership-audit",
	"howto/argo-cd.md":       "clients/argo-cd",
	"howto/flux.md":          "clients/flux",
	"howto/helm.md":          "clients/helm",
	"howto/terraform.md":     "clients/terraform",
	"lint.md":                "lint",
	"migrate.md":             "to-server-side",
	"schema.md":              "autoscaler",
	"snapshot.md":            "autoscaler",
	"policy.md":              "ownership-policy",
	"stories.md":             "stories",
	"transfer.md":            "hand-over",
	"troubleshooting.md":     "errors",
	"tutorial.md":            "autoscaler",
}

// TestPages runs the commands of the console blocks, and compares what they
// print (standard error, then standard output) with the page. With -update the
// page is written.
func TestPages(t *testing.T) {
	docs, err := filepath.Abs(filepath.Join("..", "..", "docs"))
	if err != nil {
		t.Fatal(err)
	}
	input.TimeNow = func() time.Time { return time.Date(2026, 11, 23, 18, 0, 0, 0, time.UTC) }
	defer func() { input.TimeNow = time.Now }()
	for page, folder := range pages {
		t.Run(page, func(t *testing.T) {
			name := filepath.Join(docs, page)
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(filepath.Join(docs, "..", "examples", folder))
			ran := withOutput(t, string(text))
			if *update {
				if err := os.WriteFile(name, []byte(ran), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if !strings.Contains(ran, "```console\n$ ssactl ") {
				t.Error("the page has no command")
			}
			if diff := cmp.Diff(string(text), ran); diff != "" {
				t.Errorf("the page is out of date (-page +printed):\n%s", diff)
			}
		})
	}
}

// withOutput gives the page with what its commands print now.
func withOutput(t *testing.T, page string) string {
	t.Helper()
	const open, end = "```console\n", "```\n"
	var out strings.Builder
	for {
		before, block, found := strings.Cut(page, open)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		command, rest, _ := strings.Cut(block, "\n")
		_, page, _ = strings.Cut("\n"+rest, "\n"+end)
		words, err := shellWords(strings.TrimPrefix(command, "$ ssactl "))
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(open + command + "\n" + printed(words) + end)
	}
}

func printed(args []string) string {
	var stdout, stderr bytes.Buffer
	Main(args, iostreams.New(strings.NewReader(""), &stdout, &stderr, nil))
	return stderr.String() + stdout.String()
}
