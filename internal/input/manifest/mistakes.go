package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/jsontree"
)

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
	errDiff  = errors.New("is a diff, as kubectl diff or ssactl diff prints it, not an object: give the manifest that it was made of")
	errPage  = errors.New("is a web page, not an object: the download gave a page, such as one to sign in or of an error; download the raw file")
	errTable = errors.New("is a table, as kubectl get prints it, not an object: add -o yaml --show-managed-fields to kubectl get")
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

const (
	tabIndents  = "a tab indents the line, and YAML takes spaces only: replace tabs (expand -t 2 FILE)"
	tabWithin   = "a tab stands where YAML takes spaces only: replace tabs (expand -t 2 FILE)"
	cannotBegin = "a value cannot begin with %c: put it in quotes"
)

// indentedByTab are lines with a tab before their text, or behind the dash of an
// item.
var indentedByTab = regexp.MustCompile(`^[ -]*\t`)

// tabbed explains the error of a YAML reader on a line, counted from 1, that has a
// tab in its indentation, or begins a value with what cannot; nil for others.
func tabbed(message string, raw []byte, n int) error {
	lines := bytes.Split(raw, newline)
	if n < 1 || n > len(lines) {
		return nil
	}
	line := lines[n-1]
	token := strings.Contains(message, "cannot start any token")
	switch {
	case indentedByTab.Match(line):
		return errors.New(tabIndents)
	case token && bytes.IndexByte(line, '\t') >= 0, strings.Contains(message, "found a tab character"):
		return errors.New(tabWithin)
	case token:
		if found := reserved.FindSubmatch(line); found != nil {
			return fmt.Errorf(cannotBegin, found[1][0])
		}
	}
	return nil
}

// reserved are the characters that YAML keeps for itself, at the begin of a value.
var reserved = regexp.MustCompile("(?:^|[:\\-,\\[{] *)([@`%])")

// misspelled says which of the keys of an object is meant by one that differs in
// nothing but its case; empty without.
func misspelled(asJSON []byte, meant string) string {
	var keys map[string]json.RawMessage
	if json.Unmarshal(asJSON, &keys) != nil {
		return ""
	}
	var found []string
	for key := range keys {
		if key != meant && strings.EqualFold(key, meant) {
			found = append(found, key)
		}
	}
	if len(found) == 0 {
		return ""
	}
	slices.Sort(found)
	return fmt.Sprintf(", but %s: did you mean %s?", found[0], meant)
}

// wordKey is a line whose key YAML reads as a boolean.
var wordKey = regexp.MustCompile(`(?m)^[ -]*(y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF) *:(?:\s|$)`)

// noteWordKeys remarks on keys that are stored as true or false, which is not what y or on
// is meant for.
func (f *reader) noteWordKeys(raw, asJSON []byte, line int) {
	if !bytes.Contains(asJSON, []byte(`"true":`)) && !bytes.Contains(asJSON, []byte(`"false":`)) {
		return
	}
	for _, found := range wordKey.FindAllSubmatchIndex(raw, max(maxWordKeys-f.wordKeys, 0)) {
		f.wordKeys++
		at := line + bytes.Count(raw[:found[2]], newline)
		word := string(raw[found[2]:found[3]])
		f.opts.notice(f.source(at), fmt.Sprintf("YAML reads the key %s as %t: put it in quotes", word, strings.ContainsAny(word[:1], "yY") || strings.EqualFold(word, "on")))
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
	errHelmHead    = errors.New("is what helm says of a release, not an object: give what helm template or helm get manifest prints")
	errHelmLine    = errors.New("helm install and helm upgrade print this line, and the notes of the chart, between or behind the manifests: give what helm template or helm get manifest prints")
	errToolMessage = errors.New("is a message of the program that wrote the input, not an object: see what it says, and keep its standard error out of the input (no 2>&1)")
)

// foreign explains, at its line, why a document that is no object is none: other
// programs have printed something into it. It is the given error for others.
func foreign(raw []byte, first int, err error) error {
	text := bytes.TrimLeft(raw, "-\r\n ")
	switch {
	case helmHead.Match(text):
		return &placed{first + bytes.Count(raw[:len(raw)-len(text)], newline), errHelmHead}
	case toolMessage.Match(text):
		return &placed{first + bytes.Count(raw[:len(raw)-len(text)], newline), errToolMessage}
	}
	if line := helmLineAt(raw, first); line > 0 {
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
