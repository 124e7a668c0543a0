package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v3"
	kjson "k8s.io/apimachinery/pkg/util/json"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/cmd/resolve"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/textdiff"
	"github.com/ssactl/ssactl/test/parity"
	"github.com/ssactl/ssactl/test/sampled"
)

// TestResolveCorpus resolves every recorded conflict, in the layouts in which
// people write manifests. What was written, applied again, has no conflict in
// the resolved fields, and nothing else in the file is another.
func TestResolveCorpus(t *testing.T) {
	packs, err := filepath.Glob(filepath.Join("..", "..", "testdata", "corpus", "*.jsonl.gz"))
	if err != nil || len(packs) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	var tally resolveTally
	t.Run("recorded", func(t *testing.T) { tally.checkAll(t, packs) })
	t.Logf(
		"%d conflicts in %d runs: %d resolved, %d refused",
		tally.resolved+tally.refused,
		tally.runs,
		tally.resolved,
		tally.refused,
	)
	if !testing.Short() && tally.resolved < 500 {
		t.Error("too few conflicts were resolved")
	}
}

// checkAll checks each conflict of recordings, several at once.
func (y *resolveTally) checkAll(t *testing.T, packs []string) {
	turn, every := 0, sampled.Every(t, 16)
	for _, pack := range packs {
		scenarios, err := parity.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		for _, scenario := range scenarios {
			for i, step := range scenario.Steps {
				request, err := parity.Request(step)
				if err != nil || request.Verb != api.Apply || request.Force || step.Status != 409 || request.Live == nil ||
					request.Subresource == "scale" ||
					request.DryRun != "" ||
					!namesTarget(request) {
					// A Scale is no manifest to edit, without a live object there is
					// nothing to resolve, and resolve asks for no dry run.
					continue
				}
				first := turn
				if turn++; first%every != 0 {
					continue
				}
				t.Run(fmt.Sprintf("%s/%d", scenario.Name, i), func(t *testing.T) {
					t.Parallel()
					layouts := resolveLayouts(t, request.Body)
					for n, action := range []string{"--all-stop-managing", "--all-use-live-value"} {
						y.check(t, scenario, i, request, layouts[(first+n)%len(layouts)], action)
					}
				})
			}
		}
	}
}

// unresolvable are the reasons for which a recorded conflict is refused.
var unresolvable = map[resolve.Action][]string{
	resolve.UseLiveValue: {
		"nothing is stored for the field, so that there is no value to write",
		"the live list has several items with this key, so that there is no one value to write",
	},
	resolve.StopManaging: {
		"without the field the server would not create the object: --stop-managing with its name removes it",
	},
}

type resolveTally struct {
	mu                      sync.Mutex
	runs, resolved, refused int
}

// resolveLayouts writes a manifest as people do; the first line is a comment,
// and in YAML each scalar has one.
func resolveLayouts(t *testing.T, body []byte) []string {
	t.Helper()
	var root yaml.Node
	if err := yaml.Unmarshal(body, &root); err != nil {
		t.Fatal(err)
	}
	n := 0
	var comment func(*yaml.Node)
	comment = func(node *yaml.Node) {
		node.Style &^= yaml.FlowStyle | yaml.DoubleQuotedStyle
		for _, child := range node.Content {
			comment(child)
		}
		if node.Kind == yaml.MappingNode {
			for i := 1; i < len(node.Content); i += 2 {
				if value := node.Content[i]; value.Kind == yaml.ScalarNode && !strings.Contains(value.Value, "\n") {
					n++
					value.LineComment = fmt.Sprintf("# comment %d", n)
				}
			}
		}
	}
	comment(&root)
	var block bytes.Buffer
	encoder := yaml.NewEncoder(&block)
	encoder.SetIndent(2)
	if err := encoder.Encode(&root); err != nil {
		t.Fatal(err)
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, body, "", "  "); err != nil {
		return []string{"# manifest\n" + block.String()}
	}
	list := "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(
		strings.TrimSuffix(block.String(), "\n"),
		"\n",
		"\n  ",
	) + "\n"
	return []string{"# manifest\n" + block.String(), pretty.String(), list, "a: 1\n---\n" + block.String()}
}

func (y *resolveTally) check(t *testing.T, scenario parity.Scenario, i int, r api.Request, manifest, action string) {
	t.Helper()
	dir := t.TempDir()
	args, reason := arguments(t, dir, scenario.Steps[i], r)
	if reason != "" {
		return
	}
	for n, raw := range append(scenario.CRDsAt(i), scenario.ObjectsAt(i)...) {
		args = append(args, "--crds", writeIn(t, dir, fmt.Sprintf("given-%d.json", n), raw))
	}
	file := writeIn(t, dir, "manifest.yaml", []byte(manifest))
	document := resolved(
		t,
		append([]string{"resolve", action, "--write", "-o", "json", "--show-secrets", "--share-secrets"}, args[3:]...),
	)
	edited, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc := applied(t, args)
	if len(document.Objects) != 1 || len(doc.Results) != 1 {
		t.Fatalf("%d objects, %d results", len(document.Objects), len(doc.Results))
	}
	object, result := document.Objects[0], doc.Results[0]
	if object.After != result.Outcome {
		t.Errorf("%s: after is %s, but the written manifest is %s", action, object.After, result.Outcome)
	}
	y.count(t, object.Steps, policed(scenario, i))
	for _, step := range object.Steps {
		for _, c := range result.Conflicts {
			if step.Outcome == resolve.Done && c.Field == step.Field {
				t.Errorf("%s: %s still conflicts in\n%s", action, c.Field, edited)
			}
		}
	}
	server := serverOf(t, scenario, i)
	nothingElse(t, server, r, object, manifest, string(edited), action)
	if action == "--all-stop-managing" {
		sameLines(t, manifest, string(edited))
	}
}

// policed reports whether admission policies are in force, which may refuse what is
// resolved, or set a field again.
func policed(scenario parity.Scenario, i int) bool {
	return slices.ContainsFunc(scenario.ObjectsAt(i), func(object json.RawMessage) bool {
		return bytes.Contains(object, []byte("AdmissionPolicyBinding"))
	})
}

func (y *resolveTally) count(t *testing.T, steps []resolve.Step, policed bool) {
	t.Helper()
	y.mu.Lock()
	defer y.mu.Unlock()
	y.runs++
	for _, s := range steps {
		y.step(t, s, policed)
	}
}

func (y *resolveTally) step(t *testing.T, s resolve.Step, policed bool) {
	t.Helper()
	if s.Outcome == resolve.Done {
		y.resolved++
		return
	}
	y.refused++
	if s.Outcome == resolve.Refused && policed {
		return
	}
	if s.Outcome != resolve.Refused || !slices.Contains(unresolvable[s.Action], s.Reason) {
		t.Errorf("%s %s: %s %s", s.Action, s.Field, s.Outcome, s.Reason)
	}
}

func resolved(t *testing.T, args []string) resolve.Document {
	t.Helper()
	var out, errOut bytes.Buffer
	code := Main(args, iostreams.New(strings.NewReader(""), &out, &errOut, nil))
	var document resolve.Document
	if err := kjson.Unmarshal(out.Bytes(), &document); err != nil {
		t.Fatalf("exit code %d: %v\n%s%s", code, err, out.String(), errOut.String())
	}
	return document
}

func applied(t *testing.T, args []string) report.Report {
	t.Helper()
	var out, errOut bytes.Buffer
	code := Main(args, iostreams.New(strings.NewReader(""), &out, &errOut, nil))
	var doc report.Report
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatalf("exit code %d: %v\n%s%s", code, err, out.String(), errOut.String())
	}
	doc.Results = slices.DeleteFunc(doc.Results, func(r report.Result) bool { return r.Target.Kind == "" })
	return doc
}

func serverOf(t *testing.T, scenario parity.Scenario, i int) *server.Server {
	t.Helper()
	var crds [][]byte
	for _, raw := range scenario.CRDsAt(i) {
		crds = append(crds, raw)
	}
	server, err := sharedServer(server.Options{CRDs: crds})
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// nothingElse compares all fields but the resolved ones.
func nothingElse(
	t *testing.T,
	server *server.Server,
	r api.Request,
	object resolve.Resolution,
	former, edited, action string,
) {
	t.Helper()
	shape := managedfields.ShapeOf(server.Types(r.Kind).ParseableType)
	leaves := func(text string) map[string]any {
		out := map[string]any{}
		for _, leaf := range shape.Leaves(objectOf(t, text)) {
			field := leaf.Path.String()
			if !slices.ContainsFunc(object.Steps, func(s resolve.Step) bool { return concerns(s, field) }) {
				out[field] = leaf.Value
			}
		}
		maps.DeleteFunc(out, func(field string, v any) bool { return field == ".metadata" })
		return out
	}
	if diff := cmp.Diff(leaves(former), leaves(edited)); diff != "" {
		t.Errorf("%s: something else changes (-former +edited):\n%s", action, diff)
	}
}

func concerns(s resolve.Step, field string) bool {
	for _, parent := range []string{s.Field, s.At, s.Removed} {
		if rest, ok := strings.CutPrefix(field, parent); ok && parent != "" &&
			(rest == "" || rest[0] == '.' || rest[0] == '[') {
			return s.Outcome == resolve.Done
		}
	}
	return false
}

// objectOf is the one object of a text, out of its List if it is in one.
func objectOf(t *testing.T, text string) map[string]any {
	t.Helper()
	_, after, several := strings.Cut(text, "a: 1\n---\n")
	if several {
		text = after
	}
	var object map[string]any
	encoded, err := sigsyaml.YAMLToJSON([]byte(text))
	if err == nil {
		err = kjson.Unmarshal(encoded, &object)
	}
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if items, ok := object["items"].([]any); ok && object["kind"] == "List" {
		object, _ = items[0].(map[string]any)
	}
	return object
}

// sameLines: what is given up takes lines out and leaves the others as they
// are. In JSON a comma may have to go, and a List's dash moves to the next
// line.
func sameLines(t *testing.T, former, edited string) {
	t.Helper()
	if strings.HasPrefix(former, "{") {
		return
	}
	for _, hunk := range textdiff.Lines(former, edited, 0) {
		for _, line := range hunk.Lines {
			moved := strings.Contains(former, strings.Replace(line.Text, "- ", "  ", 1))
			emptied := strings.HasSuffix(strings.TrimSpace(line.Text), "{}")
			if line.Kind == textdiff.Insert && !moved && !emptied {
				t.Errorf("removing the field writes a line: %s", line.Text)
			}
		}
	}
}
