package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
	"github.com/ssactl/ssactl/test/sampled"
)

var allForms = flag.Bool(
	"all-forms",
	false,
	"write the live object of every recorded step in every form, not of a sample",
)

// sampledForms is how many steps of the recordings a normal run looks at, beside
// those of kinds that keep JSON to the letter.
const sampledForms = 60

var keepLetters = []string{"ControllerRevision", "DeviceClass", "ResourceClaim", "ResourceClaimTemplate"}

// liveForm writes a live object as somebody's file has it.
type liveForm struct {
	name string
	file string
	// writeIn is given the object's text. Nil stands for what the form cannot have.
	writeIn func(t *testing.T, text []byte) []byte
}

var liveForms = []liveForm{
	{"compact", "live.json", func(t *testing.T, text []byte) []byte { return compacted(t, text) }},
	{"indented as kubectl indents", "live.json", func(t *testing.T, text []byte) []byte {
		return indented(t, inOrder(t, text, strings.Compare))
	}},
	{"indented, keys as stored", "live.json", indented},
	{"keys in the opposite order", "live.json", func(t *testing.T, text []byte) []byte {
		return inOrder(t, text, func(a, b string) int { return strings.Compare(b, a) })
	}},
	{"YAML", "live.yaml", yamlOf},
	{"in a List", "live.json", func(t *testing.T, text []byte) []byte {
		return indented(t, fmt.Appendf(nil, `{"apiVersion":"v1","kind":"List","metadata":{},"items":[%s,%s,%s]}`,
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"first","namespace":"other"}}`, text,
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"last","namespace":"other"}}`))
	}},
}

// TestLiveForms: however the live object is written in a file, the answer is the one
// that was recorded, through both paths of the server.
func TestLiveForms(t *testing.T) {
	packs, err := filepath.Glob(filepath.Join("..", "..", "testdata", "corpus", "*.jsonl.gz"))
	if err != nil || len(packs) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	var steps []recordedStep
	for _, pack := range packs {
		scenarios, err := parity.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		for _, scenario := range scenarios {
			for i, step := range scenario.Steps {
				if len(step.LiveBefore) > len("null") {
					steps = append(steps, recordedStep{scenario, i})
				}
			}
		}
	}
	if !*allForms {
		random := rand.New(rand.NewPCG(1, 2))
		random.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
		n, every := 0, sampled.Every(t, 8)
		steps = slices.DeleteFunc(steps, func(s recordedStep) bool {
			if every == 1 && slices.Contains(keepLetters, s.scenario.Steps[s.index].Target.Kind) {
				return false
			}
			n++
			return n > sampledForms/every
		})
	}
	answers := 0
	for _, s := range steps {
		answers += s.inAllForms(t)
	}
	t.Logf("%d answers to %d steps", answers, len(steps))
}

type recordedStep struct {
	scenario parity.Scenario
	index    int
}

// inAllForms answers the step in each form and on each path, and gives the number
// of answers.
func (s recordedStep) inAllForms(t *testing.T) int {
	t.Helper()
	step := s.scenario.Steps[s.index]
	request, err := parity.Request(step)
	if err != nil {
		t.Fatal(err)
	}
	answers := 0
	for _, path := range []server.Path{server.ShortPath, server.FullPath} {
		answering, err := sharedServer(
			server.Options{CRDs: texts(s.scenario.CRDsAt(s.index)), Objects: texts(s.scenario.ObjectsAt(s.index)), Path: path},
		)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range liveForms {
			content := form.writeIn(t, request.Live)
			if content == nil {
				continue
			}
			call := request
			call.Live = loaded(t, form.file, content, request.Live)
			response, err := answering.Do(context.Background(), call)
			if err != nil && !strings.Contains(err.Error(), api.ErrNotSimulated.Error()) {
				t.Fatalf("%s step %d, %s: %v", s.scenario.Name, s.index, form.name, err)
			}
			if err != nil {
				continue
			}
			answers++
			if diff := parity.Diff(step, response); diff != "" {
				t.Errorf(
					"%s step %d (%s), live object %s, path %q: (-recorded +answered)\n%s", s.scenario.Name,
					s.index, step.Op, form.name, path, diff,
				)
			}
		}
	}
	return answers
}

// loaded gives what is read of an object from a file with this content.
func loaded(t *testing.T, name string, content, text []byte) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	var head struct {
		Kind     string
		Metadata struct{ Name, Namespace string }
	}
	if err := json.Unmarshal(text, &head); err != nil {
		t.Fatal(err)
	}
	index, errs := live.Load([]string{file}, live.Options{Input: manifest.Options{}, KeyOf: live.KeyOf})
	if len(errs) > 0 {
		t.Fatalf("%s: %v", content, errs)
	}
	for _, o := range index.Objects() {
		if o.Kind == head.Kind && o.Name == head.Metadata.Name && o.Namespace == head.Metadata.Namespace {
			return o.JSON()
		}
	}
	t.Fatalf("%s %s is not in the file: %s", head.Kind, head.Metadata.Name, content)
	return nil
}

func compacted(t *testing.T, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func indented(t *testing.T, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "    "); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func yamlOf(t *testing.T, text []byte) []byte {
	t.Helper()
	out, err := yaml.JSONToYAML(text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := yaml.YAMLToJSON(out)
	if err != nil {
		t.Fatal(err)
	}
	// The writer loses spaces before U+2028.
	if !jsontree.Equal(again, decoded(t, text)) {
		return nil
	}
	return out
}

func decoded(t *testing.T, text []byte) map[string]any {
	t.Helper()
	object, err := jsontree.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return object
}

// inOrder writes a text with the keys of all objects in an order.
func inOrder(t *testing.T, text []byte, compare func(a, b string) int) []byte {
	t.Helper()
	switch text = bytes.TrimSpace(text); text[0] {
	case '{':
		object := map[string]json.RawMessage{}
		if err := json.Unmarshal(text, &object); err != nil {
			t.Fatal(err)
		}
		var keys []string
		for key := range object {
			keys = append(keys, key)
		}
		slices.SortFunc(keys, compare)
		var members [][]byte
		for _, key := range keys {
			name, err := json.Marshal(key)
			if err != nil {
				t.Fatal(err)
			}
			members = append(members, append(append(name, ':'), inOrder(t, object[key], compare)...))
		}
		return append(append([]byte{'{'}, bytes.Join(members, []byte{','})...), '}')
	case '[':
		var list []json.RawMessage
		if err := json.Unmarshal(text, &list); err != nil {
			t.Fatal(err)
		}
		var items [][]byte
		for _, item := range list {
			items = append(items, inOrder(t, item, compare))
		}
		return append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
	}
	return text
}
