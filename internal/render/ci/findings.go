package ci

import (
	"cmp"
	"slices"

	"github.com/ssactl/ssactl/internal/render/model"
)

// unreadable is the rule of inputs that gave no object.
var unreadable = model.Rule{
	ID: "ssactl/unreadable-input", Name: "UnreadableInput", Level: model.Error,
	Short: "An input file has no object that could be read.",
	Help: "A manifest or a file with live objects cannot be read, or is not YAML or JSON of a Kubernetes object. " +
		"The other inputs were still answered. Correct the file at the reported line.",
}

// advice is the message of a finding, and what fixes it.
func advice(f model.Finding) string {
	if f.Fix == "" {
		return f.Message
	}
	return f.Message + "\nTo fix it: " + f.Fix
}

// kind is what findings are kept by.
type kind struct {
	level model.Level
	rule  int
}

// findings collect what a document has to say, by level and rule.
type findings struct {
	head model.Head
	// rules are the document's, behind that of unreadable inputs.
	rules  []model.Rule
	byKind map[kind][]model.Finding
	// counts are those of all findings; most bounds how many of a kind are
	// kept, 0 for no bound.
	counts map[kind]int
	most   int
}

// Begin takes what is known before the first section.
func (l *findings) Begin(h model.Head) error {
	l.head, l.rules = h, append([]model.Rule{unreadable}, h.Rules...)
	l.byKind, l.counts = map[kind][]model.Finding{}, map[kind]int{}
	for _, p := range h.Problems {
		l.add(model.Finding{Rule: unreadable.ID, File: p.File, Line: p.Line, Title: "Unreadable input", Message: p.Message,
			Identity: []string{unreadable.ID, "", "", "", "", "", "", "", p.File, p.Message}})
	}
	return nil
}

// Part takes the findings of a section; several may be taken at once.
func (l *findings) Part(s model.Section) (any, error) { return s.Findings, nil }

// Add takes those of the next section.
func (l *findings) Add(part any) error {
	for _, f := range part.([]model.Finding) {
		l.add(f)
	}
	return nil
}

func (l *findings) add(f model.Finding) {
	k := kind{f.Level, l.index(f.Rule)}
	if l.counts[k]++; l.most == 0 || l.counts[k] <= l.most {
		l.byKind[k] = append(l.byKind[k], f)
	}
}

// index is the place of a rule among the document's.
func (l *findings) index(id string) int {
	return slices.IndexFunc(l.rules, func(r model.Rule) bool { return r.ID == id })
}

// kinds are those with findings, the most important first: by
// level, then by rule.
func (l *findings) kinds() []kind {
	var out []kind
	for k := range l.counts {
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b kind) int { return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.rule, b.rule)) })
	return out
}
