package story

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const head = "apiVersion: ssactl.dev/v1alpha1\nkind: Story\nname: a\n"

// TestRead: errors name the line, the column and what may be meant, and the other stories of a
// file are read.
func TestRead(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"sound", head + "steps: [{apply: a.yaml}]\n", ""},
		{"a typo", head + "steps:\n- aply: a.yaml\n", `f.yaml:5:3: there is no key "aply"; did you mean apply?`},
		{
			"a typo of an expectation", head + "steps:\n- apply: a.yaml\n  expect:\n    outcom: Created\n",
			`f.yaml:7:5: there is no key "outcom"; did you mean outcome?`,
		},
		{"no verb", head + "steps:\n- as: me\n", "f.yaml:5:3: a step needs just one of"},
		{"two verbs", head + "steps:\n- {apply: a, delete: b}\n", "this one has 2"},
		{"no number", head + "steps:\n- scale: a/b\n  replicas: many\n", `f.yaml:6:13: a whole number is needed here`},
		{"what is missing", head + "steps:\n- scale: a/b\n", "f.yaml:5:3: scale needs replicas"},
		{"no value of it", head + "steps:\n- apply: a\n  expect: {outcome: Fine}\n", `outcome: "Fine" is none of Created`},
		{"no story", "kind: Pod\n", `the key "name" is missing`},
		{"no document", "# nothing\n", "f.yaml:1:1: the file has no story"},
		{"no YAML", head + "steps: [\n", "f.yaml:"},
		{"a key twice", head + "steps: [{apply: a.yaml}]\nname: b\n", `f.yaml:5:1: the key "name" is there twice`},
		{"a clock", head + "now: noon\nsteps: [{apply: a}]\n", `"noon" is no RFC 3339 time`},
	} {
		_, err := Read("f.yaml", []byte(c.text))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	stories, err := Read(
		"f.yaml",
		[]byte(head+"steps: [{apply: a.yaml}]\n---\nkind: Story\n---\n"+head+"steps: [{delete: a/b}]\n"),
	)
	if len(stories) != 2 || len(Problems(err)) == 0 || stories[1].At.Line != 8 {
		t.Errorf("%d stories, %v", len(stories), err)
	}
}

// TestLookup finds fields as the API server writes them.
func TestLookup(t *testing.T) {
	var object any
	text := `{"metadata": {"annotations": {"a.b/c": "1", "a": {"b/c": "2"}}}, "spec": {
		"ports": [{"port": 80, "protocol": "TCP"}, {"port": 80, "protocol": "UDP", "name": "u]"}], "zones": ["a", "b"]}}`
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]any{
		".metadata.annotations.a.b/c":              "1",
		`.spec.ports[port=80,protocol="UDP"].name`: "u]",
		`.spec.ports[1].protocol`:                  "UDP",
		`.spec.ports[name="u]"].port`:              float64(80),
		`.spec.zones[="b"]`:                        "b",
		".spec.zones":                              []any{"a", "b"},
		".spec.none":                               nil,
		`.spec.ports[port=81]`:                     nil,
		`.spec.ports[port`:                         nil,
		`.spec.ports[port=]`:                       nil,
		".metadata.annotations.a.b/c.d":            nil,
	} {
		got, has := Lookup(object, field)
		if has != (want != nil) || has && !Equal(got, want) {
			t.Errorf("%s: %v %t, want %v", field, got, has, want)
		}
	}
}

const answer = `{"target": {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop", "name": "web"},
	"outcome": "Conflicted", "code": 409, "status": {"message": "Apply failed with 1 conflict"},
	"live": {"spec": {"replicas": 7}, "metadata": {"managedFields": [
		{"manager": "hpa", "operation": "Update", "subresource": "scale"}]}},
	"conflicts": [{"field": ".spec.replicas", "manager": "hpa"}], "warnings": ["deprecated"],
	"changes": [{"field": ".metadata.generation"}, {"field": ".spec.paused"}],
	"ownership": [{"field": ".spec.replicas", "managers": [
		{"manager": "hpa", "operation": "Update", "subresource": "scale"}]}],
	"findings": [{"rule": "conflict", "field": ".spec.replicas", "also": ["forbidden-owner"]}],
	"settles": {"result": "Cycle", "cycle": [
		{"writer": "me", "field": ".spec.replicas"}, {"writer": "kcm", "by": "HPA web", "field": ".spec.replicas"}]}}`

// TestCheck: what is mentioned is checked, and nothing else.
func TestCheck(t *testing.T) {
	var a Answer
	if err := json.Unmarshal([]byte(answer), &a); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, expect, want string }{
		{"nothing", "{}", ""},
		{"all of it", `{object: shop/deployment/web, outcome: Conflicted, code: 409, message: 1 conflict, unchanged: false,
			deleted: false, values: {.spec.replicas: 7}, absent: .spec.paused, owners: {.spec.replicas: hpa},
			managers: "hpa:Update:scale", conflicts: {.spec.replicas: hpa}, changes: .spec.paused, warnings: depre,
			findings: [conflict, forbidden-owner .spec.replicas], policy: .spec.replicas, settles: Cycle,
			cycle: {.spec.replicas: [me, HPA web]}, exactly: true}`, ""},
		{"the outcome", "{outcome: Created}", "outcome: expected Created, got Conflicted: Apply failed with 1 conflict"},
		{"the code", "{code: 200}", "code: expected 200, got 409"},
		{"the message", "{message: fine}", `message: expected "fine", got "Apply failed with 1 conflict"`},
		{"a value", "{values: {.spec.replicas: 3}}", "values .spec.replicas: expected 3, got 7"},
		{"no value", "{values: {.spec.paused: true}}", "values .spec.paused: expected true, got no such field"},
		{"what is there", "{absent: .spec.replicas}", "absent .spec.replicas: expected no such field, got 7"},
		{"an owner", "{owners: {.spec.replicas: me}}", "owners .spec.replicas: expected me, got hpa:Update:scale"},
		{"its operation", "{owners: {.spec.replicas: 'hpa:Apply'}}",
			"owners .spec.replicas: expected hpa:Apply, got hpa:Update:scale"},
		{"no owner", "{owners: {.spec.replicas: []}}", "owners .spec.replicas: expected none, got hpa:Update:scale"},
		{"no conflict", "{conflicts: {}}", "conflicts .spec.replicas: expected none, got hpa"},
		{"another conflict", "{conflicts: {.spec.paused: hpa}}", "conflicts .spec.paused: expected hpa, got none"},
		{"no warning", "{warnings: []}", "warnings: expected none, got deprecated"},
		{"a finding", "{findings: takeover}",
			"findings: expected takeover, got conflict .spec.replicas, forbidden-owner .spec.replicas"},
		{"the rounds", "{settles: FixedPoint}", "settles: expected FixedPoint, got Cycle"},
		{"another object", "{object: deployment/api}", "object: expected deployment/api, got deployment.apps/web"},
		{"exactly", "{outcome: Conflicted, exactly: true}", "conflicts .spec.replicas: expected none, got hpa\n" +
			"changes: expected none, got .spec.paused\nwarnings: expected none, got deprecated\n" +
			"findings: expected none, got conflict .spec.replicas, forbidden-owner .spec.replicas\n" +
			"policy: expected none, got .spec.replicas"},
	} {
		stories, err := Read("f.yaml", []byte(head+"steps:\n- apply: a.yaml\n  expect: "+c.expect+"\n"))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, f := range Check(stories[0].Steps[0], []Answer{a}, false) {
			if f.Line != 6 && c.name != "all of it" {
				t.Errorf("%s: line %d", c.name, f.Line)
			}
			got = append(got, f.String())
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestUpdate: what was observed stands where something else was expected, and comments stay.
func TestUpdate(t *testing.T) {
	var a Answer
	if err := json.Unmarshal([]byte(answer), &a); err != nil {
		t.Fatal(err)
	}
	text := head + `steps:
- apply: a.yaml # the team
  expect:
    outcome: Created # wrong
    values: {.spec.replicas: 3}
    conflicts: {}
- apply: b.yaml
`
	stories, err := Read("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var observed []Observed
	for _, step := range stories[0].Steps {
		observed = append(observed, Observed{step, []Answer{a}, Check(step, []Answer{a}, false)})
	}
	after, err := Update([]byte(text), observed)
	if err != nil {
		t.Fatal(err)
	}
	stories, err = Read("f.yaml", after)
	if err != nil {
		t.Fatalf("%v\n%s", err, after)
	}
	for i, step := range stories[0].Steps {
		if failed := Check(step, []Answer{a}, false); len(failed) > 0 || len(step.Expect) == 0 {
			t.Errorf("step %d after the update: %v\n%s", i, failed, after)
		}
	}
	if !strings.Contains(string(after), "# the team") {
		t.Errorf("a comment is lost:\n%s", after)
	}
	if again, err := Update(after, nil); err != nil || string(again) != string(after) {
		t.Errorf("an update of nothing changes the file: %v", err)
	}
}

// TestPrint: a story that is printed is read as the same.
func TestPrint(t *testing.T) {
	text := head + "namespace: shop\nsteps:\n- {apply: [a.yaml, b.yaml], as: me, force: true}\n" +
		"- {scale: deployment/web, replicas: 3, expect: {conflicts: {}, values: {.spec.replicas: 3}}}\n"
	stories, err := Read("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	printed, err := Print(stories[0])
	if err != nil {
		t.Fatal(err)
	}
	again, err := Read("f.yaml", printed)
	if err != nil || len(again) != 1 {
		t.Fatalf("%v\n%s", err, printed)
	}
	twice, err := Print(again[0])
	if err != nil || string(twice) != string(printed) {
		t.Errorf("printed again: %v\n%s\n%s", err, printed, twice)
	}
}

// TestSchema: the schema has each key of the format, and the verbs as alternatives.
func TestSchema(t *testing.T) {
	text, err := json.Marshal(Schema())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"apply"`, `"expect"`, `"settles"`, `"oneOf"`, `"FixedPoint"`, `"additionalProperties":false`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the schema lacks %s", want)
		}
	}
}

// TestDocs: each key of the format says what it is.
func TestDocs(t *testing.T) {
	seen := 0
	for _, of := range []reflect.Type{reflect.TypeFor[Story](), reflect.TypeFor[Step](), reflect.TypeFor[Expect]()} {
		for _, k := range keysOf(of) {
			if seen++; k.Doc == "" {
				t.Errorf("%s.%s says nothing", of.Name(), k.Name)
			}
		}
	}
	if seen != len(docs) {
		t.Errorf("%d keys, %d docs", seen, len(docs))
	}
}
