package render

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render/glyph"
	md "github.com/ssactl/ssactl/internal/render/markdown"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/render/view"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// The names under which the formats that are not views of the model yet know
// what moved below. This file goes with the last of them.
type style = text.Style

type palette struct {
	bold, faint, red, green, yellow, cyan, redWord, greenWord style
	managers                                                  []style
}

func newPalette(enabled bool) palette {
	p := text.NewPalette(enabled)
	return palette{p.Bold, p.Faint, p.Red, p.Green, p.Yellow, p.Cyan, p.RedWord, p.GreenWord, p.Managers}
}

var painted = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// unpainted is a text without what a palette put into it.
func unpainted(s string) string { return painted.ReplaceAllString(s, "") }

func visible(s string) string                         { return glyph.Visible(s) }
func visibleLines(s string) string                    { return glyph.Lines(s) }
func isVisible(s string) bool                         { return glyph.IsVisible(s) }
func columns(s string) int                            { return glyph.Columns(s) }
func pad(s string, to int) string                     { return glyph.Pad(s, to) }
func cut(s string, limit int) string                  { return glyph.Cut(s, limit) }
func wrap(s string, limit int) []string               { return glyph.Wrap(s, limit) }
func objectName(t report.Target) string               { return words.Object(t) }
func fileName(t report.Target) string                 { return words.FileName(t) }
func groupVersion(apiVersion string) (string, string) { return words.GroupVersion(apiVersion) }
func place(s *report.Source) string                   { return words.Place(s) }
func fileOrStdin(file string) string                  { return words.FileOrStdin(file) }
func date(t *time.Time) string                        { return words.Date(t) }
func age(t *time.Time, now time.Time) string          { return words.Age(t, now) }
func since(t *time.Time, now time.Time) string        { return words.Since(t, now) }
func scalar(v any) string                             { return words.Scalar(v) }
func where(t report.Target) string                    { return words.Where(t) }
func writer(w report.Writer) string                   { return words.Writer(w) }
func holderNames(writers []report.Writer) string      { return words.Writers(writers) }
func interruptedText(i report.Interruption) string    { return words.Interrupted(i) }

func yamlString(s string) string        { return words.Quoted(s) }
func runeColumns(r rune) int            { return glyph.RuneColumns(r) }
func mdCode(s string) string            { return md.Code(s) }
func mdProse(s string) string           { return md.Prose(s) }
func mdFence(language, s string) string { return md.Fence(language, s) }

// folded reports whether a list ends here, and says so in its place.
func (p *printer) folded(i, all int) bool {
	if i < shownLines || p.o.Verbose || all == shownLines+1 {
		return false
	}
	p.line(p.faint(fmt.Sprintf("    … %d more; -v shows all", all-i)))
	return true
}

func encodeYAML(v any) (string, error)                { return objects.YAML(v) }
func encodeYAMLItem(v any) (string, error)            { return objects.YAMLItem(v) }
func encodeJSON(v any, indent string) (string, error) { return objects.JSON(v, indent) }
func encodeJSONAt(v any, prefix, indent string) (string, error) {
	return objects.JSONAt(v, prefix, indent)
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return visible(first)
}

func plural(kind string) string { return words.Plural(kind) }

// inFront are what view.Cautions are of a result.
func inFront(r report.Result) []view.Caution { return view.Cautions(r.Confidence, r.Target) }

// sentence is all of a caution in one line.
func sentence(c view.Caution) string {
	s := c.Message
	for _, part := range []string{c.Cure, c.Command} {
		if part != "" {
			s += " " + part
		}
	}
	return s
}

// behind are the caveats that are told after the answer.
func behind(reasons []report.Caveat) []report.Caveat {
	return slices.DeleteFunc(slices.Clone(reasons), func(c report.Caveat) bool { return c.Rule != "" })
}

// caveats are told in lines of their own, and so is what to do.
func (p *printer) caveats(r report.Result, indent string) {
	for _, c := range inFront(r) {
		if c.Rule == report.RuleNoLiveFiles {
			// The run tells it once.
			continue
		}
		text := c.Message
		if c.Cure != "" {
			text += " " + c.Cure
		}
		p.paragraph(indent+"Caution: ", text)
		if c.Command != "" {
			p.line(indent + "  " + p.cyan(c.Command))
		}
	}
}

func natureText(s explain.Story) string             { return view.Nature(s) }
func characterText(c explain.Character) string      { return view.Character(c) }
func (p *printer) explained(v explain.Value) string { return p.value(v.Value, v.Missing) }
