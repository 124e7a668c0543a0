package edit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/test/widget"
)

// key is the element of a keyed list item.
func key(namesAndValues ...any) fieldpath.PathElement {
	return fieldpath.KeyElementByFields(namesAndValues...)
}

// item is the element of a set's item.
func item(v any) fieldpath.PathElement {
	return fieldpath.ValueElement(value.NewValueInterface(v))
}

// path makes a path of names, positions and elements.
func path(parts ...any) fieldpath.Path { return fieldpath.MakePathOrDie(parts...) }

const deployment = `# Web front end.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web   # the name
  labels:
    # which app
    app: "web"
    'a/b': 'c'
spec:
  # the autoscaler's
  # business

  # how many
  replicas: 3  # three
  template:
    spec:
      containers:
      - name: main
        image: "nginx:1"   # pinned
        ports:
        - containerPort: 80
        - containerPort: 80
          protocol: UDP
        # the second
        args: ["a", 'b',
          c]
      - # helper
        image: busybox
        name: side
        command:
          - sh
          - -c
          - |
            # not a comment
            echo hi

        # inside side
      nodeSelector: {disk: ssd, "zone": a}
  # strategy: below
  strategy:
    type: Recreate
    # deeper comment
`

func TestRemove(t *testing.T) {
	containers := []any{"spec", "template", "spec", "containers"}
	in := func(parts ...any) fieldpath.Path { return path(append(append([]any{}, containers...), parts...)...) }
	tests := []struct {
		name string
		path fieldpath.Path
		// gone is cut out of the deployment, and came put in its place.
		gone, came string
	}{
		{"scalar with its comments", path("spec", "replicas"), "  # how many\n  replicas: 3  # three\n", ""},
		{"head comment of the first field", path("metadata", "labels", "app"), "    # which app\n    app: \"web\"\n", ""},
		{"quoted key", path("metadata", "labels", "a/b"), "    'a/b': 'c'\n", ""},
		{
			"last field with a deeper comment below", path("spec", "strategy"),
			"  # strategy: below\n  strategy:\n    type: Recreate\n    # deeper comment\n", "",
		},
		{
			"only field takes its parent along", path("spec", "strategy", "type"),
			"  # strategy: below\n  strategy:\n    type: Recreate\n    # deeper comment\n", "",
		},
		{"field behind a dash", in(key("name", "main"), "name"), "- name: main\n        image", "- image"},
		{"field behind a dash and a comment", in(key("name", "side"), "image"), "        image: busybox\n", ""},
		{
			"keyed item by its default",
			in(key("name", "main"), "ports", key("containerPort", 80, "protocol", "TCP")),
			"        - containerPort: 80\n        - containerPort: 80\n          protocol: UDP",
			"        - containerPort: 80\n          protocol: UDP",
		},
		{
			"keyed item",
			in(key("name", "main"), "ports", key("containerPort", 80, "protocol", "UDP")),
			"        - containerPort: 80\n          protocol: UDP\n",
			"",
		},
		{
			"list item",
			in(key("name", "main")),
			deployment[strings.Index(deployment, "      - name: main"):strings.Index(deployment, "      - # helper")],
			"",
		},
		{
			"last list item with comments inside",
			in(key("name", "side")),
			deployment[strings.Index(deployment, "      - # helper"):strings.Index(deployment, "      nodeSelector")],
			"",
		},
		{
			"block scalar item",
			in(key("name", "side"), "command", 2),
			"          - |\n            # not a comment\n            echo hi\n",
			"",
		},
		{
			"atomic list in brackets",
			in(key("name", "main"), "args"),
			"        # the second\n        args: [\"a\", 'b',\n          c]\n",
			"",
		},
		{"first item in brackets", in(key("name", "main"), "args", item("a")), "\"a\", ", ""},
		{"last item in brackets", in(key("name", "main"), "args", 2), ",\n          c]", "]"},
		{"field in braces", path("spec", "template", "spec", "nodeSelector", "zone"), ", \"zone\": a", ""},
		{"first field in braces", path("spec", "template", "spec", "nodeSelector", "disk"), "disk: ssd, ", ""},
		{
			"mapping in braces", path("spec", "template", "spec", "nodeSelector"),
			"      nodeSelector: {disk: ssd, \"zone\": a}\n", "",
		},
		{"whole spec", path("spec"), deployment[strings.Index(deployment, "spec:"):], ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(deployment, tt.gone) {
				t.Fatalf("the deployment does not have %q", tt.gone)
			}
			for _, newline := range []string{"\n", "\r\n"} {
				lines := strings.NewReplacer("\n", newline)
				doc, err := Document([]byte(lines.Replace(deployment)))
				if err != nil {
					t.Fatal(err)
				}
				if err := doc.Remove(tt.path); err != nil {
					t.Fatal(err)
				}
				want := lines.Replace(strings.Replace(deployment, tt.gone, tt.came, 1))
				if diff := cmp.Diff(want, string(doc.Bytes())); diff != "" {
					t.Errorf("text (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestRemoveInOtherLayouts(t *testing.T) {
	tests := []struct {
		name, text string
		path       fieldpath.Path
		want       string
	}{
		{"compact JSON", `{"a":{"b":1,"c":2}}`, path("a", "b"), `{"a":{"c":2}}`},
		{"JSON of lines, last", "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  }\n}\n", path("b", "c"), "{\n  \"a\": 1\n}\n"},
		{
			"JSON of tabs, first", "{\n\t\"a\": 1,\n\t\"b\": \"\\ud83d\\ude00\"\n}", path("a"),
			"{\n\t\"b\": \"\\ud83d\\ude00\"\n}",
		},
		{"empty parents removed", "x: 1\na:\n  b:\n    c:\n    - d: 1\n", path("a", "b", "c", 0, "d"), "x: 1\n"},
		{
			"metadata stays, with its comment",
			"kind: X\nmetadata: # why\n  labels: # here\n    # more\n    a: b\ny: 2\n",
			path("metadata", "labels", "a"), "kind: X\nmetadata: {} # why\ny: 2\n",
		},
		{
			"metadata stays, in braces", "kind: X\nmetadata: { labels: {a: b} } # c\n",
			path("metadata", "labels", "a"), "kind: X\nmetadata: {} # c\n",
		},
		{
			"metadata stays", "kind: X\nmetadata:\n  labels:\n    a: b\n", path("metadata", "labels", "a"),
			"kind: X\nmetadata: {}\n",
		},
		{"the only field", "a: 1\n", path("a"), "{}\n"},
		{"separator and end marker", "# head\n---\na: 1\nb: 2\n...\n", path("b"), "# head\n---\na: 1\n...\n"},
		{"byte order mark", "\uFEFFa: 1\nb: 2\n", path("a"), "\uFEFFb: 2\n"},
		{"no final line break", "a: 1\nb: 2", path("b"), "a: 1\n"},
		{"unused anchor", "a: &x 1\nb: 2\n", path("a"), "b: 2\n"},
		{"anchor used inside only", "a:\n- &x 1\n- *x\nb: 2\n", path("a"), "b: 2\n"},
		{"alias", "a: &x 1\nb: *x\n", path("b"), "a: &x 1\n"},
		{
			"beside anchors", "a: &x {c: 1}\nb: *x\nd:\n  <<: *x\n  e: 1\n  f: 2\n", path("d", "e"),
			"a: &x {c: 1}\nb: *x\nd:\n  <<: *x\n  f: 2\n",
		},
		{"null", "a:\nb:\n  c: ~\n  d: 1\n", path("a"), "b:\n  c: ~\n  d: 1\n"},
		{"kept line breaks", "a: |+\n  x\n\n\nb: 2\n", path("a"), "b: 2\n"},
		{"folded, several lines", "a: >-\n  x\n  y\n\n# c\nb: 2\n", path("a"), "\n# c\nb: 2\n"},
		{"plain, several lines", "a: x\n  y # c\nb: 2\n", path("a"), "b: 2\n"},
		{"quoted, several lines", "a: \"x\n  # y\n\n  \\\"z\" # c\nb: 2\n", path("a"), "b: 2\n"},
		{
			"comment of the next moves up to the dash", "l:\n- a: 1 # one\n  # two\n  b: 2\n",
			path("l", 0, "a"), "l:\n- # two\n  b: 2\n",
		},
		{"nested dashes", "l:\n- - 1\n  - 2\n", path("l", 0, 0), "l:\n- - 2\n"},
		{
			"comments in brackets", "l: [\n  a, # of a\n  # above b\n  b, # of b\n  c # of c\n]\n",
			path("l", 0), "l: [\n  # above b\n  b, # of b\n  c # of c\n]\n",
		},
		{
			"a key that an item lacks",
			"l:\n- m: 1\n- m: 2\n  z: b\n",
			path("l", key("m", 1, "z", "a")),
			"l:\n- m: 2\n  z: b\n",
		},
		{
			"workflow braces", "a: x {{inputs.name}}\nb: \"{{ .Values.c }}\"\nc: 1\n", path("c"),
			"a: x {{inputs.name}}\nb: \"{{ .Values.c }}\"\n",
		},
		{"wide characters", "ä: {ö: ü, é: 1}\nb: 2\n", path("ä", "ö"), "ä: {é: 1}\nb: 2\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := Document([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if err := doc.Remove(tt.path); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(doc.Bytes())); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRemoveRefuses(t *testing.T) {
	tests := []struct {
		name, text string
		path       fieldpath.Path
		reason     Reason
		line       int
	}{
		{"shared anchor", "a:\n  b: &x 1\nc: *x\n", path("a", "b"), SharedAnchor, 2},
		{"inside a shared anchor", "a: &x\n  b: 1\n  d: 2\nc: *x\n", path("a", "b"), SharedAnchor, 1},
		{"around a shared anchor", "a:\n  b: &x 1\nc: *x\n", path("a"), SharedAnchor, 2},
		{"through an alias", "a: &x {b: 1}\nc: *x\n", path("c", "b"), ThroughAlias, 2},
		{"merged", "a: &x {b: 1}\nc:\n  <<: *x\n", path("c", "b"), MergeKey, 3},
		{"hides a merged field", "a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n", path("c", "b"), NotProved, 4},
		{"template", "a: 1\nb: x {{ .Values.b }}\n", path("a"), Template, 1},
		{"template in a comment", "a: 1\n# {{- if .Values.b }}\nb: 1\n", path("a"), Template, 1},
		{"repeated key", "a: 1\nb: 2\na: 3\n", path("a"), DuplicateKey, 1},
		{"apiVersion", "apiVersion: v1\n", path("apiVersion"), Required, 1},
		{"kind", "kind: X\n", path("kind"), Required, 1},
		{"name", "kind: X\nmetadata:\n  name: x\n", path("metadata", "name"), Required, 3},
		{"metadata", "kind: X\nmetadata:\n  name: x\n", path("metadata"), Required, 3},
		{"everything", "kind: X\n", path(), Required, 1},
		{"not there", "kind: X\nspec:\n  a: 1\n", path("spec", "b"), NotFound, 3},
		{"no such item", "l:\n- a: 1\n", path("l", key("a", 2)), NotFound, 2},
		{"not a list", "l: {a: 1}\n", path("l", 0), WrongKind, 1},
		{"not a mapping", "l: [1]\n", path("l", "a"), WrongKind, 1},
		{"repeated item", "l:\n- a: 1\n- a: 1\n", path("l", key("a", 1)), Ambiguous, 2},
		{"explicit key", "? a\n: 1\nb: 2\n", path("a"), OddLayout, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := Document([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			err = doc.Remove(tt.path)
			want := &RefusedError{Path: tt.path, Reason: tt.reason, Line: tt.line}
			if diff := cmp.Diff(error(want), err); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.text, string(doc.Bytes())); diff != "" {
				t.Errorf("the text has changed (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDocumentRefuses(t *testing.T) {
	tests := []struct{ name, text, message string }{
		{"empty", "# nothing\n", "parse: no mapping"},
		{"list", "- a\n", "parse: no mapping"},
		{"two documents", "a: 1\n---\nb: 1\n", "parse: more than one document"},
		{"template", "{{ if .x }}\na: 1\n{{ end }}\n", "parse template: "},
		{"template in place of a value", "a: 1\nb: {{ x }}\n", "parse template: "},
		{"keys of one field", "y: 1\n\"true\": 2\n", "parse: several keys"},
		{"tab", "a:\n\tb: 1\n", "parse: "},
		{"unknown alias", "a: *b\n", "parse: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Document([]byte(tt.text))
			if err == nil || !strings.HasPrefix(err.Error(), tt.message) {
				t.Errorf("error %v, want %q", err, tt.message)
			}
		})
	}
}

// TestShapeKnowsItems: which item a key means is the schema's to say, here that a
// port without protocol is one of TCP.
func TestShapeKnowsItems(t *testing.T) {
	const list = "spec:\n  ports:\n  - port: 53\n  - port: 53\n    protocol: UDP\n"
	for _, test := range []struct {
		name, text, protocol, want string
		at                         fieldpath.Path
	}{
		{"the default", list, "TCP", "spec:\n  ports:\n  - port: 53\n    protocol: UDP\n", nil},
		{"written out", list, "UDP", "spec:\n  ports:\n  - port: 53\n", nil},
		{"of an item", "items:\n- spec:\n    ports:\n    - port: 53\n    - port: 53\n      protocol: UDP\n", "TCP",
			"items:\n- spec:\n    ports:\n    - port: 53\n      protocol: UDP\n", path("items", 0)},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc, err := Document([]byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			doc.Within(test.at, managedfields.ShapeOf(widget.Type(t)))
			if err := doc.Remove(append(test.at.Copy(), path("spec", "ports", key("port", 53, "protocol", test.protocol))...)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(doc.Bytes())); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
