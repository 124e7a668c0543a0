package clear

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/cmd/plans"
	"github.com/ssactl/ssactl/internal/files/writeback"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/output"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

func (o *clearOptions) inquiry() run.Inquiry[cluster.Pair, Clearing, Document] {
	return run.Inquiry[cluster.Pair, Clearing, Document]{
		Question: run.Question[cluster.Pair, Clearing]{
			Reads: o.Reading(), Verb: "planning", Ask: o.ask,
			Subjects: func(_ context.Context, c *cluster.Cluster) ([]cluster.Pair, error) {
				o.manifests = c.ByKey(c.Extra[0])
				return c.Targets(o.wanted)
			},
			Failed: func(c *cluster.Cluster, p cluster.Pair, err error) Clearing { return Failure(c.Write(p), err) },
		},
		Document: func(_ context.Context, c *cluster.Cluster, objects []Clearing, run report.Run) (Document, error) {
			c.Notices = append(c.Notices, o.withoutEntries(objects)...)
			return NewDocument(run, objects), nil
		},
		Show: o.show,
		Verdict: func(_ *cluster.Cluster, d Document) error {
			return plans.Verdict(d.Summary.Failed, d.Summary.Refused+d.Summary.WithRefused, d.Ending)
		},
		Conclude: o.conclude,
	}
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
	if o.Asks(show.AnswerFormats()...) && !o.Quiet {
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

// show prints what is seen of the document, without the patches that would write masks,
// and with the objects as the server would store them.
func (o *clearOptions) show(c *cluster.Cluster, seen, whole Document) error {
	seen.Objects = slices.Clone(seen.Objects)
	var results []report.Result
	for i := range seen.Objects {
		one := &seen.Objects[i]
		if !reflect.DeepEqual(one.Patch, whole.Objects[i].Patch) {
			one.Patch, one.Command = nil, shell.Line{}
			why := text.New("the patch would have masked values; --show-secrets keeps them")
			one.Findings = append(slices.Clone(one.Findings), withheld.On(one.Target, one.Source, why))
		}
		if one.Result != nil {
			results = append(results, *one.Result)
		}
	}
	return o.Answer(c.App, c.Now, o.Live, formatsOf(seen, report.New(report.Run{Version: seen.Server.Version}, results)))
}

func (o *clearOptions) conclude(
	ctx context.Context,
	c *cluster.Cluster,
	pairs []cluster.Pair,
	d Document,
	verdict error,
) error {
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
func formatsOf(d Document, objects report.Report) show.Answer {
	return show.Answer{
		Report: d,
		View:   func(o page.Options) model.Document { return layOut(d, o) },
		Own: map[string]func(io.Writer, show.Options) error{
			"yaml": plans.Objects("yaml", objects),
			"json": plans.Objects("json", objects),
			"json-patch": func(w io.Writer, _ show.Options) error {
				var patches []plans.Patch
				for _, c := range d.Objects {
					if c.Patch != nil && !c.Outcome.Refused() {
						patches = append(patches, plans.Patch{Target: c.Target, Patch: c.Patch})
					}
				}
				return plans.Patches(w, patches, len(d.Objects) == 1 && d.Interrupted == nil)
			},
			"kubectl": func(w io.Writer, _ show.Options) error { return clearCommands(w, d) },
		},
	}
}

// clearCommands writes the kubectl command of each object that has something
// to clear.
func clearCommands(w io.Writer, d Document) error {
	var out strings.Builder
	for _, c := range d.Objects {
		if c.Outcome.Refused() || c.Patch == nil {
			continue
		}
		command, err := plans.Command(c.Object, c.Patch, "")
		if err != nil {
			return show.NoCommand(c.Target, c.Source, err)
		}
		out.WriteString(command + "\n")
	}
	out.WriteString(show.ScriptEnd(d.Interrupted))
	_, err := io.WriteString(w, out.String())
	return err
}
