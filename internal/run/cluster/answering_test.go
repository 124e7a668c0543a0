package cluster

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
)

// TestWrites: a write has what the manifest says, where its object and its live object
// stand, and what the flags of the run say.
func TestWrites(t *testing.T) {
	c := loadedBy(
		t,
		input.Flags{Filenames: []string{"m.yaml", "m.json"}, Live: []string{"l.yaml"}, DryRun: input.DryRunServer},
		map[string]string{
			"m.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  k: v\n",
			"m.json": `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"other"}}`,
			"l.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n  uid: x\ndata:\n  k: w\n",
		},
	)
	c.Now, c.Detail = time.Unix(1, 0), engine.DetailOutcome
	yaml, json := c.Pairs()[0], c.Pairs()[1]
	w := c.Write(yaml)
	if w.Name != "web" || w.Namespace != "default" || w.MediaType != api.YAML || w.Decoded == nil || !w.DryRun ||
		!w.Now.Equal(c.Now) ||
		w.Detail != c.Detail ||
		w.Source.Line != 1 {
		t.Errorf("the write is %+v", w)
	}
	data := fieldpath.MakePathOrDie("data", "k")
	if at, ok := w.Locator.Line(data); !ok || at.File != "m.yaml" || at.Line != 6 {
		t.Errorf("the field is at %v, %v", at, ok)
	}
	if at, ok := w.LiveLocator.Line(data); !ok || at.File != "l.yaml" || at.Line != 7 {
		t.Errorf("the live field is at %v, %v", at, ok)
	}
	if _, ok := w.LiveLocator.Line(fieldpath.MakePathOrDie("data", "none")); ok || w.LiveSource.File != "l.yaml" ||
		w.LiveLocator.Text(3) != *w.LiveSource {
		t.Errorf("a field that is not live is found, or the object is at %v", w.LiveSource)
	}
	apply := c.Apply(json)
	if apply.Verb != api.Apply || apply.MediaType != "" || apply.Decoded != nil || apply.Live != nil ||
		c.Write(json).MediaType != api.JSON {
		t.Errorf("the apply is %+v", apply)
	}
	yaml.Propagation = "Orphan"
	if d := c.Deletion(yaml, "me"); d.Verb != api.Delete || d.PropagationPolicy != "Orphan" || d.Manager != "me" ||
		d.Live == nil ||
		!d.DryRun ||
		d.Body != nil {
		t.Errorf("the delete is %+v", d)
	}
	// A file that is gone has no lines, and one that is a pipe is not read twice.
	if err := os.Remove("l.yaml"); err != nil {
		t.Fatal(err)
	}
	if at, ok := c.Write(yaml).LiveLocator.Line(data); ok {
		t.Errorf("the field of a file that is gone is at %v", at)
	}
}

// typed is a server that deduces the types of kinds that it does not know.
type typed struct{ knowing }

func (s typed) Types(kind schema.GroupVersionKind) api.Type {
	return api.Type{Deduced: !s.Resource(kind).Known}
}

// TestMissingSchemas: what no definition is given for is refused where a schema is needed,
// or where managed fields contradict the one that is assumed; the server's own kinds are at
// another version at most.
func TestMissingSchemas(t *testing.T) {
	server := typed{knowing{kinds: kindsOnly{{Group: "apps", Version: "v1", Kind: "Deployment"}: "deployments"}}}
	custom := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}
	beta := schema.GroupVersionKind{Group: "apps", Version: "v1beta1", Kind: "Deployment"}
	core := schema.GroupVersionKind{Version: "v1", Kind: "Such"}
	known := schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	for _, c := range []struct {
		policy              engine.SchemaPolicy
		kind                schema.GroupVersionKind
		undefined, unserved string
	}{
		{engine.AssumeSchema, custom, "", ""},
		{engine.RequireSchema, custom, "give its CustomResourceDefinition with --crds", ""},
		{engine.RequireSchema, known, "", ""},
		{engine.RequireSchema, beta, "", "the live object is at API version apps/v1beta1, which the server does not serve: fetch it as apps/v1"},
		{engine.RequireSchema, core, "", "the live object is at API version v1, which the server does not serve"},
	} {
		s := &Served{Server: server, Schema: c.policy}
		for want, err := range map[*string]error{&c.undefined: s.Undefined(c.kind), &c.unserved: s.Unserved(c.kind)} {
			if (err == nil) != (*want == "") || err != nil && !strings.HasSuffix(err.Error(), *want) {
				t.Errorf("%v, %q: %v, want %q", c.kind, c.policy, err, *want)
			}
		}
	}
	s := &Served{Server: server}
	entry := func(fields string) map[string]any {
		object, err := manifestObject(
			`{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w","managedFields":[{"manager":"m","operation":"Apply","apiVersion":"example.com/v1","fieldsType":"FieldsV1","fieldsV1":` + fields + `}]},"spec":{"list":[{"name":"a"}]}}`,
		)
		if err != nil {
			t.Fatal(err)
		}
		return object
	}
	if err := s.Misfit(custom, entry(`{"f:spec":{"f:list":{}}}`)); err != nil {
		t.Errorf("an atomic list: %v", err)
	}
	if err := s.Misfit(custom, entry(`{"f:spec":{"f:list":{"k:{\"name\":\"a\"}":{}}}}`)); err == nil ||
		!strings.HasSuffix(err.Error(), ": give its CustomResourceDefinition with --crds") {
		t.Errorf("a list by keys: %v", err)
	}
	if err := s.Misfit(known, entry(`{"f:spec":{"f:list":{"k:{\"name\":\"a\"}":{}}}}`)); err != nil {
		t.Errorf("of a kind that is known: %v", err)
	}
}

func manifestObject(text string) (map[string]any, error) {
	documents, problems := manifest.Load([]string{"-"}, manifest.Options{Stdin: strings.NewReader(text)})
	if len(problems) > 0 {
		return nil, problems[0]
	}
	o := live.Object{Document: documents[0]}
	return o.Decode()
}

// TestNoteNamespaces: namespaces that nothing shows are taken to exist, which is said once.
func TestNoteNamespaces(t *testing.T) {
	namespace := func(name string) string { return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + name + "}\n" }
	for name, c := range map[string]struct{ manifests, live, want string }{
		"one": {object("ConfigMap", "a", "x") + "---\n" + object("ConfigMap", "a", "z"), object("ConfigMap", "b", "x"),
			"namespace a is taken to exist: the inputs have no such Namespace, and no live object in it"},
		"two": {object("ConfigMap", "c", "x") + "---\n" + object("ConfigMap", "a", "z"), object("ConfigMap", "b", "x"),
			"namespaces a, c are taken to exist: the inputs have no such Namespaces, and no live object in them"},
		"one with objects":          {object("ConfigMap", "b", "x"), object("ConfigMap", "b", "z"), ""},
		"one that a manifest makes": {object("ConfigMap", "a", "x") + "---\n" + namespace("a"), object("ConfigMap", "b", "x"), ""},
		"the default one":           {object("ConfigMap", "default", "x"), object("ConfigMap", "b", "x"), ""},
		"another Namespace is live": {object("ConfigMap", "a", "x"), namespace("b"),
			"namespace a is taken to exist: the inputs have no such Namespace, and no live object in it"},
		"the Namespace is live": {object("ConfigMap", "a", "x"), namespace("a"), ""},
		"a list of Namespaces":  {object("ConfigMap", "a", "x"), "{apiVersion: v1, kind: NamespaceList, items: [{metadata: {name: b}}]}", ""},
		"Namespaces of every server": {object("ConfigMap", "a", "x"),
			namespace("default") + "---\n" + namespace("kube-system") + "---\n" + namespace("kube-public"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			c2 := loadedBy(t, input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}, AssumeAbsent: true},
				map[string]string{"m.yaml": c.manifests, "l.yaml": c.live})
			c2.NoteNamespaces(c2.Pairs())
			if got := strings.Join(c2.Notices, "\n"); got != c.want {
				t.Errorf("it says %q, want %q", got, c.want)
			}
		})
	}
}

// TestOnlySettings: where the live files have nothing but definitions and the like, they say
// nothing of what is live.
func TestOnlySettings(t *testing.T) {
	for lives, want := range map[string]string{
		definition("a"): "only definitions, policies and the like (CustomResourceDefinition): each object is taken as absent",
		definition("a") + "---\n" + object("Deployment", "default", "x"): "The live files have no ConfigMap at all: they may be incomplete.",
	} {
		c := loadedBy(
			t,
			input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}},
			map[string]string{"m.yaml": web, "l.yaml": lives},
		)
		if got := saidOf(c.Pairs()[0].caveats); !strings.Contains(got, want) {
			t.Errorf("it is said: %q, want %q", got, want)
		}
	}
}

// TestUnnamed counts the live objects that no manifest names, and lists them where that is
// asked for.
func TestUnnamed(t *testing.T) {
	c := loadedBy(
		t,
		input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}, Unmatched: true},
		map[string]string{
			"m.yaml": web,
			"l.yaml": web + "---\n" + object("ConfigMap", "a", "x") + "---\n" + object("Deployment", "a", "z"),
		},
	)
	want := []report.Target{{APIVersion: "v1", Kind: "ConfigMap", Namespace: "a", Name: "x"},
		{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "a", Name: "z"}}
	if c.Unnamed == nil || *c.Unnamed != 2 || fmt.Sprint(c.Unmatched) != fmt.Sprint(want) {
		t.Errorf("%v are unnamed: %v, want %v", c.Unnamed, c.Unmatched, want)
	}
	if c := loadedBy(t, input.Flags{Live: []string{"l.yaml"}}, map[string]string{"l.yaml": web}); c.Unnamed != nil {
		t.Errorf("without manifests %d are unnamed", *c.Unnamed)
	}
}

// TestTargets: a write without a manifest is to the objects that are named.
func TestTargets(t *testing.T) {
	c := loadedBy(t, input.Flags{Live: []string{"l.yaml"}},
		map[string]string{"l.yaml": web + "---\n" + object("ConfigMap", "a", "x") + "---\n" +
			object("ConfigMap", "a", "x") + "data: {a: b}\n"})
	for kind, want := range map[string]string{"cm/web": "default/web", "cm": "a/x! default/web",
		"secret/web": "the live files have no secret/web; they have ConfigMap"} {
		var wanted []input.ObjectName
		name, of, _ := strings.Cut(kind, "/")
		wanted = append(wanted, input.ObjectName{Kind: name, Name: of})
		pairs, err := c.Targets(wanted)
		var got []string
		for _, p := range pairs {
			text := p.Key.Namespace + "/" + p.Key.Name
			if p.Err != nil {
				text += "!"
			}
			got = append(got, text)
		}
		if err != nil {
			got = append(got, err.Error())
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %s, want %s", kind, text, want)
		}
	}
}

// TestByKey: manifests of an extra list are found by their object; what is not live is
// remarked on, with what may be meant.
func TestByKey(t *testing.T) {
	c := loadedBy(t, input.Flags{Live: []string{"l.yaml"}, Purpose: input.Purpose{Extra: [][]string{{"e.yaml"}}}},
		map[string]string{"l.yaml": web + "---\n" + object("ConfigMap", "", "settings"), "e.yaml": web + "---\n" +
			object("ConfigMap", "", "setting")})
	found := c.ByKey(c.Extra[0])
	if len(found) != 2 || found["ConfigMap default/web"].Name != "web" {
		t.Errorf("found are %v", found)
	}
	if len(c.Notices) != 1 || !strings.Contains(c.Notices[0],
		"no live object is ConfigMap default/setting; the live files have default/settings.") {
		t.Errorf("it says %q", c.Notices)
	}
}

// TestProblemOf: an error of an input has its place, and the flag that raises a limit.
func TestProblemOf(t *testing.T) {
	source := manifest.Source{File: "a.yaml", Document: 2, Line: 7}
	for want, err := range map[string]error{
		"a.yaml:7 odd":          &manifest.Problem{Source: source, Op: "parse", Err: errors.New("odd")},
		":0 odd":                errors.New("odd"),
		"--max-depth raises it": &manifest.Problem{Source: source, Err: manifest.ErrTooDeep},
		"--max-values raises":   &manifest.Problem{Source: source, Err: fmt.Errorf("b: %w", manifest.ErrTooManyValues)},
	} {
		p := ProblemOf(err)
		if got := fmt.Sprintf("%s:%d %s", p.Source.File, p.Source.Line, p.Message); !strings.Contains(got, want) {
			t.Errorf("%v is %q, want %q", err, got, want)
		}
	}
}
