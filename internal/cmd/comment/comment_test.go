package comment

import (
	"bytes"
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/render/markdown"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/test/golden"
)

// commented is the comment on a report; empty for none.
func commented(t *testing.T, text string) string {
	t.Helper()
	d, err := parse("report.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	page, says := pageOf(d)
	if !says {
		return ""
	}
	var out bytes.Buffer
	if err := show.Show(markdown.New(&out, markdown.Options{MaxBytes: markdown.DefaultMaxBytes}), page); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const change = `{"apiVersion": "ssactl.dev/v1alpha1", "kind": "Report", "server": {"version": "v1.37.2"},
"summary": {"total": 3, "configured": 2, "unchanged": 0, "conflicted": 1, "comparison": {"base": "main", "differ": 3,
  "same": 42, "fields": 5, "caused": {"error": 2, "warning": 1, "note": 0}, "before": {"error": 0, "warning": 12, "note": 0},
  "fixed": {"error": 0, "warning": 1, "note": 0}, "refused": 1, "failed": 0}},
"results": [
 {"target": {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop", "name": "web"}, "manager": "helm",
  "source": {"file": "web.yaml", "line": 1}, "outcome": "Conflicted", "changes": [],
  "findings": [
   {"rule": "conflict", "severity": "error", "cause": "Change", "field": ".spec.replicas", "manager": "hpa", "before": 5, "after": 3,
    "target": {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop", "name": "web"}, "source": {"file": "web.yaml", "line": 9},
    "message": "owned by hpa", "why": "It decides.", "fixes": [{"does": "edit", "command": "ssactl resolve -f web.yaml --stop-managing=.spec.replicas --write"}]},
   {"rule": "stale", "severity": "warning", "cause": "Before", "message": "stood before"},
   {"rule": "taken-by-force", "severity": "warning", "cause": "Fixed", "field": ".x", "message": "was fixed",
    "target": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}}]},
 {"target": {"apiVersion": "v1", "kind": "ConfigMap", "name": "a"}, "manager": "helm", "outcome": "Configured",
  "changes": [{"field": ".data.mode", "kind": "Modified", "before": "slow", "after": "fast", "reason": "Applied", "cause": "Change"},
   {"field": ".data.old", "kind": "Removed", "before": "x", "reason": "Applied", "cause": "Before"}], "findings": [
   {"rule": "note", "severity": "warning", "cause": "Change", "field": ".data.mode", "message": "look", "target": {"kind": "ConfigMap", "name": "a"}}]},
 {"target": {"apiVersion": "v1", "kind": "ConfigMap", "name": "b"}, "manager": "helm", "outcome": "Created", "changes": [], "findings": [
   {"rule": "note", "severity": "warning", "cause": "Change", "field": ".data.mode", "message": "look", "target": {"kind": "ConfigMap", "name": "b"}}]}]}`

// TestComment is the whole of a comment on a change.
func TestComment(t *testing.T) {
	golden.CheckGolden(t, "change.md", commented(t, change))
}

// TestNothing: what is as before the change, and what only stood before it, is nothing to say.
func TestNothing(t *testing.T) {
	for name, text := range map[string]string{
		"no difference": `{"apiVersion": "ssactl.dev/v1alpha1", "kind": "Report", "summary": {"total": 0, "comparison":
			{"base": "main", "differ": 0, "same": 9, "before": {"warning": 3}}}, "results": []}`,
		"unchanged": `{"apiVersion": "ssactl.dev/v1alpha1", "kind": "Report", "summary": {"total": 1}, "results": [
			{"target": {"kind": "ConfigMap", "name": "a"}, "outcome": "Unchanged", "changes": [], "findings": []}]}`,
		"no faults": `{"apiVersion": "ssactl.dev/v1alpha1", "kind": "AuditReport", "summary": {}, "findings": []}`,
	} {
		if got := commented(t, text); got != "" {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	for name, text := range map[string]string{
		"unread": `{"apiVersion": "ssactl.dev/v1alpha1", "kind": "Report", "summary": {}, "results": [],
			"problems": [{"source": {"file": "a.yaml", "line": 3}, "message": "broken"}]}`,
		"existing": `{"apiVersion": "ssactl.dev/v1alpha1", "kind": "Report", "summary": {"total": 1, "comparison":
			{"base": "main", "same": 1, "existing": true}}, "results": [{"target": {"kind": "ConfigMap", "name": "a"},
			"outcome": "Unchanged", "findings": [{"rule": "r", "severity": "error", "cause": "Before", "message": "stood"}]}]}`,
		"a fault": `{"apiVersion": "ssactl.dev/v1alpha1", "kind": "AuditReport", "summary": {}, "findings": [
			{"rule": "r", "severity": "note", "message": "faulty", "target": {"kind": "Pod", "name": "p"}}]}`,
	} {
		if got := commented(t, text); !strings.HasPrefix(got, markdown.Marker+"\n## ") || strings.Count(got, "\n") < 4 {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// hostile are texts of a report that would act in a comment, in a shell or on a system.
var hostile = []string{
	"<script>x</script>", "</details><img src=x>", "@admins", "#1", "!1", "~bug", "![a](http://e)", "[a](http://e)", "`code`",
	"| a | b |", "\n/merge\n", "\n- [ ] done", "<!-- x -->", "www.example.com", "https://example.com", "*a* _b_", "\x1b[31m", "\u202e",
	"a\n\n```\n", "$(id)", ":tada:",
}

var (
	codes    = regexp.MustCompile(`<code>[^<]*</code>`)
	mentions = regexp.MustCompile(`[@#][a-z0-9]+|[!~][a-z0-9]`)
)

// prose is a comment without its fenced blocks.
func prose(comment string) string {
	var out []string
	fence := ""
	for _, line := range strings.Split(comment, "\n") {
		switch ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]; {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
		case fence == "":
			out = append(out, line)
		case line == fence:
			fence = ""
		}
	}
	return strings.Join(out, "\n")
}

// TestHostile: no text of a report acts, and no line of it is a command of another program.
func TestHostile(t *testing.T) {
	for _, bad := range hostile {
		target := map[string]any{"apiVersion": bad, "kind": bad, "namespace": bad, "name": bad}
		finding := map[string]any{
			"rule":     bad,
			"severity": "error",
			"target":   target,
			"field":    bad,
			"manager":  bad,
			"before":   bad,
			"after":    bad,
			"message":  bad,
			"why":      bad,
			"source":   map[string]any{"file": bad, "line": 1},
			"fixes": []any{
				map[string]any{"does": bad, "command": "ssactl resolve -f a; " + bad},
				map[string]any{"command": bad},
			},
		}
		text, err := json.Marshal(
			map[string]any{"apiVersion": report.APIVersion, "kind": "A" + bad, "summary": map[string]any{
				"comparison": map[string]any{"base": bad, "differ": 1}}, "server": map[string]any{"version": bad},
				"problems": []any{map[string]any{"message": bad, "source": map[string]any{"file": bad}}},
				"settings": []any{map[string]any{"message": bad}}, "results": []any{map[string]any{"target": target, "manager": bad,
					"outcome": bad, "findings": []any{finding}, "changes": []any{map[string]any{"field": bad, "before": bad}}}}},
		)
		if err != nil {
			t.Fatal(err)
		}
		got := commented(t, string(text))
		outside := strings.NewReplacer("<!-- ssactl -->", "", "<details>", "", "</details>", "", "<details open>", "", "<summary>", "",
			"</summary>", "", "<b>", "", "</b>", "", "<code>", "", "</code>", "").
			Replace(prose(got))
		for _, acts := range []string{"<", "`", "](", "http://", "https://", "\n/", "\n- [ ]", "\x1b", "\u202e", "*", "www.", ":tada:"} {
			if strings.Contains(outside, acts) {
				t.Errorf("%q: %q acts in\n%s", bad, acts, got)
			}
		}
		for _, m := range mentions.FindAllString(html.UnescapeString(codes.ReplaceAllString(prose(got), "")), -1) {
			t.Errorf("%q: %s is a mention in\n%s", bad, m, got)
		}
		if strings.Contains(got, "ssactl resolve") {
			t.Errorf("%q: a line that is no command is shown\n%s", bad, got)
		}
	}
}

// TestCommands: of the commands of a report those are shown that edit or explain manifests.
func TestCommands(t *testing.T) {
	for line, shown := range map[string]bool{
		"ssactl resolve -f manifests --live=live -R --owned-by=hpa --all-stop-managing --write":                true,
		`ssactl resolve -f 'a b.yaml' --stop-managing='.spec.containers[name="x"].image' -- deployment.apps/x`: true,
		`ssactl explain -f 'it'\''s.yaml'`:            true,
		`ssactl migrate -f a --from='x##'"["'group]'`: true,
		"flux ssa resolve -f a":                       true,
		"kubectl ssa resolve -f a":                    true,
		"ssactl serve -- sh -c 'curl x'":              false,
		"ssactl snapshot -f a":                        false,
		"ssactl resolve -f a; curl x | sh":            false,
		"ssactl resolve -f $(id)":                     false,
		"ssactl resolve -f `id`":                      false,
		"ssactl resolve -f a > ~/.bashrc":             false,
		"ssactl resolve -f a\ncurl x":                 false,
		"ssactl resolve -f 'a\ncurl x'":               false,
		"ssactl resolve -f a && x":                    false,
		"kubectl delete namespace shop":               false,
		"curl x":                                      false,
		`ssactl resolve -f "$(printf '\033')"`:        false,
		"ssactl  resolve":                             false,
		"ssactl resolve -f a -o kubectl={a,b}":        false,
		"ssactl resolve -f a\u00a0b":                  false,
	} {
		f := finding{Fixes: []struct {
			Does    string `json:"does"`
			Command string `json:"command"`
		}{{Command: line}}}
		if got := f.command(); (got == line) != shown || got != "" && got != line {
			t.Errorf("%q is shown as %q", line, got)
		}
	}
}

// TestCommand: what cannot be read is an error, and flags are checked.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"report.json": change, "empty": "", "brief.json": `{"apiVersion": "ssactl.dev/v1alpha1", "kind": "Brief", "verdict": ""}`,
		"other.json": `{"apiVersion": "v1", "kind": "List", "items": []}`, "array.json": "[]", "half.json": change[:200],
		"nothing.json": `{"apiVersion": "ssactl.dev/v1alpha1", "kind": "Report", "results": []}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for line, want := range map[string]struct{ out, err string }{
		"report.json":                  {out: "## Server-Side Apply: 1 object rejected, 1 error, 2 warnings"},
		"report.json --for gitlab":     {out: "## Server-Side Apply"},
		"report.json --max-bytes 2048": {out: "## Server-Side Apply"},
		"nothing.json":                 {},
		"report.json --for jira":       {err: `--for "jira": use one of gitea, github, gitlab`},
		"report.json --max-bytes 10":   {err: "--max-bytes 10: no comment fits"},
		"empty":                        {err: "empty: is no report"},
		"brief.json":                   {err: "brief.json: is no report"},
		"other.json":                   {err: "other.json: is no report"},
		"array.json":                   {err: "array.json: is no report"},
		"half.json":                    {err: "half.json: is no report"},
		"none.json":                    {err: "none.json"},
	} {
		var out, errs bytes.Buffer
		a := &app.App{Streams: iostreams.New(strings.NewReader(""), &out, &errs, nil), Secrets: redact.New()}
		cmd := New(a)
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetArgs(strings.Fields(line))
		err := cmd.Execute()
		if flushed := a.Streams.Flush(); flushed != nil {
			t.Fatal(flushed)
		}
		if (err == nil) != (want.err == "") || err != nil && !strings.Contains(err.Error(), want.err) ||
			!strings.Contains(out.String(), want.out) || want.out == "" && out.Len() > 0 {
			t.Errorf("%s: %v\n%s", line, err, &out)
		}
	}
}
