package render

import (
	"bufio"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/input/packed"
	"github.com/ssactl/ssactl/internal/report"
)

// htmlStream makes the page's part of each object when it comes, and holds
// those, as the page begins with what is known at the end.
type htmlStream struct {
	w        io.Writer
	o        Options
	template *template.Template
	page     page
	people   *people
	// kinds are the places of names in page.Kinds.
	kinds  map[string]int
	groups map[report.Outcome][]*objectRow
	// hold is how many more bytes of parts are held as they are; those after
	// them are packed.
	hold  int
	store packed.Store
}

// htmlPart is what the page says of one object.
type htmlPart struct {
	text    string
	kind    string
	outcome report.Outcome
	// place says where the part may be held.
	place packed.Place
	cast  *cast
}

// Begin implements Stream.
func (s *htmlStream) Begin(Start) error {
	t, err := htmlTemplates().Clone()
	if err != nil {
		return fmt.Errorf("copy the page's template: %w", err)
	}
	s.template, s.groups = t, map[report.Outcome][]*objectRow{}
	return nil
}

// Part implements Stream.
func (s *htmlStream) Part(r report.Result) (Part, error) {
	part := htmlPart{kind: kindName(r.Target), outcome: r.Outcome, cast: newCast(r)}
	if r.Target.Kind == "Secret" {
		part.place = packed.InMemory
	}
	var b strings.Builder
	err := s.template.ExecuteTemplate(&b, "object", &objectView{r: &r, o: s.o, cast: part.cast, Sign: signOf(r.Outcome)})
	part.text = b.String()
	return part, err
}

// Add implements Stream.
func (s *htmlStream) Add(p Part) error {
	part := p.(htmlPart)
	s.people.meet(part.cast)
	kind, known := s.kinds[part.kind]
	if !known {
		kind = len(s.page.Kinds)
		s.kinds[part.kind], s.page.Kinds = kind, append(s.page.Kinds, part.kind)
	}
	s.page.objects++
	row := &objectRow{page: &s.page, people: s.people, cast: part.cast, Number: s.page.objects, Kind: kind, outcome: part.outcome}
	if s.hold -= len(part.text); s.hold >= 0 {
		row.text = part.text
	} else {
		row.packed = s.store.Put([]byte(part.text), part.place)
	}
	s.groups[part.outcome] = append(s.groups[part.outcome], row)
	return nil
}

// pageHeld is the hold of a page.
const pageHeld = 16 << 20

// End implements Stream.
func (s *htmlStream) End(e Ending) error {
	s.people.rank()
	s.page.end(e.Report, s.o, s.people, s.groups)
	b := bufio.NewWriterSize(s.w, pageChunk)
	if err := s.template.Execute(b, &s.page); err != nil {
		return err
	}
	return b.Flush()
}

// pageChunk is how much of a page is written at once.
const pageChunk = 64 << 10

// objectRow is an object's place on the page.
type objectRow struct {
	page   *page
	people *people
	cast   *cast
	// Number counts from 1 in the report's order, and names the object in
	// links.
	Number int
	// Kind is an index of the page's kinds.
	Kind    int
	outcome report.Outcome
	// text is the part, unless it is packed.
	text   string
	packed packed.JSON
}

// Open unfolds the object at first.
func (o *objectRow) Open() bool {
	return o.page.objects == 1 || o.outcome.Refused() && refusals(o.page.Summary) <= unfolded
}

// ManagerNumbers are those of the managers that take part, for the filter.
func (o *objectRow) ManagerNumbers() string { return o.people.numbers(o.cast) }

// Body is the object's part with the looks of its managers, which the template
// has escaped before.
func (o *objectRow) Body() template.HTML {
	text := o.text
	if !o.packed.Empty() {
		text = string(o.packed.Text())
	}
	return template.HTML(o.people.dress(text, o.cast))
}
