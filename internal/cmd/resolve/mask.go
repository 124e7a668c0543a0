package resolve

import (
	"bytes"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/disguise"
	"github.com/ssactl/ssactl/internal/document"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/textdiff"
)

// diffContext is how many unchanged lines a hunk has on each side.
const diffContext = 3

// Masking says whether the values of Secrets are shown.
type Masking int

// The ways of showing Secrets. MaskSecrets masks their values.
const (
	MaskSecrets Masking = iota
	ShowSecrets
)

// Derived are the fields of objects that were made from values of Secrets.
type Derived map[manifest.Identity][]disguise.Path

// derivedIn are those of inputs.
func derivedIn(inputs []Input) Derived {
	out := Derived{}
	for _, in := range inputs {
		if in.Document.Derived != nil {
			out[in.Document.Identity] = in.Document.Derived
		}
	}
	return out
}

// Diff is a unified difference of two texts of a manifest file; empty for none.
func Diff(name string, former, text []byte, masking Masking, derived Derived) string {
	return textdiff.Unified(name, name, hunks(former, text, masking, derived))
}

// hunks are the lines that differ between two texts of manifests; nil for none.
// With masks they show what changes, but do not apply to lines with a mask.
func hunks(former, text []byte, masking Masking, derived Derived) []textdiff.Hunk {
	out := textdiff.Lines(string(former), string(text), diffContext)
	if masking == ShowSecrets || len(out) == 0 {
		return out
	}
	before, after := MaskedLines(former, derived), MaskedLines(text, derived)
	for i := range out {
		h := &out[i]
		h.Lines = slices.Clone(h.Lines)
		old, new := h.OldStart-1, h.NewStart-1
		for n := range h.Lines {
			line := &h.Lines[n]
			if line.Kind == textdiff.Insert {
				line.Text = after[new]
			} else {
				line.Text = before[old]
			}
			if line.Kind != textdiff.Insert {
				old++
			}
			if line.Kind != textdiff.Delete {
				new++
			}
		}
	}
	return out
}

// mask stands for what a Secret keeps.
const mask = "***"

// MaskedLines are the lines of a manifest file with the values of Secrets, and of fields that were made from
// them, masked, each with its line end; the others are as they are. There are as
// many as the text has newlines, and one for what follows the last. What
// cannot be read but may have Secrets is masked whole.
func MaskedLines(text []byte, derived Derived) []string {
	m := &masking{text: text, derived: derived}
	for start := 0; start < len(text); {
		end := len(text)
		if i := bytes.Index(text[start:], []byte("\n---")); i >= 0 {
			end = start + i + 1
		}
		m.document(start, end)
		start = end
	}
	return m.lines()
}

// concealment says what of a node is not shown.
type concealment int

const (
	// itsText: all of it.
	itsText concealment = iota + 1
	// itsComments: the comments above the first key of a mapping.
	itsComments
)

// masking collects the byte ranges that are not shown.
type masking struct {
	text    []byte
	derived Derived
	ranges  [][2]int
}

func (m *masking) document(start, end int) {
	body := bytes.TrimPrefix(m.text[start:end], []byte("\xEF\xBB\xBF"))
	start = end - len(body)
	if !redact.Mentions(body) && len(m.derived) == 0 || isBlank(body) {
		return
	}
	root, err := document.YAML(body)
	if err != nil {
		m.ranges = append(m.ranges, [2]int{start, end})
		return
	}
	f := finder{hidden: map[*document.Node]concealment{}, seen: map[*document.Node]bool{}}
	if tree, err := document.Value(body, false); err == nil {
		f.masks = redact.New()
		f.masks.Learn(tree)
	}
	f.find(root, false)
	for _, path := range m.derived[identityOf(root)] {
		f.hideAt(root, path)
	}
	if len(f.hidden) == 0 {
		return
	}
	from, last := -1, start
	visit := func(offset int, is concealment) {
		at := start + offset
		if is == itsComments {
			m.comments(last, at)
		}
		last = at
		if from >= 0 {
			m.ranges = append(m.ranges, [2]int{from, m.before(from, at)})
			from = -1
		}
		if is == itsText {
			from = at
		}
	}
	f.walk(root, visit)
	if from >= 0 {
		m.ranges = append(m.ranges, [2]int{from, end})
	}
}

// isBlank reports whether a text has nothing but comments.
func isBlank(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' && string(line) != "---" {
			return false
		}
	}
	return true
}

// comments hides the lines between those of two offsets.
func (m *masking) comments(last, at int) {
	end := bytes.IndexByte(m.text[last:at], '\n')
	if start := bytes.LastIndexByte(m.text[:at], '\n') + 1; end >= 0 && last+end+1 < start {
		m.ranges = append(m.ranges, [2]int{last + end + 1, start})
	}
}

// before is where what stands in front of a node begins: its indentation and
// dash, on a line of its own.
func (m *masking) before(from, at int) int {
	line := bytes.LastIndexByte(m.text[:at], '\n') + 1
	if line > from && len(bytes.Trim(m.text[line:at], " -")) == 0 {
		return line
	}
	return at
}

// finder finds what is not shown of a document.
type finder struct {
	hidden map[*document.Node]concealment
	// seen are the nodes that were looked at, as an alias may be inside of what it
	// stands for; true where they were as a Secret.
	seen map[*document.Node]bool
	// masks are those of the values of the Secrets; nil where they cannot be read.
	masks *redact.Masker
}

// walk visits the keys and values below a node in the order of the text, but those below
// one whose text is hidden.
func (f finder) walk(n *document.Node, visit func(offset int, is concealment)) {
	visit(n.Start, f.hidden[n])
	if f.hidden[n] == itsText {
		return
	}
	for _, e := range n.Entries {
		if e.KeyNode != nil {
			f.walk(e.KeyNode, visit)
		} else if n.Kind == document.Mapping {
			visit(e.Start, 0)
		}
		f.walk(e.Value, visit)
	}
}

// find looks for Secrets wherever in a document they are. A node is one if it is
// an item of a SecretList, or says so itself.
func (f finder) find(n *document.Node, secret bool) {
	n = n.Resolved()
	if as, seen := f.seen[n]; seen && (as || !secret) {
		return
	}
	f.seen[n] = secret
	if n.Kind == document.Scalar && redact.HoldsText(n.Value) {
		f.hidden[n] = itsText
	}
	said := map[string]string{}
	for _, e := range n.Entries {
		said[e.Key] = e.Value.Resolved().Value
	}
	mapping := n.Kind == document.Mapping
	says := mapping && redact.IsSecret(said["apiVersion"], said["kind"])
	for _, e := range n.Entries {
		switch {
		case !mapping:
			f.find(e.Value, secret)
		case e.Key == "items" && e.Value.Resolved().Kind == document.Sequence:
			f.find(e.Value, says)
		case secret || says:
			f.ofSecret(e)
		default:
			f.find(e.Value, false)
		}
	}
}

// ofSecret hides what the value of a key of a Secret has: all but what says which
// one it is, its labels, and annotations that quote nothing.
func (f finder) ofSecret(e document.Entry) {
	switch e.Key {
	case "apiVersion", "kind", "type", "immutable":
	case "metadata":
		for _, e := range e.Value.Resolved().Entries {
			f.ofMetadata(e)
		}
	default:
		f.hide(e.Value)
	}
}

// ofMetadata hides what is not shown of the metadata of a Secret.
func (f finder) ofMetadata(e document.Entry) {
	switch e.Key {
	case "name",
		"namespace", "generateName", "labels", "uid", "resourceVersion", "creationTimestamp",
		"generation",
		"ownerReferences":
	case "annotations":
		for _, e := range e.Value.Resolved().Entries {
			text := e.Value.Resolved()
			switch {
			case e.Merge:
				f.hideMerged(e.Value)
			case f.masks == nil || text.Kind != document.Scalar || f.masks.Annotation(e.Key, text.Value) != text.Value:
				f.hidden[e.Value], f.hidden[text] = itsText, itsText
			}
		}
	default:
		f.hide(e.Value)
	}
}

// hide hides the values of a mapping, or the node where it is none. The keys
// stay visible.
func (f finder) hide(n *document.Node) {
	if n.Kind == document.Alias {
		f.hidden[n] = itsText
		n = n.Resolved()
	}
	switch {
	case f.hidden[n] != 0:
	case n.Kind != document.Mapping:
		f.hidden[n] = itsText
	default:
		f.hidden[n] = itsComments
		for _, e := range n.Entries {
			if e.Merge {
				f.hideMerged(e.Value)
			} else {
				f.hidden[e.Value], f.hidden[e.Value.Resolved()] = itsText, itsText
			}
		}
	}
}

// identityOf is which object a document is.
func identityOf(root *document.Node) manifest.Identity {
	text := func(n *document.Node, key string) string {
		if value := valueOf(n, key); value != nil {
			return value.Value
		}
		return ""
	}
	metadata := valueOf(root, "metadata")
	return manifest.Identity{
		APIVersion: text(root, "apiVersion"), Kind: text(root, "kind"),
		Namespace: text(metadata, "namespace"), Name: text(metadata, "name"),
	}
}

// valueOf is the value of a key of a mapping; nil for none.
func valueOf(n *document.Node, key string) *document.Node {
	if n == nil || n.Resolved().Kind != document.Mapping {
		return nil
	}
	for _, e := range n.Resolved().Entries {
		if e.Key == key {
			return e.Value.Resolved()
		}
	}
	return nil
}

// hideAt hides what is at a path below a node.
func (f finder) hideAt(n *document.Node, path disguise.Path) {
	n = n.Resolved()
	if len(path) == 0 {
		f.hide(n)
		return
	}
	for _, e := range n.Entries {
		name := valueOf(e.Value, "name")
		item := n.Kind == document.Sequence && name != nil && disguise.Item(name.Value) == path[0]
		if n.Kind == document.Mapping && e.Key == path[0] || item {
			f.hideAt(e.Value, path[1:])
		}
	}
}

// hideMerged hides what "<<" merges in.
func (f finder) hideMerged(n *document.Node) {
	if n.Kind != document.Sequence {
		f.hide(n)
		return
	}
	for _, item := range n.Entries {
		f.hide(item.Value)
	}
}

// lines cuts the text into lines and masks the ranges in them: of a range's
// first line the beginning is kept, its other lines are masked whole.
func (m *masking) lines() []string {
	slices.SortFunc(m.ranges, func(a, b [2]int) int { return a[0] - b[0] })
	var out []string
	at := 0
	for _, line := range strings.SplitAfter(string(m.text), "\n") {
		out = append(out, m.line(line, at))
		at += len(line)
	}
	return out
}

func (m *masking) line(line string, at int) string {
	content := strings.TrimRight(line, "\r\n")
	var b strings.Builder
	done := 0
	for _, r := range m.ranges {
		from, to := max(r[0]-at, done), min(r[1]-at, len(content))
		if from >= to || strings.TrimSpace(content[from:to]) == "" {
			continue
		}
		b.WriteString(content[done:from] + mask)
		done = to
	}
	b.WriteString(content[done:])
	return b.String() + line[len(content):]
}
