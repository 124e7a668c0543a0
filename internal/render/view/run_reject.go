package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// rejections are what the API server has against the objects of a run. What it has
// against several of them is one.
type rejections struct {
	keyed[rejectionKey, rejection]
	// answers are the codes with their reasons, in the order of their first objects.
	answers []answerCount
}

// rejectionKey is what a rejection is for: the answer, the pattern of the field, and
// the message.
type rejectionKey struct{ answer, pattern, message string }

type rejection struct {
	rejectionKey
	keys []string
	// own is the message of the first object, which may have its name.
	own     string
	objects places
	kinds   kinds
	last    int
}

type answerCount struct {
	answer string
	n      int
}

// rejectedFor is one thing that the API server has against an object.
type rejectedFor struct {
	answer, field, message string
	source                 *report.Source
}

// faultsOf are those of a rejected write.
func faultsOf(r report.Result) []rejectedFor {
	if r.Outcome != report.Invalid {
		return nil
	}
	if len(r.Causes) == 0 || len(r.Causes) == 1 && r.Causes[0].Source == nil {
		message := ""
		if r.Status != nil {
			message = strings.TrimRight(r.Status.Message, "\n")
		}
		return []rejectedFor{{answerOf(r), "", message, &r.Source}}
	}
	var out []rejectedFor
	for _, c := range r.Causes {
		at := c.Source
		if at == nil {
			at = &r.Source
		}
		out = append(out, rejectedFor{answerOf(r), c.Field, faultText(c), at})
	}
	return out
}

func (k *rejections) add(object int, target report.Target, faults []rejectedFor) {
	if len(faults) == 0 {
		return
	}
	i := slices.IndexFunc(k.answers, func(a answerCount) bool { return a.answer == faults[0].answer })
	if i < 0 {
		i = len(k.answers)
		k.answers = append(k.answers, answerCount{answer: faults[0].answer})
	}
	k.answers[i].n++
	for _, f := range faults {
		k.addFault(object, target, f)
	}
}

func (k *rejections) addFault(object int, target report.Target, f rejectedFor) {
	pattern, keys := report.Pattern(f.field)
	key := rejectionKey{f.answer, pattern, strings.ReplaceAll(f.message, fmt.Sprintf("%q", target.Name), `"*"`)}
	one := k.of(key, func() *rejection { return &rejection{rejectionKey: key, keys: keys, own: f.message} })
	if one == nil {
		return
	}
	starred(one.keys, keys)
	if one.last != object {
		one.last = object
		one.kinds.add(target)
		one.objects.add(target, f.source)
	}
}

// shownAnswers is how many answers a sentence names.
const shownAnswers = 3

// causes are the answers with how many objects get each, for the headline.
func (k *rejections) causes() string {
	if len(k.answers) == 1 {
		return k.answers[0].answer
	}
	var parts []string
	for _, a := range k.answers {
		parts = append(parts, fmt.Sprintf("%s (%d)", a.answer, a.n))
	}
	return words.Some(parts, shownAnswers, len(parts))
}

// block are the rejections, those of most objects first.
func (k *rejections) block() []model.Block {
	if k.list == nil {
		return nil
	}
	slices.SortStableFunc(k.list, func(a, b *rejection) int { return cmp.Compare(b.kinds.n, a.kinds.n) })
	l := model.List{Shown: shown}
	for _, one := range k.list {
		l.Items = append(l.Items, one.item())
	}
	return []model.Block{part("Rejected by the API server", l)}
}

func (one *rejection) item() model.Item {
	if one.kinds.n == 1 {
		first := one.objects.list[0]
		item := model.Item{Text: model.Textf("%v: %v", one.answer, words.Object(first.target)+words.Where(first.target)), Blocks: []model.Block{one.quote(one.own)}}
		if at := words.Place(first.source); at != "" {
			item.Text = model.Textf("%v, %v", item.Text, model.Faint.Of(at))
		}
		return item
	}
	return model.Item{
		Text:   model.Textf("%v: %v", one.answer, one.kinds.text()),
		Blocks: []model.Block{one.quote(one.message), paragraph("%v", one.objects.text())},
	}
}

// quote is what the API server says, with the field that it is about.
func (one *rejection) quote(message string) model.Quote {
	if one.pattern != "" {
		message = report.Filled(one.pattern, one.keys) + ": " + message
	}
	return model.Quote{Text: message}
}

// places are the first of so many objects, each with its line.
type places struct {
	list []place
	n    int
}

type place struct {
	target report.Target
	source *report.Source
}

// shownObjects is how many objects a group names.
const shownObjects = 5

func (o *places) add(target report.Target, source *report.Source) {
	o.n++
	if len(o.list) <= shownObjects {
		o.list = append(o.list, place{target, source})
	}
}

// text lists them.
func (o *places) text() string {
	var parts []string
	for _, p := range o.list {
		name := p.target.Name
		if p.target.Namespace != "" {
			name = p.target.Namespace + "/" + name
		}
		if at := words.Place(p.source); at != "" {
			name += " (" + at + ")"
		}
		parts = append(parts, name)
	}
	return words.Some(parts, shownObjects, o.n)
}
