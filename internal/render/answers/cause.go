package answers

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// cause is what a run says once of all the objects that have it: why they are refused,
// or a risk.
type cause struct {
	causeKey
	// common is the pattern of all fields; empty where they have several. at are the texts
	// in its brackets, * where they differ.
	common          string
	at              []string
	objects, fields int
	last            int
	// rows are the first fields.
	rows []causeRow
	// The facts are those of the first, but that the message has the arguments of all, and
	// that owned and taken hold of each.
	causeFacts
	edits fixes.Edits
	kinds kinds
	// refused are the first objects with what they are rejected for.
	refused []refusedOn
	// options are those to resolve the first conflict, simulated; nil where they are not
	// shown.
	options []model.Block
}

// causeFacts are what is known of one that has a cause.
type causeFacts struct {
	message text.Text
	advice  *report.Advice
	// todo is what to do about a risk, in a clause; empty where that depends.
	todo string
	// owners are all of a conflicting field, the first of whom is owner.
	owners []string
	// live is true where the live object has the field, owned where the manager owned it
	// before, taken where it takes it from others.
	live, owned, taken bool
	// onTheWay is true where the client deletes the object to apply it.
	onTheWay bool
}

// causeKey is what the objects of a cause have in common.
type causeKey struct {
	severity report.Severity
	// Rule is that of a risk, or one of those below.
	Rule                 string
	applier, subresource string
	// owner is whose fields they are; empty where that is not what they share.
	owner report.Writer
	// ownerKind is what is known of the owner by the live object.
	ownerKind writers.ManagerKind
	// kind and pattern are of fields that are the same in many objects, and says is what
	// else they share.
	kind, pattern, says string
}

// What is no risk, and has no rule to be named by.
const (
	Conflicting = "conflict"
	rejected    = "refused"
	unanswered  = "no-answer"
	inputNotice = "input-notice"
)

// causeRow is a field of an object with its values, what else is known, and its line.
type causeRow struct {
	target report.Target
	Field  string
	values model.Text
	note   model.Text
	source *report.Source
	// from is whose field it was, and since when; empty and nil where that is not known.
	from  string
	since *time.Time
}

// causes are those of a run, by their keys.
type causes struct{ keyed[causeKey, cause] }

// refusedOn is an object that is rejected for what it has.
type refusedOn struct {
	target             report.Target
	source, liveSource *report.Source
	manager            string
	live               map[string]any
	refusal            *report.Refusal
}

// commands are those of the first way that has one.
func (r refusedOn) commands(o page.Options) []string {
	on := o.RefusedOn(report.Result{Target: r.target, Source: *r.source, LiveSource: r.liveSource, Manager: r.manager})
	for _, fix := range r.refusal.Fixes {
		if line := page.RefusalCommand(on, fix); !line.None() {
			return []string{line.String()}
		}
	}
	return nil
}

// keptRows is how many rows of a cause are kept.
const keptRows = 100

// add counts an object, which has a number in the run.
func (k *causes) add(object int, h hit) {
	pattern, keys := report.Pattern(h.Field)
	if h.pattern != "" {
		h.pattern = pattern
	}
	one := k.of(h.causeKey, func() *cause {
		var options []model.Block
		if h.Options != nil {
			options = h.Options()
		}
		return &cause{causeKey: h.causeKey, causeFacts: h.causeFacts, options: options, common: pattern, at: keys}
	})
	if one == nil {
		return
	}
	one.message = merged(one.message, h.message)
	one.owned, one.taken = one.owned && h.owned, one.taken && h.taken
	if one.common == pattern {
		starred(one.at, keys)
	} else {
		one.common = ""
	}
	if one.fields++; one.last != object {
		one.last = object
		one.objects++
		one.kinds.add(h.target)
	}
	if len(one.rows) < keptRows {
		one.rows = append(one.rows, h.causeRow)
	}
	one.edits.Add(h.target, h.Field)
	if h.refused != nil && len(one.refused) < shownPlaces {
		one.refused = append(one.refused, *h.refused)
	}
}

// mergedNames is how many names the message of a cause lists.
const mergedNames = 3

// merged is a message whose names are those of another one too, and in which a value that
// the other does not have is left out.
func merged(a, b text.Text) text.Text {
	if a.Format != b.Format || len(a.Args) != len(b.Args) {
		return a
	}
	a.Args = slices.Clone(a.Args)
	for i, arg := range b.Args {
		if arg.HasValue && text.New("%v", arg).String() != text.New("%v", a.Args[i]).String() {
			// The rows have the values.
			a.Args[i] = text.Name("…")
		}
		names := strings.Split(a.Args[i].Name, ", ")
		if arg.Name == "" || slices.Contains(names, arg.Name) || len(names) > mergedNames {
			continue
		}
		if len(names) == mergedNames {
			arg.Name = "…"
		}
		a.Args[i].Name += ", " + arg.Name
	}
	return a
}

// starred puts * for the keys of a path that differ from those of another one.
func starred(keys, others []string) {
	for i, k := range others {
		if keys[i] != k {
			keys[i] = "*"
		}
	}
}

// under are the causes of a rule.
func (k *causes) under(rule string) []*cause {
	return slices.DeleteFunc(slices.Clone(k.Sorted()), func(c *cause) bool { return c.Rule != rule })
}

// Sorted are the causes, the worst first, and of one severity those of most objects.
func (k *causes) Sorted() []*cause {
	slices.SortStableFunc(k.list, func(a, b *cause) int {
		return cmp.Or(
			cmp.Compare(a.severity.Rank(), b.severity.Rank()),
			cmp.Compare(weight(a), weight(b)),
			cmp.Compare(turn(a), turn(b)),
			cmp.Compare(b.objects, a.objects), cmp.Compare(b.fields, a.fields),
			strings.Compare(a.Rule, b.Rule), strings.Compare(a.pattern, b.pattern), strings.Compare(a.kind, b.kind),
		)
	})
	return k.list
}

// weight puts rejections first, which decide about the whole run, then what has no answer,
// and deletions, those of data before others.
func weight(c *cause) int {
	switch {
	case c.Rule == rejected:
		return 0
	case c.Rule == unanswered:
		return 1
	case c.Rule == risk.DeletesMore && isStorage(c.rows[0].target.Kind):
		return 2
	case c.Rule == risk.DeletesMore:
		return 3
	}
	return 4
}

// isStorage reports whether objects of a kind stand for data.
func isStorage(kind string) bool {
	return kind == "PersistentVolumeClaim" || kind == "PersistentVolume"
}

// turn puts a migration before the other conflicts, as they are resolved on what it
// leaves, and those that are to be forced behind them.
func turn(c *cause) int {
	switch kind := recommendedIn(c.advice); {
	case c.Rule != Conflicting:
	case kind == conflict.Migrate:
		return -1
	case kind == conflict.Force:
		return 1
	}
	return 0
}

// unsafe reports whether it is known that no edit of a field is safe.
func (f causeFacts) unsafe() bool {
	return f.advice != nil && (f.advice.Because == string(conflict.NoneSafe) || f.advice.Because == string(conflict.LeftByClient))
}
