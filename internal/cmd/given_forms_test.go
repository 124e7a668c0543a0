package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/test/parity"
	"github.com/ssactl/ssactl/test/sampled"
)

// sampledGivenForms is how many steps a normal run looks at.
const sampledGivenForms = 120

// givenForm says how files hold what a cluster has beside the object of a step, and
// that object: it gives the arguments that name them. live is nil for none.
type givenForm struct {
	name string
	say  func(t *testing.T, dir string, live []byte, given [][]byte, r *rand.Rand) []string
}

var givenForms = []givenForm{
	{
		"a List of all, indented, in any order",
		func(t *testing.T, dir string, live []byte, given [][]byte, r *rand.Rand) []string {
			all := shuffled(withLive(given, live), r)
			return []string{"--live", writeIn(t, dir, "dump.json", indented(t, listOf(all)))}
		},
	},
	{
		"one YAML file of all, keys sorted",
		func(t *testing.T, dir string, live []byte, given [][]byte, r *rand.Rand) []string {
			return []string{"--live", writeIn(t, dir, "dump.yaml", yamlFile(t, shuffled(withLive(given, live), r)))}
		},
	},
	{
		"a List in --crds, keys in the opposite order",
		func(t *testing.T, dir string, live []byte, given [][]byte, r *rand.Rand) []string {
			backwards := inOrder(t, listOf(shuffled(given, r)), func(a, b string) int { return strings.Compare(b, a) })
			return append(liveAlone(t, dir, live), "--crds", writeIn(t, dir, "given.json", backwards))
		},
	},
	{
		"lines of JSON behind the live object, definitions in --crds",
		func(t *testing.T, dir string, live []byte, given [][]byte, r *rand.Rand) []string {
			var definitions, others [][]byte
			for _, object := range shuffled(given, r) {
				if bytes.Contains(object, []byte(`"CustomResourceDefinition"`)) {
					definitions = append(definitions, compacted(t, object))
				} else {
					others = append(others, compacted(t, object))
				}
			}
			args := append(liveAlone(t, dir, live), "--live", writeIn(t, dir, "others.json", bytes.Join(others, []byte("\n"))))
			if len(definitions) > 0 {
				args = append(args, "--crds", writeIn(t, dir, "definitions.json", bytes.Join(definitions, []byte("\n"))))
			}
			return args
		},
	},
	{
		"typed Lists, policies at v1beta1",
		func(t *testing.T, dir string, live []byte, given [][]byte, r *rand.Rand) []string {
			var args []string
			byKind := map[string][][]byte{}
			var kinds []string
			for _, object := range given {
				kind := atBeta(object)
				byKind[kind.of] = append(byKind[kind.of], kind.text)
				kinds = append(kinds, kind.of)
			}
			slices.Sort(kinds)
			for i, kind := range slices.Compact(kinds) {
				version, name, _ := strings.Cut(kind, " ")
				list := fmt.Appendf(
					nil,
					`{"apiVersion":%q,"kind":%q,"metadata":{},"items":[%s]}`,
					version,
					name+"List",
					bytes.Join(shuffled(byKind[kind], r), []byte(",")),
				)
				args = append(args, "--live", writeIn(t, dir, fmt.Sprintf("list-%d.json", i), indented(t, list)))
			}
			return append(args, liveAlone(t, dir, live)...)
		},
	},
}

// TestGivenForms: however the objects of a cluster are written into files, the answer is
// the recorded one.
func TestGivenForms(t *testing.T) {
	packs, err := filepath.Glob(filepath.Join("..", "..", "testdata", "corpus", "*.jsonl.gz"))
	if err != nil || len(packs) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	var steps []recordedStep
	for _, pack := range packs {
		scenarios, err := parity.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		for _, scenario := range scenarios {
			for i := range scenario.Steps {
				if len(scenario.ObjectsAt(i)) > 0 {
					steps = append(steps, recordedStep{scenario, i})
				}
			}
		}
	}
	if !*allForms {
		random.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
		steps = steps[:min(len(steps), sampledGivenForms/sampled.Every(t, 8))]
	}
	answers := 0
	for n, s := range steps {
		for i, form := range givenForms {
			if !*allForms && i != n%len(givenForms) {
				continue
			}
			answers += s.inGivenForm(t, form, random)
		}
	}
	t.Logf("%d answers to %d steps", answers, len(steps))
}

// inGivenForm answers the step, and gives the number of answers.
func (s recordedStep) inGivenForm(t *testing.T, form givenForm, r *rand.Rand) int {
	t.Helper()
	step, dir := s.scenario.Steps[s.index], t.TempDir()
	args, reason := sayStep(t, dir, step)
	if reason != "" {
		return 0
	}
	var live []byte
	if at := slices.Index(args, "--live"); at >= 0 {
		args, live = slices.Delete(args, at, at+2), step.LiveBefore
	}
	var given [][]byte
	for _, object := range append(texts(s.scenario.CRDsAt(s.index)), texts(s.scenario.ObjectsAt(s.index))...) {
		if !isTarget(step, object) {
			given = append(given, object)
		}
	}
	args = append(args, form.say(t, dir, live, given, r)...)
	reason, diff := answerStep(t, step, args)
	if diff != "" {
		t.Errorf(
			"%s step %d (%s %s), %s: (-recorded +answered)\n%s", s.scenario.Name, s.index, step.Op,
			step.Request.Path, form.name, diff,
		)
	}
	if reason != "" {
		return 0
	}
	return 1
}

// isTarget reports whether an object is the one that a step writes, as a definition
// may be.
func isTarget(step parity.Step, object []byte) bool {
	var head struct {
		Kind     string
		Metadata struct{ Name string }
	}
	return json.Unmarshal(object, &head) == nil && head.Kind == step.Target.Kind &&
		head.Kind == "CustomResourceDefinition" &&
		head.Metadata.Name == step.Target.Name
}

func withLive(given [][]byte, live []byte) [][]byte {
	if live == nil {
		return given
	}
	return append(slices.Clip(given), live)
}

func liveAlone(t *testing.T, dir string, live []byte) []string {
	t.Helper()
	if live == nil {
		return nil
	}
	return []string{"--live", writeIn(t, dir, "live.json", live)}
}

func shuffled(objects [][]byte, r *rand.Rand) [][]byte {
	objects = slices.Clone(objects)
	r.Shuffle(len(objects), func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
	return objects
}

func listOf(objects [][]byte) []byte {
	return fmt.Appendf(
		nil,
		`{"apiVersion":"v1","kind":"List","metadata":{},"items":[%s]}`,
		bytes.Join(objects, []byte(",")),
	)
}

func yamlFile(t *testing.T, objects [][]byte) []byte {
	t.Helper()
	var out [][]byte
	for _, object := range objects {
		text := yamlOf(t, object)
		if text == nil {
			text = indented(t, object)
		}
		out = append(out, text)
	}
	return bytes.Join(out, []byte("\n---\n"))
}

// typedText is an object with its API version and kind.
type typedText struct {
	of   string
	text []byte
}

// atBeta writes admission policies at an older version, and leaves all others.
func atBeta(object []byte) typedText {
	var head struct{ APIVersion, Kind string }
	// Objects have both.
	_ = json.Unmarshal(object, &head)
	if strings.Contains(head.Kind, "AdmissionPolicy") {
		older := strings.Replace(head.APIVersion, "/v1", "/v1beta1", 1)
		quoted := func(version string) []byte { return fmt.Appendf(nil, `"apiVersion":%q`, version) }
		object = bytes.Replace(object, quoted(head.APIVersion), quoted(older), 1)
		head.APIVersion = older
	}
	return typedText{head.APIVersion + " " + head.Kind, object}
}
