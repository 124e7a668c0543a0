package cli

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/files/writeback"
	"github.com/ssactl/ssactl/internal/plan/clear"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
)

func (o *clearOptions) inquiry() inquiry[pair, clear.Clearing, clear.Document] {
	return inquiry[pair, clear.Clearing, clear.Document]{
		question: question[pair, clear.Clearing]{reads: o.reading(), verb: "planning", subjects: o.subjects, ask: o.ask, failed: o.failed},
		document: o.document, show: o.show, verdict: o.verdict, conclude: o.conclude,
	}
}

func (o *clearOptions) subjects(ctx context.Context, c *cluster) ([]pair, error) {
	o.manifests = c.byKey(c.extra[0])
	return c.targets(o.wanted)
}

// ask plans for one object.
func (o *clearOptions) ask(ctx context.Context, c *cluster, p pair) clear.Clearing {
	w := c.write(p).WithBody(nil, nil)
	w.Kind = kindOf(p.document.Identity)
	if err := cmp.Or(p.err, c.undefined(w.Kind)); err != nil {
		return clear.Failure(w, err)
	}
	q := clear.Request{Object: w, Selection: o.selection, Now: c.now}
	if q.Now.IsZero() {
		q.Now = timeNow()
	}
	if o.asks(render.AnswerFormats()...) && !o.quiet {
		q.Applies = clear.WithApplies
	}
	if d, ok := o.manifests[p.key.String()]; ok {
		apply := c.write(pair{document: d, key: p.key})
		apply.Manager, apply.Force, apply.FieldValidation = o.manager, o.force, "Strict"
		apply.MediaType, apply.LiveSource = "", w.LiveSource
		q.With = &apply
	}
	return clear.Clear(ctx, c.server, q)
}

func (o *clearOptions) failed(c *cluster, p pair, err error) clear.Clearing {
	return clear.Failure(c.write(p), err)
}

func (o *clearOptions) document(_ context.Context, c *cluster, objects []clear.Clearing, run report.Run) (clear.Document, error) {
	c.notices = append(c.notices, o.withoutEntries(objects)...)
	return clear.NewDocument(run, objects), nil
}

func (o *clearOptions) show(c *cluster, seen, whole clear.Document) error {
	return o.answer(c.app, c.now, o.live, shownClearing(withheldPatches(seen, whole)))
}

// withoutEntries lists the managers and the subresource that no object has an entry
// of, with those that there are.
func (o *clearOptions) withoutEntries(objects []clear.Clearing) []string {
	var out []string
	for _, m := range o.selection.Missing(objects) {
		note := fmt.Sprintf("no managed fields entry is of the %s %q", m.Attribute, m.Value)
		if m.Attribute == "subresource" && m.Value == "" {
			note = "no managed fields entry is of the main resource"
		}
		if there := slices.DeleteFunc(slices.Clone(m.Present), func(name string) bool { return name == "" }); len(there) > 0 {
			note += "; there are " + strings.Join(there[:min(len(there), 12)], ", ")
		}
		out = append(out, note)
	}
	return out
}

// withheldPatches leaves out of what is shown the patches that would write masks.
func withheldPatches(shown, given clear.Document) clear.Document {
	shown.Objects = slices.Clone(shown.Objects)
	for i := range shown.Objects {
		if c := &shown.Objects[i]; !reflect.DeepEqual(c.Patch, given.Objects[i].Patch) {
			*c = c.Withheld()
		}
	}
	return shown
}

// shownClearing is what is shown of a masked document: itself, and the objects as the
// server would store them.
func shownClearing(d clear.Document) render.Answer {
	var results []report.Result
	for _, c := range d.Objects {
		if c.Result != nil {
			results = append(results, *c.Result)
		}
	}
	return render.Clear(d, report.New(report.Run{Version: d.Server.Version}, results))
}

// verdict is trouble where no answer could be given for something, else no where
// something would be refused.
func (o *clearOptions) verdict(_ *cluster, d clear.Document) error {
	switch {
	case d.Summary.Failed > 0 || len(d.Problems) > 0:
		return errTrouble
	case d.Summary.Refused > 0 || d.Summary.WithRefused > 0:
		return errNo
	}
	return nil
}

func (o *clearOptions) conclude(ctx context.Context, c *cluster, pairs []pair, d clear.Document, verdict error) error {
	if !o.write {
		return verdict
	}
	plan := &writeback.Plan{Read: c.read}
	for i, cleared := range d.Objects {
		if cleared.Patch != nil && cleared.Result != nil {
			plan.Replace(placeOf(pairs[i].live), cleared.Result.Object)
		}
	}
	return c.app.writeBack(ctx, plan, verdict, "not every answer is a good one")
}
