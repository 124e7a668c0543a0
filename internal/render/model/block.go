package model

import "slices"

// Block is a part of a section: a Paragraph, List, Table, Diff, Listing, Tree,
// Command, Quote, or a Section below it.
type Block interface{ block() }

// Paragraph is a text that is wrapped where a format wraps. A label stands
// before it, and lines after the first hang behind the label.
type Paragraph struct {
	Label, Text Text
	// Apart begins something else: an empty line stands before it.
	Apart bool
}

// List is items one below the other.
type List struct {
	// Marked items are sentences of their own, each with a mark before it.
	Marked bool
	// Numbered items are steps, one after the other, each with its number.
	Numbered bool
	// Apart items are long: an empty line stands before each.
	Apart bool
	Items []Item
	// Shown is how many items are enough where a format folds; 0 for all.
	Shown int
}

// Item is one of a list. The labels of a list make a column.
type Item struct {
	Label, Text Text
	// Blocks are what there is to say of it.
	Blocks []Block
}

// Table has rows of as many cells as there are columns.
type Table struct {
	// Apart is a table that an empty line stands before.
	Apart bool
	// Columns may all be without title: then there is no header.
	Columns []Column
	Rows    [][]Text
	// Shown is how many rows are enough where a format folds; 0 for all.
	Shown int
}

// Column is one of a table.
type Column struct {
	Title string
	// Right aligns numbers.
	Right bool
	// Whole cells are never shortened: one that does not fit has a line of its
	// own.
	Whole bool
}

// Diff is a difference, line by line.
type Diff struct {
	// Old and New name the two sides; both may be empty.
	Old, New string
	Lines    []DiffLine
	// Shown is how many lines are enough where a format folds; 0 for all.
	Shown int
}

// LineKind is what a line of a difference is.
type LineKind uint8

// The kinds of lines. A Place names where the lines after it stand.
const (
	Same LineKind = iota
	Added
	Removed
	Place
	// Altered is a field with another value than before.
	Altered
)

// Sign is what a line of a difference begins with.
func (k LineKind) Sign() string {
	return [...]string{Same: " ", Added: "+", Removed: "-", Place: "", Altered: "~"}[k]
}

// DiffLine is one line. Strong spans in it are the words that differ.
type DiffLine struct {
	Kind LineKind
	Text Text
	// Note is said of the line at its side, such as who owns it.
	Note Text
}

// Listing is a text, such as an object in YAML, whose runs of lines each have
// something at their side, such as who owns them.
type Listing struct {
	Runs []Run
	// Shown is how many lines of a run are enough where a format folds; 0 for
	// all.
	Shown int
}

// Run is lines with one margin, whose cells make columns.
type Run struct {
	Margin []Text
	Lines  []Text
}

// Tree is nodes below each other.
type Tree struct{ Nodes []Node }

// Node is one of a tree.
type Node struct {
	Text  Text
	Note  Text
	Nodes []Node
}

// Command is a line to copy: it is never wrapped or shortened. An empty one is none.
type Command struct{ Line string }

// Quote is somebody else's words, such as the API server's: word for word, line
// for line, never wrapped.
type Quote struct{ Text string }

func (Paragraph) block() {}
func (List) block()      {}
func (Table) block()     {}
func (Diff) block()      {}
func (Listing) block()   {}
func (Tree) block()      {}
func (Command) block()   {}
func (Quote) block()     {}
func (Section) block()   {}

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
		walkItems(b.Items, visit)
	case Table:
		walkCells(b, visit)
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

func walkItems(items []Item, visit func(Text)) {
	for _, item := range items {
		visit(item.Label)
		visit(item.Text)
		for _, below := range item.Blocks {
			walk(below, visit)
		}
	}
}

func walkCells(t Table, visit func(Text)) {
	for _, c := range t.Columns {
		visit(Say(c.Title))
	}
	for _, row := range t.Rows {
		for _, cell := range row {
			visit(cell)
		}
	}
}

func walkNodes(nodes []Node, visit func(Text)) {
	for _, n := range nodes {
		visit(n.Text)
		visit(n.Note)
		walkNodes(n.Nodes, visit)
	}
}
