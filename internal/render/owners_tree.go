package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/owners"
)

// treeLine is one line of the tree: what is on its left, and whose it is.
type treeLine struct {
	branch, label, value string
	claims               []owners.Claim
	unowned              bool
	context              bool
}

// tree shows the fields as branches. A branch whose owned fields all have the
// same owners is one line, unless all is asked for.
func (p *ownersPrinter) tree() {
	p.legend()
	lines := p.branches(p.of.Root, "")
	column := 0
	for _, l := range lines {
		column = max(column, columns(l.branch)+columns(l.label)+columns(l.value))
	}
	column = min(column, max(20, p.width-p.treeOwnerWidth(lines)-2))
	for _, l := range lines {
		p.treeLine(l, column)
	}
	p.staleLines()
}

func (p *ownersPrinter) treeLine(l treeLine, column int) {
	label := l.label + cut(l.value, max(3, column-columns(l.branch)-columns(l.label)))
	label = cut(label, max(8, column-columns(l.branch)))
	space := strings.Repeat(" ", max(0, column-columns(l.branch)-columns(label))+2)
	if l.context {
		label = p.faint(label)
	}
	owner := ""
	var more [][]owners.Claim
	switch {
	case len(l.claims) > 0:
		groups := p.letterGroups(l.claims)
		plain, coloured := p.claimLetters(groups[0])
		room := p.width - column - 2 - columns(plain) - 1
		owner = coloured + " " + p.paintNames(l.claims, p.treeNames(l.claims, room))
		more = groups[1:]
	case l.unowned:
		owner = "-"
	}
	p.line(p.faint(l.branch) + label + space + owner)
	stem := strings.NewReplacer("├─", "│ ", "└─", "  ").Replace(l.branch)
	for _, group := range more {
		_, coloured := p.claimLetters(group)
		p.line(p.faint(stem) + strings.Repeat(" ", max(0, column-columns(stem))+2) + coloured)
	}
}

// treeNames are names and age; on narrow terminals the letters do.
func (p *ownersPrinter) treeNames(claims []owners.Claim, room int) string {
	old := p.claimAge(claims)
	if p.width < namedWidth {
		return old
	}
	names := p.shortNames(claims, p.claimNames(claims), max(4, room-columns(old)-2))
	if old == "-" {
		return names
	}
	return names + ", " + old
}

func (p *ownersPrinter) treeOwnerWidth(lines []treeLine) int {
	width := 1
	for _, l := range lines {
		if len(l.claims) > 0 {
			plain, _ := p.claimLetters(p.letterGroups(l.claims)[0])
			width = max(width, columns(plain)+1+columns(p.treeNames(l.claims, p.width)))
		}
	}
	return min(width, p.width/2)
}

// branches are the lines below a field. What the server never tracks has no
// place in the tree.
func (p *ownersPrinter) branches(f *owners.Field, indent string) []treeLine {
	var shown []*owners.Field
	for _, below := range f.Fields {
		if tracked(below) {
			shown = append(shown, below)
		}
	}
	var out []treeLine
	for i, below := range shown {
		fork, stem := "├─ ", "│  "
		if i == len(shown)-1 {
			fork, stem = "└─ ", "   "
		}
		line, open := p.branch(below)
		line.branch = indent + fork
		out = append(out, line)
		if open {
			out = append(out, p.branches(below, indent+stem)...)
		}
	}
	return out
}

func tracked(f *owners.Field) bool {
	any := false
	f.Each(func(f *owners.Field) {
		any = any || !f.Context && (f.State == owners.Owned || f.State == owners.Unowned)
	})
	return any
}

// branch is the line of a field, and whether those below get theirs.
func (p *ownersPrinter) branch(f *owners.Field) (line treeLine, open bool) {
	line = treeLine{label: treeLabel(f), context: f.Context}
	if !f.Context {
		line.claims = f.Claims
	}
	if f.End {
		line.value = p.treeValue(f)
		line.unowned = f.State == owners.Unowned
		return line, false
	}
	b := survey(f)
	if p.o.Verbose || !b.uniform {
		return line, true
	}
	line.claims, line.unowned = b.claims, b.owned == 0
	if b.owned+b.unowned > 1 {
		line.value = ": " + b.String()
		return line, false
	}
	for !f.End {
		f = f.Fields[slices.IndexFunc(f.Fields, tracked)]
		if f.Key() != "" {
			line.label += "."
		}
		line.label += treeLabel(f)
	}
	line.value = p.treeValue(f)
	return line, false
}

// treeLabel is the last element of the path, as people read it.
func treeLabel(f *owners.Field) string {
	if key := f.Key(); key != "" {
		return yamlString(key)
	}
	return visible(f.Path[len(f.Path)-1].String())
}

func (p *ownersPrinter) treeValue(f *owners.Field) string {
	switch v := f.Value.(type) {
	case map[string]any:
		if f.Repeated {
			return " (repeated)"
		}
		if f.Whole {
			return fmt.Sprintf(": {…} (%s, one field)", count(len(v), "key"))
		}
		return ": {}"
	case []any:
		if f.Whole {
			return fmt.Sprintf(": […] (%s, one field)", count(len(v), "item"))
		}
		return ": []"
	}
	if f.Item {
		return ""
	}
	return ": " + cut(scalar(f.Value), 40)
}

// branchSurvey is what there is in a branch.
type branchSurvey struct {
	owned, unowned int
	// claims are those of the owned fields, where uniform says that they
	// all have the same, and that maps and items have no others.
	claims  []owners.Claim
	uniform bool
}

func (b branchSurvey) String() string {
	s := count(b.owned+b.unowned, "field")
	if b.owned > 0 && b.unowned > 0 {
		s += fmt.Sprintf(", %d unowned", b.unowned)
	}
	return s
}

func survey(f *owners.Field) branchSurvey {
	b := branchSurvey{uniform: true}
	var inner []*owners.Field
	var first *owners.Field
	f.Each(func(f *owners.Field) {
		switch {
		case f.Context:
		case !f.End:
			inner = append(inner, f)
		case f.State == owners.Unowned:
			b.unowned++
		case f.State == owners.Owned:
			b.owned++
			if first == nil {
				first = f
			}
			b.uniform = b.uniform && sameClaims(first, f)
		}
	})
	if first != nil {
		b.claims = first.Claims
	}
	for _, f := range inner {
		for _, c := range f.Claims {
			b.uniform = b.uniform && hasClaim(b.claims, c)
		}
	}
	return b
}

func hasClaim(claims []owners.Claim, want owners.Claim) bool {
	for _, c := range claims {
		if c.Entry == want.Entry {
			return true
		}
	}
	return false
}
