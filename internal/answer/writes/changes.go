package writes

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// changedIn are the changes of a result that no cause says, and how many more only carry
// a version.
type changedIn struct {
	list     []report.Change
	versions int
	// annotated: the last-applied annotation is rewritten; unannotated: it is removed.
	annotated, unannotated bool
	// whole is what the object as a whole is; empty where it changes.
	whole wholly
}

// wholly is what happens to an object as a whole.
type wholly string

const (
	isCreated   wholly = "created"
	isDeleted   wholly = "deleted"
	isDeleting  wholly = "deleting"
	isRecreated wholly = "recreated"
	isRun       wholly = "run"
	isRemoved   wholly = "removed"
)

// whollyOf is what happens to the object of an accepted result as a whole.
func whollyOf(r report.Result) wholly {
	switch {
	case r.Hook != "" && r.Deleted:
		return isRemoved
	case r.Hook != "":
		return isRun
	case r.Outcome == report.Created:
		return isCreated
	case r.Deleted:
		return isDeleted
	case r.Operation == report.Delete && r.Outcome == report.Configured:
		// The rest is the server's bookkeeping.
		return isDeleting
	case r.Recreated:
		return isRecreated
	}
	return ""
}

// changesOf are those of an accepted result.
func changesOf(r report.Result) changedIn {
	if r.Outcome.Refused() {
		return changedIn{}
	}
	out := changedIn{whole: whollyOf(r)}
	if out.whole != "" && out.whole != isRecreated {
		return out
	}
	said := saidOf(r)
	for _, c := range renamed(withoutNoise(r.Changes), r.Object) {
		switch {
		case said[c.Field] || c.Reason == report.ReasonRecreated && c.Kind == report.Removed:
		case CarriesVersion(c):
			out.versions++
		case isLastApplied(c) && c.Kind == report.Removed:
			out.unannotated = true
		case RewritesLastApplied(c):
			out.annotated = true
		default:
			out.list = append(out.list, c)
		}
	}
	return out
}

// saidOf are the fields whose changes are said by what there is to look at.
func saidOf(r report.Result) map[string]bool {
	said := map[string]bool{}
	for _, f := range findingsOf(r) {
		said[f.Field] = said[f.Field] || f.IsRisk() && f.Severity != report.SeverityNote && f.Rule != risk.Takeover
	}
	return said
}

// RewritesLastApplied reports whether a change is that of the last-applied annotation, which
// a client rewrites along with whatever else it applies.
func RewritesLastApplied(c report.Change) bool {
	return c.Kind == report.Modified && isLastApplied(c)
}

func isLastApplied(c report.Change) bool {
	return strings.HasSuffix(c.Field, ".annotations."+migration.LastApplied)
}

// labels are the fields of labels and annotations; versioned are versions, numbers and
// checksums in them.
var (
	labels    = regexp.MustCompile(`\.(?:labels|annotations)\.`)
	versioned = regexp.MustCompile(`v?\d+(?:\.\d+)+(?:[-+][0-9A-Za-z.-]+)?|[0-9a-f]{7,}|\d+`)
)

// CarriesVersion reports whether a label or an annotation changes in a version or a
// checksum only.
func CarriesVersion(c report.Change) bool {
	before, isText := c.Before.(string)
	after, areTexts := c.After.(string)
	return isText && areTexts && labels.MatchString(c.Field) &&
		versioned.ReplaceAllString(before, "#") == versioned.ReplaceAllString(after, "#")
}

// named lists the objects by their names, as long as they are few; else by their kinds.
func (w *Run) named(o *finding.Objects) string {
	if o.N > len(o.First) {
		return o.String()
	}
	return strings.Join(w.names(o.First), ", ")
}

// all names each object: what is deleted is never only counted. It is empty for none.
func (w *Run) all(o *finding.Objects) string { return words.Some(w.names(o.Each), len(o.Each), o.N) }

func (w *Run) names(list []report.Target) []string {
	var out []string
	for _, t := range list {
		out = append(out, w.object(t))
	}
	return out
}

// onlyOwnership reports whether a write changes no field, takes nothing from
// another manager, and leaves nothing to look at.
func onlyOwnership(r report.Result) bool {
	if r.Outcome != report.Configured || r.Operation == report.Delete || r.Changes == nil ||
		len(withoutNoise(r.Changes)) > 0 {
		return false
	}
	for _, t := range r.Transfers {
		if t.Kind == report.Overridden {
			return false
		}
	}
	return len(r.Warnings)+len(r.Notices) == 0 && len(risksOf(r)) == 0
}

// warned are the warnings with the objects that get them.
func (w *Run) warned() []model.Block {
	if !w.o.Brief || w.warnings.Len() == 0 {
		return nil
	}
	l := model.List{Marked: true, Shown: page.Shown}
	for _, g := range w.warnings.Sorted() {
		where := w.object(g.Target)
		if g.Objects > 1 {
			where = fmt.Sprintf("%d objects, first %s", g.Objects, where)
		}
		l.Items = append(l.Items, model.Item{Text: model.Textf("%v (%v)", g.Message, where)})
	}
	return []model.Block{page.Part("Warnings of the API server", l)}
}

// shownKinds is how many kinds a caution names.
const shownKinds = 5

// caution is the one on all the objects of a group of so many.
func caution(g *finding.Group, total int) report.Finding {
	f := g.Finding
	var names []string
	for _, t := range g.Kinds {
		if !slices.Contains(names, t.Kind) {
			names = append(names, t.Kind)
		}
	}
	several := text.New("%v (%v)", text.Count(len(names), "kind"), text.Name(words.Some(names, shownKinds, len(names))))
	switch {
	case f.Caveat == report.RuleNoManagedFields && g.Objects > 1:
	case len(names) < 2:
	case f.Caveat == report.RuleNoLiveKind:
		f.Message = text.New(
			"The live files have no objects of %v: each object is taken as absent from the cluster.",
			several,
		)
	case f.Caveat == report.RuleAssumedSchema:
		f.Message = text.New(
			"No schema is known for %v: it is assumed that every key is a field of its own and every list atomic, and "+
				"nothing is defaulted or validated.",
			several,
		)
	}
	if fix := fixes.CureAll(f.Caveat, g.Objects, g.Kinds); !fix.Does.IsZero() {
		f.Fixes = []report.Fix{fix}
	}
	if g.Objects < total {
		f.Message = text.New("%v (%v of %v)", f.Message, text.Number(g.Objects), text.Count(total, "object"))
	}
	if g.Objects > 1 {
		f.Fields = nil
	}
	return f
}

// Cautious says once what makes the answers on many objects doubtful.
func (w *Run) Cautious(total int) []model.Block {
	var out []model.Block
	for _, g := range w.cautions.Sorted() {
		blocks := page.BlocksOf(caution(g, total))
		if p, ok := blocks[0].(model.Paragraph); ok {
			p.Apart = true
			blocks[0] = p
		}
		out = append(out, blocks...)
	}
	return out
}
