package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/program"
)

const howToGet = "kubectl get KIND NAME -o yaml --show-managed-fields"

var errKustomization = errors.New("is a Kustomization, which objects are built from: give its directory with -k")

// mistaken reports what a document is that people give by mistake; nil for an
// object.
func mistaken(file string, h head, asJSON []byte) error {
	switch {
	case isObject(asJSON):
	case bytes.HasPrefix(bytes.TrimSpace(asJSON), []byte("[")):
		return errors.New(
			"is an array, not an object: put its elements under items of a kind List, or one a line (jq -c '.[]')",
		)
	default:
		return errors.New("is a single value, not an object with apiVersion and kind")
	}
	switch {
	case h.Kind == "Table" && strings.HasPrefix(h.APIVersion, "meta.k8s.io/"):
		return errors.New("is a Table, which the API server makes for printing, not an object: use " + howToGet)
	case h.Kind == "Status" && h.APIVersion == "v1":
		return fmt.Errorf("is a Status, an answer of the API server (%q), not an object: use %s", h.message, howToGet)
	case h.Kind == "Kustomization" && strings.HasPrefix(h.APIVersion, "kustomize.config.k8s.io/"):
		return errKustomization
	case h.Kind != "" && strings.Count(h.APIVersion, "/") > 1:
		return fmt.Errorf("has the apiVersion %q, which is neither GROUP/VERSION nor v1", h.APIVersion)
	case h.Kind != "" && h.APIVersion != "":
		return nil
	}
	return incomplete(file, h, asJSON)
}

// incomplete reports what an object without kind or apiVersion may be.
func incomplete(file string, h head, asJSON []byte) error {
	var o map[string]json.RawMessage
	_ = json.Unmarshal(asJSON, &o) // of what is cut off, nothing is known
	isText := func(key string) bool { v := o[key]; return len(v) == 0 || v[0] == '"' || string(v) == "null" }
	switch {
	case !isText("kind"):
		return errors.New("has a kind that is no string: put it in quotes")
	case !isText("apiVersion"):
		return errors.New("has an apiVersion that is no string: put it in quotes")
	case h.Kind != "":
		return missingKey("apiVersion", o)
	}
	base := filepath.Base(file)
	switch {
	case h.object && slices.Contains([]string{"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"}, h.kindOf):
		return errors.New("is a watch event, not an object: use " + howToGet + " without --watch")
	case strings.TrimSuffix(strings.ToLower(base), filepath.Ext(base)) == "kustomization":
		return errKustomization
	case h.APIVersion == "" && strings.HasPrefix(base, "values"):
		return errors.New(
			program.In(
				"has neither apiVersion nor kind: it looks like values of a Helm chart; render the chart first (helm template CHART -f VALUES | ssactl … -f -)",
			),
		)
	}
	return missingKey("kind", o)
}

// missingKey is the error of an object without a key. One that differs in nothing but its
// case is meant to be it.
func missingKey(key string, o map[string]json.RawMessage) error {
	for _, other := range slices.Sorted(maps.Keys(o)) {
		if other != key && strings.EqualFold(other, key) {
			return fmt.Errorf("has no %s, but %s: did you mean %s?", key, other, key)
		}
	}
	return errors.New("has no " + key)
}

// outputs are how what is no YAML begins, as other programs print it.
var outputs = []struct {
	begins *regexp.Regexp
	err    error
}{
	{regexp.MustCompile(`^(?:diff [^\n]*\n(?:[^\n]*\n){0,4}?)?--- [^\n]*\n\+\+\+ `), errDiff},
	{regexp.MustCompile(`^\s*(?i:<!doctype html|<html|<head|<\?xml)`), errPage},
	{regexp.MustCompile(`^4\d\d: [A-Z][A-Za-z ]*\s*$`), errPage},
	{regexp.MustCompile(`^\s*(?:NAMESPACE +)?(?:NAME|LAST SEEN)(?: +[A-Z][A-Z0-9()_/-]*)* *\r?(?:\n|$)`), errTable},
}

var (
	errDiff = errors.New(
		"is a diff, as kubectl diff or ssactl diff prints it, not an object: give the manifest that it was made of",
	)
	errPage = errors.New(
		"is a web page, not an object: the download gave a page, such as one to sign in or of an error; download the raw file",
	)
	errTable = errors.New(
		"is a table, as kubectl get prints it, not an object: add -o yaml --show-managed-fields to kubectl get",
	)
)

// output says what a text is that another program has printed for people; nil for others.
func output(head []byte) error {
	for _, o := range outputs {
		if o.begins.Match(head) {
			return o.err
		}
	}
	return nil
}

// wordKey is a line whose key YAML reads as a boolean.
var wordKey = regexp.MustCompile(`(?m)^[ -]*(y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF) *:(?:\s|$)`)

// noteWordKeys remarks on keys of a YAML piece that are stored as true or false, which is
// not what y or on is meant for.
func (f *reader) noteWordKeys(p piece) {
	if p.plain || !bytes.Contains(p.json, []byte(`"true":`)) && !bytes.Contains(p.json, []byte(`"false":`)) {
		return
	}
	for _, found := range wordKey.FindAllSubmatchIndex(p.raw, max(maxWordKeys-f.wordKeys, 0)) {
		f.wordKeys++
		at := p.line + bytes.Count(p.raw[:found[2]], newline)
		word := string(p.raw[found[2]:found[3]])
		isTrue := strings.ContainsAny(word[:1], "yY") || strings.EqualFold(word, "on")
		f.opts.notice(f.source(at), fmt.Sprintf("YAML reads the key %s as %t: put it in quotes", word, isTrue))
	}
}

// maxWordKeys is how many of them are remarked on in a document.
const maxWordKeys = 10

// What helm prints around the manifests of a release: its head before them, lines
// between them and the chart's notes, and messages in front of all of it.
var (
	helmHead    = regexp.MustCompile(`\A(?:Release "[^\n]*\n)?NAME: [^\n]*\n(?:[A-Z ]+: ?[^\n]*\n)*`)
	helmLine    = regexp.MustCompile(`(?m)^(?:NOTES|MANIFEST|HOOKS):[ \t\r]*$`)
	toolMessage = regexp.MustCompile(`\A(?:WARNING|Warning|Error|error|Pulled|Error from server[^\n:]*): `)
)

var (
	errHelmHead = errors.New(
		"is what helm says of a release, not an object: give what helm template or helm get manifest prints",
	)
	errHelmLine = errors.New(
		"helm install and helm upgrade print this line, and the notes of the chart, between or behind the manifests: give what helm template or helm get manifest prints",
	)
	errToolMessage = errors.New(
		"is a message of the program that wrote the input, not an object: see what it says, and keep its standard error out of the input (no 2>&1)",
	)
)

// foreign explains, at its line, why a document that is no object is none: other
// programs have printed something into it. It is the given error for others.
func foreign(raw []byte, first int, err error) error {
	text := bytes.TrimLeft(raw, "-\r\n ")
	begin := first + bytes.Count(raw[:len(raw)-len(text)], newline)
	switch line := helmLineAt(raw, first); {
	case helmHead.Match(text):
		return &placed{begin, errHelmHead}
	case toolMessage.Match(text):
		return &placed{begin, errToolMessage}
	case line > 0:
		return &placed{line, errHelmLine}
	}
	return err
}

// helmLineAt is the first line of a document that helm has printed into it; 0 for none.
func helmLineAt(raw []byte, first int) int {
	for _, word := range []string{"NOTES:", "MANIFEST:", "HOOKS:"} {
		if !bytes.Contains(raw, []byte(word)) {
			continue
		}
		if at := helmLine.FindIndex(raw); at != nil {
			return first + bytes.Count(raw[:at[0]], newline)
		}
	}
	return 0
}

var newline = []byte{'\n'}

// Nameless says what a document is or has that gives no name, as the end of a sentence:
// "has no metadata.name".
func (d Document) Nameless() string {
	object, _ := jsontree.Decode(d.JSON())
	metadata, _ := object["metadata"].(map[string]any)
	switch name := metadata["name"].(type) {
	case bool, int64, float64:
		return fmt.Sprintf("has %v as its metadata.name, which is no string: put it in quotes", name)
	case []any, map[string]any:
		return "has a metadata.name that is no string"
	}
	_, items := object["items"].([]any)
	_, wraps := object["object"].(map[string]any)
	switch {
	case d.GenerateName != "":
		return "has no metadata.name, and generateName works only with create"
	case strings.HasSuffix(d.Kind, "List") && items:
		return "is a List inside of a List: put its items into the outer one"
	case strings.EqualFold(d.Kind, "List"):
		return "is a list without items: its kind is List, and its objects stand under items"
	case wraps:
		return "wraps an object: give what stands under its key object"
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if key == "metadata" || !strings.EqualFold(key, "metadata") {
			continue
		}
		line, _ := Locate(d, fieldpath.MakePathOrDie(key))
		return fmt.Sprintf("has no metadata, but %s at line %d: did you mean metadata?", key, line)
	}
	return "has no metadata.name"
}
