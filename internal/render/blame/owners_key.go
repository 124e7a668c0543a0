package blame

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
)

// letters names an entry in the margin of a layout: A to Z, then AA and so on.
func letters(entry int) string {
	name := ""
	for n := entry + 1; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

// claimLetters are the letters of claims, joined by +; those of claims that are
// only inside the field are in brackets.
func claimLetters(claims []owners.Claim) string {
	var out []string
	for _, c := range claims {
		s := letters(c.Entry)
		if c.Inside {
			s = "(" + s + ")"
		}
		out = append(out, s)
	}
	return strings.Join(out, "+")
}

// claimNames is the first of the managers, and how many others there are.
func (w Owner) claimNames(claims []owners.Claim) model.Text {
	others := map[string]bool{}
	for _, c := range claims {
		others[w.Of.Entries[c.Entry].Manager] = true
	}
	first := w.manager(claims[0].Entry)
	if len(others) == 1 {
		return first
	}
	return model.Textf("%v +%v", first, len(others)-1)
}

// manager is the name of an entry's field manager.
func (w Owner) manager(entry int) model.Text {
	if name := w.Of.Entries[entry].Manager; name != "" {
		return model.Text{model.Manager.Of(name)}
	}
	return model.Say(`""`)
}

// claimAge is the age of the youngest of the entries.
func (w Owner) claimAge(claims []owners.Claim) string {
	var youngest managedfields.Entry
	for _, c := range claims {
		e := w.Of.Entries[c.Entry]
		if e.Time != nil && (youngest.Time == nil || e.Time.After(*youngest.Time)) {
			youngest = e
		}
	}
	return w.age(youngest)
}

// age is that of an entry, its date where ages are left out, or a dash for an
// entry without a time.
func (w Owner) age(e managedfields.Entry) string {
	switch a := words.Age(e.Time, w.Now); {
	case a != "":
		return a
	case e.Time != nil:
		return e.Time.UTC().Format("2006-01-02")
	}
	return "-"
}

// operation is that of an entry with its subresource.
func operation(e managedfields.Entry) string {
	if e.Subresource != "" {
		return e.Operation + " of " + e.Subresource
	}
	return e.Operation
}

// otherVersion is the API version of an entry that was written at another one
// than the object is shown at; its paths are in terms of that version.
func (w Owner) otherVersion(e managedfields.Entry) string {
	if e.APIVersion == w.Of.Target.APIVersion {
		return ""
	}
	group, version := words.GroupVersion(e.APIVersion)
	if own, _ := words.GroupVersion(w.Of.Target.APIVersion); own == group {
		return "at " + version
	}
	return "at " + e.APIVersion
}

// legend says which letter is which entry, of those that are shown.
func (w Owner) legend() model.Table {
	t := model.Table{Apart: true, Columns: make([]model.Column, 5)}
	for _, s := range w.Of.Summaries() {
		e := w.Of.Entries[s.Entry]
		if s.Fields+s.Stale == 0 && len(s.Roots) == 0 && !w.Filter.Empty() {
			continue
		}
		t.Rows = append(t.Rows, []model.Text{
			{model.Strong.Of(letters(s.Entry))}, w.manager(s.Entry), model.Say(operation(e)), model.Say(w.age(e)),
			model.Say(strings.TrimSpace(words.Count(s.Fields, "field") + " " + w.otherVersion(e))),
		})
	}
	return t
}

// managers are the entries with their numbers, and the roots of what they own.
func (w Owner) managers() []model.Block {
	l := model.List{Apart: true}
	for _, s := range w.Of.Summaries() {
		if len(s.Roots) == 0 && !w.Filter.Empty() {
			continue
		}
		e := w.Of.Entries[s.Entry]
		role := strings.TrimSpace(operation(e) + " " + w.otherVersion(e))
		item := model.Item{Text: model.Textf("%v (%v), last write %v: %v", w.manager(s.Entry), role, w.lastWrite(e), numbers(s))}
		if len(s.Roots) > 0 {
			roots := page.Fields(s.Roots)
			roots.Shown = 0
			item.Blocks = []model.Block{roots}
		}
		l.Items = append(l.Items, item)
	}
	return []model.Block{l}
}

// numbers are those of an entry.
func numbers(s owners.Summary) string {
	parts := []string{words.Count(s.Fields, "field")}
	if s.Shared > 0 {
		parts = append(parts, fmt.Sprintf("%d shared", s.Shared))
	}
	if s.Stale > 0 {
		parts = append(parts, fmt.Sprintf("%d stale", s.Stale))
	}
	return strings.Join(parts, ", ")
}

// lastWrite is the time of an entry with its age.
func (w Owner) lastWrite(e managedfields.Entry) string {
	switch {
	case e.Time == nil:
		return "not recorded"
	case words.Age(e.Time, w.Now) == "":
		return w.age(e)
	}
	return words.Date(e.Time) + " (" + w.age(e) + ")"
}
