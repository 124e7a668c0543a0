package render

import (
	"strconv"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// look is how a field manager looks: the colour and the mark choose classes of
// the style sheet.
type look struct {
	Name        string
	Color, Mark string
}

// neutral is the colour of nobody, or of several.
var neutral = strconv.Itoa(managerColors)

// cast are the field managers of one object. Their looks hang on all objects of
// the page, which are not known yet: until then a token stands for each.
type cast struct {
	// names are those that were asked for, by the number of their tokens.
	names   []string
	numbers map[string]int
	// parts are what those who take part do.
	parts map[string]part
}

// part is what a field manager has to do with an object.
type part struct{ fields, conflicts int }

func newCast(r report.Result) *cast {
	c := &cast{numbers: map[string]int{}, parts: map[string]part{}}
	c.count(r.Manager, part{})
	for _, row := range r.Ownership {
		for _, w := range row.Managers {
			c.count(w.Manager, part{fields: 1})
		}
	}
	for _, conflict := range r.Conflicts {
		c.count(conflict.Manager, part{conflicts: 1})
	}
	for _, t := range r.Transfers {
		c.count(t.Manager, part{})
	}
	return c
}

func (c *cast) count(name string, more part) {
	now := c.parts[name]
	c.parts[name] = part{now.fields + more.fields, now.conflicts + more.conflicts}
}

// A token is a letter for colour or mark and a number, between two characters
// that no visible text has.
const (
	tokenStart, tokenEnd = "\x01", "\x02"
	colorToken           = "c"
	markToken            = "s"
)

// of gives the tokens of a field manager.
func (c *cast) of(name string) look {
	n, known := c.numbers[name]
	if !known {
		n = len(c.names)
		c.numbers[name], c.names = n, append(c.names, name)
	}
	number := strconv.Itoa(n) + tokenEnd
	return look{Name: managerName(name), Color: tokenStart + colorToken + number, Mark: tokenStart + markToken + number}
}

// dress puts the looks of the page in the places of the tokens of a cast.
func (p *people) dress(text string, c *cast) string {
	pairs := make([]string, 0, 4*len(c.names))
	for _, name := range c.names {
		tokens, m := c.of(name), p.of(name)
		pairs = append(pairs, tokens.Color, m.Color, tokens.Mark, m.Mark)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// writerView is one managed fields entry beside what it owns.
type writerView struct {
	look
	// Role is the operation and subresource, Since when it was last written;
	// both may be empty.
	Role, Since string
}

func (c *cast) writer(w report.Writer, o Options) writerView {
	v := writerView{look: c.of(w.Manager), Role: roleOf(w.Operation, w.Subresource)}
	if a := age(w.Time, o.Now); a != "" {
		v.Since = a + " ago"
	} else if w.Time != nil {
		v.Since = w.Time.UTC().Format("2006-01-02")
	}
	return v
}

// roleOf is what a managed fields entry is beside its manager.
func roleOf(operation, subresource string) string {
	if subresource != "" {
		operation += " of " + subresource
	}
	return visible(operation)
}
