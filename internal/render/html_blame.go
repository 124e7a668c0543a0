package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/owners"
	"github.com/ssactl/ssactl/internal/report"
)

// blameView is an object as YAML, cut where its owners change.
type blameView struct {
	Groups []blameGroup
	// Stale are fields that are owned though the object does not have them.
	Stale []staleView
	// Unreadable tells why entries are missing.
	Unreadable []string
}

// blameGroup is a run of lines with the same owners. Without owners, Nobody
// says why.
type blameGroup struct {
	Owners []ownerView
	Nobody string
	Text   string
	key    string
}

// ownerView is an owner of lines; Inside is true for one that owns only parts
// of what is shown as one.
type ownerView struct {
	writerView
	Inside bool
}

// staleView is a field that the object does not have, and who owns it.
type staleView struct {
	Field  string
	Owners []ownerView
}

// Shared tells whether several own the lines.
func (g blameGroup) Shared() bool { return len(g.Owners) > 1 }

// Color is the class of the only owner's colour.
func (g blameGroup) Color() string {
	if len(g.Owners) == 1 {
		return g.Owners[0].Color
	}
	return neutral
}

// Blame is the ownership of the resulting object, of the live one for a
// refusal; nil where there is none.
func (v *objectView) Blame() (*blameView, error) {
	object := v.r.Object
	if v.Refused() {
		object = v.r.Live
	}
	if object == nil {
		return nil, nil
	}
	t := v.r.Target
	p := &blamePrinter{v: v, object: owners.New(t, report.Source{}, object, managedfields.Shape{})}
	if err := p.fields(p.object.Root, ""); err != nil {
		return nil, fmt.Errorf("blame %s: %w", v.Name(), err)
	}
	p.flush()
	view := &blameView{Groups: p.groups}
	for _, f := range p.object.Stale {
		view.Stale = append(view.Stale, staleView{visible(f.Name), p.owners(f)})
	}
	for _, e := range p.object.Entries {
		if e.Err != nil {
			view.Unreadable = append(view.Unreadable, visible(e.Err.Error()))
		}
	}
	if p.object.Err != nil {
		view.Unreadable = append(view.Unreadable, visible(p.object.Err.Error()))
	}
	return view, nil
}

// BlameTitle heads the blame view.
func (v *objectView) BlameTitle() string {
	if v.Refused() {
		return "Owners of the live object"
	}
	return "Owners after this write"
}

// blamePrinter writes the fields of an object as YAML, a group at a time.
type blamePrinter struct {
	v      *objectView
	object *owners.Object
	groups []blameGroup
	text   strings.Builder
	// opened are lines that only open a map or list: they go with the first
	// line inside.
	opened strings.Builder
	// dash is what the next line starts with instead of its indentation.
	dash string
}

// fields writes what is below a field.
func (p *blamePrinter) fields(f *owners.Field, indent string) error {
	for _, below := range f.Fields {
		if err := p.field(below, indent); err != nil {
			return err
		}
	}
	return nil
}

func (p *blamePrinter) field(f *owners.Field, indent string) error {
	switch {
	case f.End:
		text, err := fieldYAML(f)
		if err != nil {
			return err
		}
		p.add(f, indent, text)
		return nil
	case f.Item:
		p.dash = p.lead(indent) + "- "
		return p.fields(f, indent+"  ")
	}
	p.opened.WriteString(p.lead(indent) + yamlString(f.Key()) + ":\n")
	if !f.List() {
		indent += "  "
	}
	return p.fields(f, indent)
}

// lead is what a line starts with.
func (p *blamePrinter) lead(indent string) string {
	if p.dash != "" {
		indent, p.dash = p.dash, ""
	}
	return indent
}

// add writes the lines of a field to the group of its owners.
func (p *blamePrinter) add(f *owners.Field, indent, text string) {
	g := blameGroup{key: string(f.State)}
	for _, c := range f.Claims {
		g.key += fmt.Sprintf(" %d %t", c.Entry, c.Inside)
	}
	if len(p.groups) == 0 || p.groups[len(p.groups)-1].key != g.key {
		p.flush()
		g.Owners, g.Nobody = p.owners(f), whyNobody(f)
		p.groups = append(p.groups, g)
	}
	p.text.WriteString(p.opened.String())
	p.opened.Reset()
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if i == 0 {
			p.text.WriteString(p.lead(indent))
		} else {
			p.text.WriteString(indent)
		}
		p.text.WriteString(line + "\n")
	}
}

// flush gives the last group its lines.
func (p *blamePrinter) flush() {
	if len(p.groups) == 0 {
		return
	}
	p.groups[len(p.groups)-1].Text = p.text.String()
	p.text.Reset()
}

func (p *blamePrinter) owners(f *owners.Field) []ownerView {
	var out []ownerView
	for _, c := range f.Claims {
		e := p.object.Entries[c.Entry]
		out = append(out, ownerView{p.v.cast.writer(report.Writer{
			Manager: e.Manager, Operation: e.Operation, Subresource: e.Subresource, APIVersion: e.APIVersion, Time: e.Time,
		}, p.v.o), c.Inside})
	}
	return out
}

func whyNobody(f *owners.Field) string {
	switch f.State {
	case owners.Untracked:
		return "not tracked"
	case owners.Unowned:
		return "no owner"
	}
	return ""
}

// fieldYAML is a field with its key or dash, as YAML without indentation.
func fieldYAML(f *owners.Field) (string, error) {
	s, isText := f.Value.(string)
	if f.Whole || isText && strings.Contains(s, "\n") {
		if f.Item {
			return encodeYAML([]any{f.Value})
		}
		return encodeYAML(map[string]any{f.Key(): f.Value})
	}
	if f.Item {
		return "- " + scalar(f.Value), nil
	}
	return yamlString(f.Key()) + ": " + scalar(f.Value), nil
}
