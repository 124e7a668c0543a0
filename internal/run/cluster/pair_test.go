package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
)

// knowing is a server that knows kinds and answers nothing.
type knowing struct {
	Simulated
	kinds kindsOnly
}

func (k knowing) Resource(kind schema.GroupVersionKind) api.Resource { return k.kinds.Resource(kind) }
func (k knowing) Kinds() []schema.GroupVersionKind                   { return k.kinds.Kinds() }

// loaded is a world with manifests and live objects, which all are ConfigMaps or
// Deployments.
func loaded(t *testing.T, flags input.Flags, manifests, lives string) *World {
	t.Helper()
	server := knowing{kinds: kindsOnly{{Version: "v1", Kind: "ConfigMap"}: "configmaps",
		{Group: "apps", Version: "v1", Kind: "Deployment"}: "deployments"}}
	w := &World{flags: &flags, Inputs: newInputs(), Served: Served{Server: server},
		Scope: &Scope{served: server, namespace: flags.Namespace, strict: flags.Strict}}
	note := func(n manifest.Notice) { w.Notices = append(w.Notices, n.String()) }
	reading := manifest.Options{OnNotice: note, Stdin: strings.NewReader(manifests)}
	if manifests != "" {
		w.Manifests = w.Documents([]string{"-"}, reading)
		flags.Filenames = []string{"-"}
	}
	file := filepath.Join(t.TempDir(), "live.yaml")
	if err := os.WriteFile(file, []byte(lives), 0o600); err != nil {
		t.Fatal(err)
	}
	flags.Live = []string{file}
	objects := NewGiven(nil, w.Manifests)
	w.parameters, w.kinds = objects.parameters, KindsOf(w.Manifests)
	learn := func(manifest.Identity, []byte) {}
	if _, err := newLiveReading(w, learn, &Digests{world: w}, reading).load(nil, objects); err != nil {
		t.Fatal(err)
	}
	return w
}

func object(kind, namespace, name string) string {
	apiVersion := map[string]string{"ConfigMap": "v1", "Deployment": "apps/v1"}[kind]
	text := "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata:\n  name: " + name + "\n"
	if namespace != "" {
		text += "  namespace: " + namespace + "\n"
	}
	return text
}

// TestPairs: each manifest gets its live object, or what it may mean that there is none.
func TestPairs(t *testing.T) {
	web := object("ConfigMap", "", "web")
	for name, c := range map[string]struct {
		flags            input.Flags
		manifests, lives string
		// live reports whether there is a live object; err and caveat are parts of what is
		// said of it.
		live        bool
		err, caveat string
	}{
		"its object": {manifests: web, lives: object("ConfigMap", "default", "web"), live: true},
		"its object, by -n": {flags: input.Flags{Namespace: "a"}, manifests: web, lives: object("ConfigMap", "a", "web"),
			live: true},
		"its object, saved without":     {manifests: web, lives: web, live: true},
		"none of its kind":              {manifests: web, lives: object("Deployment", "", "web"), caveat: "no ConfigMap at all"},
		"a like name":                   {manifests: web, lives: object("ConfigMap", "", "wep"), caveat: "the live files have default/wep"},
		"none at all, others there":     {manifests: web, lives: object("ConfigMap", "", "other")},
		"another namespace, none named": {manifests: web, lives: object("ConfigMap", "b", "web"), err: "name it with -n b"},
		"another namespace, one named": {manifests: object("ConfigMap", "a", "web"), lives: object("ConfigMap", "b", "web"),
			err: "nothing of namespace a: fetch its objects (or --assume-absent)"},
		"another namespace, taken as none": {flags: input.Flags{AssumeAbsent: true}, manifests: object("ConfigMap", "a", "web"),
			lives: object("ConfigMap", "b", "web"), caveat: "Taken as absent (--assume-absent)"},
		"another namespace, for a create": {flags: input.Flags{Purpose: input.Purpose{Creates: true}},
			manifests: object("ConfigMap", "a", "web"), lives: object("ConfigMap", "b", "web"), caveat: "the live files have b/web"},
		"a list that is not all": {manifests: web, lives: "apiVersion: v1\nkind: List\nmetadata: {continue: x}\nitems: []\n",
			err: "whether it is live is not known"},
		"a live input that cannot be read": {manifests: web, lives: "a: [\n", err: "live.yaml, document 1"},
		"of another namespace than -n": {flags: input.Flags{Namespace: "a", Strict: true}, manifests: object("ConfigMap", "b", "web"),
			lives: object("ConfigMap", "b", "web"), live: true, err: `the manifest is of namespace "b", but --namespace is "a"`},
		"two live objects of one name": {manifests: web, lives: web + "---\n" + web + "data: {a: b}\n",
			err: "two live objects are ConfigMap default/web"},
		"not where the arguments are about": {flags: input.Flags{Purpose: input.Purpose{Wanted: []input.ObjectName{{Kind: "cm", Name: "web"}}}},
			manifests: web, lives: web},
	} {
		t.Run(name, func(t *testing.T) {
			pairs := loaded(t, c.flags, c.manifests, c.lives).Pairs()
			if len(c.flags.Wanted) > 0 {
				if len(pairs) != 0 {
					t.Errorf("%d pairs, want none", len(pairs))
				}
				return
			}
			p := pairs[0]
			if (p.Live != nil) != c.live || (p.Err == nil) != (c.err == "") ||
				p.Err != nil && !strings.Contains(p.Err.Error(), c.err) {
				t.Errorf("live %v, error %v, want live %v, %q", p.Live != nil, p.Err, c.live, c.err)
			}
			if said := saidOf(p.caveats); (said == "") != (c.caveat == "") || !strings.Contains(said, c.caveat) {
				t.Errorf("caveats %q, want %q", said, c.caveat)
			}
		})
	}
}

func saidOf(caveats []report.Caveat) string {
	var all []string
	for _, c := range caveats {
		all = append(all, c.Message)
	}
	return strings.Join(all, "\n")
}

// TestTwice: the second manifest of an object has an error, which names both.
func TestTwice(t *testing.T) {
	web := object("ConfigMap", "", "web")
	pairs := loaded(t, input.Flags{}, web+"---\n"+object("ConfigMap", "default", "web"), web).Pairs()
	if pairs[0].Err != nil || pairs[1].Err == nil || !strings.Contains(pairs[1].Err.Error(),
		"one at standard input, document 1: line 1, one at standard input, document 2: line 6") {
		t.Errorf("errors %v, %v", pairs[0].Err, pairs[1].Err)
	}
}

// TestNamed: arguments name live objects; a name that none has is met with what may be
// meant.
func TestNamed(t *testing.T) {
	lives := strings.Join(
		[]string{
			object("ConfigMap", "a", "web"), object("ConfigMap", "a", "api"),
			object("ConfigMap", "b", "web"), object("Deployment", "b", "web"),
		},
		"---\n",
	)
	for name, c := range map[string]struct {
		namespace, kind, named string
		want                   int
		err                    string
	}{
		"all":                      {want: 4},
		"of a namespace":           {namespace: "b", want: 2},
		"of a namespace with none": {namespace: "c", err: `no object in the namespace "c"; they have some in a, b`},
		"by kind and name":         {kind: "ConfigMap", named: "web", want: 2},
		"by resource":              {kind: "configmaps", named: "api", want: 1},
		"of a like name":           {kind: "configmap", named: "wen", err: "did you mean configmap/web?"},
		"of another name":          {kind: "configmap", named: "database", err: "they have api, web"},
		"of no kind":               {kind: "secret", named: "web", err: "they have ConfigMap, Deployment"},
		"in another namespace":     {namespace: "b", kind: "configmap", named: "api", err: "they have some in a: did you mean -n a?"},
	} {
		t.Run(name, func(t *testing.T) {
			var wanted []input.ObjectName
			if c.kind != "" {
				wanted = []input.ObjectName{{Kind: c.kind, Name: c.named}}
			}
			got, err := loaded(t, input.Flags{Namespace: c.namespace}, "", lives).Named(wanted)
			if len(got) != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("%d objects, %v, want %d, %q", len(got), err, c.want, c.err)
			}
		})
	}
}

// TestUnpaired: manifests without a live object are listed once, with what may be meant.
func TestUnpaired(t *testing.T) {
	c := loaded(t, input.Flags{}, "", object("ConfigMap", "a", "web"))
	documents, _ := manifest.Load(
		[]string{"-"},
		manifest.Options{Stdin: strings.NewReader(strings.Join([]string{object("ConfigMap", "a",
			"wed"), object("ConfigMap", "a", "wed"), object("Deployment", "a", "api")}, "---\n"))},
	)
	unpaired := c.Unpaired(documents)
	if len(unpaired) != 2 || !strings.Contains(unpaired[0].String(), "the live files have a/web") ||
		unpaired[1].Meant != "" {
		t.Errorf("unpaired are %v", unpaired)
	}
}
