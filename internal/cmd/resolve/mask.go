package resolve

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/ssactl/ssactl/internal/document"
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

// Diff is a unified difference of two texts of a manifest file; empty for none.
func Diff(name string, former, text []byte, masking Masking) string {
	return textdiff.Unified(name, name, hunks(former, text, masking))
}

// hunks are the lines that differ between two texts of manifests; nil for none.
// With masks they show what changes, but do not apply to lines with a mask.
func hunks(former, text []byte, masking Masking) []textdiff.Hunk {
	out := textdiff.Lines(string(former), string(text), diffContext)
	if masking == ShowSecrets || len(out) == 0 {
		return out
	}
	before, after := MaskedLines(former), MaskedLines(text)
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

// MaskedLines are the lines of a manifest file with the values of Secrets
// masked, each with its line end; the others are as they are. There are as
// many as the text has newlines, and one for what follows the last. What
// cannot be read but may have Secrets is masked whole.
func MaskedLines(text []byte) []string {
	m := &masking{text: text}
	for start := 0; start < len(text); {
		end := start + separator(text[start:])
		m.document(start, end)
		start = end
	}
	return m.lines()
}

// separator is the length of the text up to the next line that starts with
// "---", at least one line.
func separator(text []byte) int {
	if i := bytes.Index(text, []byte("\n---")); i >= 0 {
		return i + 1
	}
	return len(text)
}

// hidden says what of a node is not shown.
type hidden map[*yaml.Node]concealment

type concealment int

const (
	// itsText: all of it.
	itsText concealment = iota + 1
	// itsComments: the comments above the first key of a mapping.
	itsComments
)

// masking collects the byte ranges that are not shown.
type masking struct {
	text   []byte
	ranges [][2]int
}

func (m *masking) document(start, end int) {
	text := m.text[start:end]
	if !redact.Mentions(text) {
		return
	}
	body := bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
	start += len(text) - len(body)
	root, ok := single(body)
	if !ok {
		m.ranges = append(m.ranges, [2]int{start, end})
		return
	}
	secrets := hidden{}
	finder{secrets, map[*yaml.Node]bool{}}.find(root, false)
	if len(secrets) == 0 {
		return
	}
	lines := document.NewLines(body)
	offset := func(n *yaml.Node) int { return start + lines.Offset(n.Line, n.Column) }
	from, last := -1, start
	walk(root, func(n *yaml.Node) bool {
		at := offset(n)
		if secrets[n] == itsComments {
			m.comments(last, at)
		}
		last = at
		if from >= 0 {
			m.ranges = append(m.ranges, [2]int{from, m.before(from, at)})
			from = -1
		}
		if secrets[n] == itsText {
			from = at
		}
		return secrets[n] != itsText
	})
	if from >= 0 {
		m.ranges = append(m.ranges, [2]int{from, end})
	}
}

// single reads a text that is one document and no more, as a stream of JSON
// values is not.
func single(text []byte) (*yaml.Node, bool) {
	var root, more yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&root); err != nil {
		return &root, errors.Is(err, io.EOF)
	}
	return &root, errors.Is(decoder.Decode(&more), io.EOF)
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

// walk visits the nodes in the order of the text; those below a node only if
// visit says so.
func walk(n *yaml.Node, visit func(*yaml.Node) bool) {
	if n.Kind != yaml.DocumentNode && !visit(n) {
		return
	}
	for _, child := range n.Content {
		walk(child, visit)
	}
}

// finder collects the nodes that say what Secrets keep.
type finder struct {
	out hidden
	// seen are the nodes that were looked at, as an alias may be inside of what it
	// stands for; true where they were as a Secret.
	seen map[*yaml.Node]bool
}

// find looks for Secrets wherever in a document they are. A node is one if it is
// an item of a SecretList, or says so itself.
func (f finder) find(n *yaml.Node, secret bool) {
	n = target(n)
	if as, seen := f.seen[n]; seen && (as || !secret) {
		return
	}
	f.seen[n] = secret
	if n.Kind != yaml.MappingNode {
		if n.Kind == yaml.ScalarNode && redact.HoldsText(n.Value) {
			f.out[n] = itsText
		}
		for _, item := range n.Content {
			f.find(item, secret)
		}
		return
	}
	kind, _ := field(n, "kind").(string)
	apiVersion, _ := field(n, "apiVersion").(string)
	says := redact.IsSecret(apiVersion, kind)
	var masks *redact.Masker
	if secret || says {
		masks = masksOf(n)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, n.Content[i+1]
		switch {
		case key == "items" && target(value).Kind == yaml.SequenceNode:
			f.find(value, says)
		case secret || says:
			ofSecret(key, value, f.out, masks)
		default:
			f.find(value, false)
		}
	}
}

// masksOf are those of the values of a Secret; nil where it cannot be read.
func masksOf(n *yaml.Node) *redact.Masker {
	secret := map[string]any{}
	if n.Decode(&secret) != nil {
		return nil
	}
	secret["apiVersion"], secret["kind"] = "v1", "Secret"
	masks := redact.New()
	masks.Learn(secret)
	return masks
}

// ofSecret marks what the value of a key of a Secret has: all but what says which
// one it is, its labels, and annotations that quote nothing.
func ofSecret(key string, value *yaml.Node, out hidden, masks *redact.Masker) {
	switch key {
	case "apiVersion", "kind", "type", "immutable":
	case "metadata":
		for i := 0; i+1 < len(target(value).Content) && target(value).Kind == yaml.MappingNode; i += 2 {
			ofMetadata(target(value).Content[i], target(value).Content[i+1], out, masks)
		}
	default:
		hide(value, out)
	}
}

// ofMetadata marks what is not shown of the metadata of a Secret.
func ofMetadata(key, value *yaml.Node, out hidden, masks *redact.Masker) {
	switch key.Value {
	case "name", "namespace", "generateName", "labels", "uid", "resourceVersion", "creationTimestamp", "generation", "ownerReferences":
	case "annotations":
		hideCopies(value, out, masks)
	default:
		hide(value, out)
	}
}

// hideCopies marks the annotations in which the values are.
func hideCopies(n *yaml.Node, out hidden, masks *redact.Masker) {
	n = target(n)
	for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		text := target(value)
		switch {
		case key.Tag == "!!merge":
			hideMerged(value, out)
		case masks == nil || text.Kind != yaml.ScalarNode || masks.Annotation(key.Value, text.Value) != text.Value:
			out[value], out[text] = itsText, itsText
		}
	}
}

// hide marks the values of a mapping, or the node where it is none. The keys
// stay visible.
func hide(n *yaml.Node, out hidden) {
	if n.Kind == yaml.AliasNode {
		out[n] = itsText
		n = target(n)
	}
	if out[n] != 0 {
		return
	}
	if n.Kind != yaml.MappingNode {
		out[n] = itsText
		return
	}
	out[n] = itsComments
	for i := 0; i+1 < len(n.Content); i += 2 {
		value := n.Content[i+1]
		if n.Content[i].Tag == "!!merge" {
			hideMerged(value, out)
			continue
		}
		out[value] = itsText
		if value.Kind == yaml.AliasNode {
			out[target(value)] = itsText
		}
	}
}

// hideMerged marks what "<<" merges in.
func hideMerged(n *yaml.Node, out hidden) {
	if n.Kind == yaml.SequenceNode {
		for _, item := range n.Content {
			hide(item, out)
		}
		return
	}
	hide(n, out)
}

func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// nodes are the values of a key, repeated and merged ones included.
func nodes(n *yaml.Node, key string) []*yaml.Node {
	n = target(n)
	if n.Kind != yaml.MappingNode {
		return nil
	}
	var out []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			out = append(out, n.Content[i+1])
		}
	}
	return out
}

func field(n *yaml.Node, key string) any {
	if found := nodes(n, key); len(found) > 0 {
		return target(found[len(found)-1]).Value
	}
	return nil
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
