package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
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

// noteWordKeys remarks on keys that are stored as true or false, which nobody means
// who writes y or on.
func (f *reader) noteWordKeys(raw []byte, line int) {
	for _, found := range wordKey.FindAllSubmatchIndex(raw, maxWordKeys) {
		at := line + bytes.Count(raw[:found[2]], newline)
		word := string(raw[found[2]:found[3]])
		f.opts.notice(f.source(at), fmt.Sprintf("YAML reads the key %s as %t: put it in quotes", word, strings.ContainsAny(word[:1], "yY") || strings.EqualFold(word, "on")))
	}
}

// maxWordKeys is how many of them are remarked on in a document.
const maxWordKeys = 10
