package clear

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/files/writeback"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/output"
)

func (o *clearOptions) inquiry() run.Inquiry[cluster.Pair, Clearing, Document] {
	return run.Inquiry[cluster.Pair, Clearing, Document]{
		Question: run.Question[cluster.Pair, Clearing]{Reads: o.Reading(), Verb: "planning", Subjects: o.subjects, Ask: o.ask, Failed: o.failed},
		Document: o.document, Show: o.show, Verdict: o.verdict, Conclude: o.conclude,
	}
}

func (o *clearOptions) subjects(ctx context.Context, c *cluster.Cluster) ([]cluster.Pair, error) {
	o.manifests = c.ByKey(c.Extra[0])
	return c.Targets(o.wanted)
}

// ask plans for one object.
func (o *clearOptions) ask(ctx context.Context, c *cluster.Cluster, p cluster.Pair) Clearing {
	w := c.Write(p).WithBody(nil, nil)
	w.Kind = input.KindOf(p.Document.Identity)
	if err := cmp.Or(p.Err, c.Undefined(w.Kind)); err != nil {
		return Failure(w, err)
	}
	q := Request{Object: w, Selection: o.selection, Now: c.Now}
	if q.Now.IsZero() {
		q.Now = input.TimeNow()
	}
	if o.Asks(render.AnswerFormats()...) && !o.Quiet {
		q.Applies = WithApplies
	}
	if d, ok := o.manifests[p.Key.String()]; ok {
		apply := c.Write(cluster.Pair{Document: d, Key: p.Key})
		apply.Manager, apply.Force, apply.FieldValidation = o.manager, o.force, "Strict"
		apply.MediaType, apply.LiveSource = "", w.LiveSource
		q.With = &apply
	}
	return Clear(ctx, c.Server, q)
}

func (o *clearOptions) failed(c *cluster.Cluster, p cluster.Pair, err error) Clearing {
	return Failure(c.Write(p), err)
}

func (o *clearOptions) document(_ context.Context, c *cluster.Cluster, objects []Clearing, run report.Run) (Document, error) {
	c.Notices = append(c.Notices, o.withoutEntries(objects)...)
	return NewDocument(run, objects), nil
}

func (o *clearOptions) show(c *cluster.Cluster, seen, whole Document) error {
	return o.Answer(c.App, c.Now, o.Live, shownClearing(withheldPatches(seen, whole)))
}

// withoutEntries lists the managers and the subresource that no object has an entry
// of, with those that there are.
func (o *clearOptions) withoutEntries(objects []Clearing) []string {
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
func withheldPatches(shown, given Document) Document {
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
func shownClearing(d Document) render.Answer {
	var results []report.Result
	for _, c := range d.Objects {
		if c.Result != nil {
			results = append(results, *c.Result)
		}
	}
	return formatsOf(d, report.New(report.Run{Version: d.Server.Version}, results))
}

// verdict is trouble where no answer could be given for something, else no where
// something would be refused.
func (o *clearOptions) verdict(_ *cluster.Cluster, d Document) error {
	switch {
	case d.Summary.Failed > 0 || len(d.Problems) > 0:
		return app.ErrTrouble
	case d.Summary.Refused > 0 || d.Summary.WithRefused > 0:
		return app.ErrNo
	}
	return nil
}

func (o *clearOptions) conclude(ctx context.Context, c *cluster.Cluster, pairs []cluster.Pair, d Document, verdict error) error {
	if !o.writeIn {
		return verdict
	}
	plan := &writeback.Plan{Read: c.Read}
	for i, cleared := range d.Objects {
		if cleared.Patch != nil && cleared.Result != nil {
			plan.Replace(output.PlaceOf(pairs[i].Live), cleared.Result.Object)
		}
	}
	return output.WriteBack(ctx, c.App, plan, verdict, "not every answer is a good one")
}

// formatsOf is the answer of clear. The objects that the server would store are
// those of objects.
func formatsOf(d Document, objects report.Report) render.Answer {
	return render.Answer{
		Report: d,
		View:   func(o page.Options) model.Document { return layOut(d, o) },
		Own: map[string]func(io.Writer, render.Options) error{
			"yaml":       stored("yaml", objects),
			"json":       stored("json", objects),
			"json-patch": func(w io.Writer, _ render.Options) error { return render.EncodeTo(w, clearPatches(d)) },
			"kubectl":    func(w io.Writer, _ render.Options) error { return clearCommands(w, d) },
		},
	}
}

// stored shows objects as the server would store them, entries included.
func stored(format string, objects report.Report) func(io.Writer, render.Options) error {
	return func(w io.Writer, o render.Options) error {
		o.ShowManagedFields = true
		f, err := render.Lookup(format)
		if err != nil {
			return err
		}
		return f.Render(w, objects, o)
	}
}

// clearPatches is the JSON patch of a single object, and of several a list of
// those that have one, with their targets.
func clearPatches(d Document) any {
	type entry struct {
		Target report.Target `json:"target"`
		Patch  []Operation   `json:"patch"`
	}
	entries := []entry{}
	for _, c := range d.Objects {
		if c.Patch != nil && !c.Outcome.Refused() {
			entries = append(entries, entry{c.Target, c.Patch})
		}
	}
	switch {
	case len(d.Objects) != 1 || d.Interrupted != nil:
		return entries
	case len(entries) == 0:
		return []Operation{}
	}
	return entries[0].Patch
}

// clearCommands writes the kubectl command of each object that has something
// to clear, a line each.
func clearCommands(w io.Writer, d Document) error {
	var out strings.Builder
	for _, c := range d.Objects {
		if c.Outcome.Refused() {
			continue
		}
		if err := c.Command.Err(); err != nil {
			return render.NoCommand(c.Target, c.Source, err)
		}
		if !c.Command.None() {
			out.WriteString(c.Command.String() + "\n")
		}
	}
	out.WriteString(render.ScriptEnd(d.Interrupted))
	_, err := io.WriteString(w, out.String())
	return err
}
