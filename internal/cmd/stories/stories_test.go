package stories

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/story"
)

const configMap = `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}`

// TestTell: each step is a command line over what the steps before have left.
func TestTell(t *testing.T) {
	text := `apiVersion: ssactl.dev/v1alpha1
kind: Story
name: a
namespace: shop
steps:
- {as: me, force: true, apply: ` + configMap + `}
- {as: -me, scale: shop/deployment/-web, replicas: 3, expect: {outcome: Configured}}
- {delete: configmap/c}
`
	stories, err := story.Read("dir/f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]string
	execute := func(_ context.Context, args []string) (out, errs []byte, code int) {
		if lines = append(lines, args); len(lines) == 3 {
			return nil, []byte("error: no such object\n"), 2
		}
		return []byte(`{"results": [{"target": {"apiVersion": "v1", "kind": "ConfigMap", "name": "c"}, "outcome": "Created",
			"code": 201, "object": ` + configMap + `}]}`), nil, 0
	}
	steps, problem := tell(context.Background(), execute, stories[0], false)
	if problem == nil || problem.Error() != "dir/f.yaml:8:3: no such object" {
		t.Errorf("the problem is %v", problem)
	}
	if len(steps) != 3 || len(steps[1].Failures) != 1 || steps[1].Failures[0].Line != 7 {
		t.Errorf("told %+v", steps)
	}
	for i, want := range [][]string{
		{"apply", "--field-manager=me", "--force-conflicts=true", "--now=2026-01-01T00:00:00Z",
			"--namespace=shop", "--config=none"},
		{"scale", "--replicas=3", "--field-manager=-me", "--now=2026-01-01T00:01:00Z"},
	} {
		for _, arg := range want {
			if !slices.Contains(lines[i], arg) {
				t.Errorf("step %d runs %q, without %s", i, lines[i], arg)
			}
		}
	}
	if line := strings.Join(lines[1], " "); !strings.HasSuffix(line, "-- deployment/-web") {
		t.Errorf("an operand may be taken for a flag: %s", line)
	}
}

// TestMissingFile: a file that there is not is named where the story names it, and no step is run.
func TestMissingFile(t *testing.T) {
	for verb, column := range map[string]int{"apply": 10, "create": 11, "update": 11, "migrate": 12} {
		text := "apiVersion: ssactl.dev/v1alpha1\nkind: Story\nname: a\nsteps:\n- " + verb + ": nowhere.yaml\n"
		stories, err := story.Read("dir/f.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		execute := func(_ context.Context, args []string) (out, errs []byte, code int) {
			t.Errorf("%s runs %q", verb, args)
			return nil, nil, 2
		}
		want := story.Place{File: "dir/f.yaml", Line: 5, Column: column}
		if _, problem := tell(t.Context(), execute, stories[0], false); problem == nil || problem.Place != want {
			t.Errorf("%s: the problem is %v, want one at %v", verb, problem, want)
		}
	}
}
