package model

import "slices"

// Walk visits every text of a section, its own and those below it, in their
// order. Lines to copy and quoted ones are visited as Code and Plain.
func (s Section) Walk(visit func(Text)) {
	for _, b := range s.Before {
		walk(b, visit)
	}
	visit(s.Title)
	for _, b := range slices.Concat(s.Under, s.Blocks) {
		walk(b, visit)
	}
}

func walk(b Block, visit func(Text)) {
	switch b := b.(type) {
	case Paragraph:
		visit(b.Label)
		visit(b.Text)
	case List:
		for _, item := range b.Items {
			visit(item.Label)
			visit(item.Text)
			for _, below := range item.Blocks {
				walk(below, visit)
			}
		}
	case Table:
		for _, c := range b.Columns {
			visit(Say(c.Title))
		}
		for _, row := range b.Rows {
			for _, cell := range row {
				visit(cell)
			}
		}
	case Diff:
		for _, l := range b.Lines {
			visit(l.Text)
			visit(l.Note)
		}
	case Listing:
		for _, run := range b.Runs {
			for _, t := range slices.Concat(run.Margin, run.Lines) {
				visit(t)
			}
		}
	case Tree:
		walkNodes(b.Nodes, visit)
	case Command:
		visit(Text{Code.Of(b.Line)})
	case Quote:
		visit(Say(b.Text))
	case Section:
		b.Walk(visit)
	}
}

func walkNodes(nodes []Node, visit func(Text)) {
	for _, n := range nodes {
		visit(n.Text)
		visit(n.Note)
		walkNodes(n.Nodes, visit)
	}
}
