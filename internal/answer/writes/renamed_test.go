package writes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/report"
)

// hook is a webhook.
func hook(name, policy, service string) map[string]any {
	return map[string]any{
		"name": name, "failurePolicy": policy, "sideEffects": "None",
		"clientConfig": map[string]any{"service": map[string]any{"name": service, "path": "/a.b/c"}},
	}
}

// addedHook are the changes by which one comes.
func addedHook(name, policy, service string) []report.Change {
	var out []report.Change
	for field, value := range map[string]any{
		"name": name, "failurePolicy": policy, "sideEffects": "None", "clientConfig.service.name": service,
		"clientConfig.service.path": "/a.b/c",
	} {
		out = append(out, report.Change{
			Field: fmt.Sprintf(".webhooks[name=%q].%s", name, field), Kind: report.Added, After: value,
			Source: &report.Source{File: "new.yaml", Line: 3},
		})
	}
	return out
}

// TestRenamed: an item that a list loses, and the one that comes in its place with most of its values,
// are one change; one with few of them is an item of its own.
func TestRenamed(t *testing.T) {
	lost := report.Change{Field: `.webhooks[name="a.b[0]"]`, Kind: report.Removed, Before: hook("a.b[0]", "Ignore", "web")}
	for _, test := range []struct {
		name  string
		added []report.Change
		items []any
		want  []string
	}{
		{"one in its place", addedHook("x", "Fail", "web"), []any{hook("x", "Fail", "web")},
			[]string{`Modified .webhooks[name="a.b[0]"] -> [name="x"] Ignore -> Fail new.yaml:3`}},
		{"another one", []report.Change{{Field: `.webhooks[name="x"].name`, Kind: report.Added, After: "x"}},
			[]any{map[string]any{"name": "x", "matchPolicy": "Exact", "sideEffects": "Some"}},
			[]string{`Removed .webhooks[name="a.b[0]"]`, `Added .webhooks[name="x"].name`}},
		{"one that was there", []report.Change{{Field: `.webhooks[name="x"].failurePolicy`, Kind: report.Added, After: "Ignore"}},
			[]any{hook("x", "Ignore", "web")},
			[]string{`Removed .webhooks[name="a.b[0]"]`, `Added .webhooks[name="x"].failurePolicy`}},
		{"the nearest of two", append(addedHook("y", "Fail", "other"), addedHook("x", "Ignore", "web")...),
			[]any{hook("y", "Fail", "other"), hook("x", "Ignore", "web")},
			[]string{`Modified .webhooks[name="a.b[0]"] -> [name="x"] Ignore -> Ignore new.yaml:3`, `5 of y`}},
	} {
		var got []string
		others := 0
		for _, c := range renamed(append([]report.Change{lost}, test.added...), map[string]any{"webhooks": test.items}) {
			line := string(c.Kind) + " " + c.Field
			if strings.Contains(line, `"y"`) {
				others++
				continue
			}
			before, _ := c.Before.(map[string]any)
			after, isMap := c.After.(map[string]any)
			if isMap && before["name"] == nil && after["name"] == nil {
				line += fmt.Sprintf(" %v -> %v", before["failurePolicy"], after["failurePolicy"])
			}
			if c.Source != nil && isMap {
				line += fmt.Sprintf(" %s:%d", c.Source.File, c.Source.Line)
			}
			got = append(got, line)
		}
		if others > 0 {
			got = append(got, fmt.Sprintf("%d of y", others))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
