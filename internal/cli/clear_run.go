package cli

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/files/writeback"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/plan/clear"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
)

func runClear(ctx context.Context, a *app, o *clearOptions, args []string) error {
	if err := o.check(); err != nil {
		return err
	}
	wanted, err := parseNames(args)
	if err != nil {
		return err
	}
	if err := checkStdin(o.live, o.with, o.crds); err != nil {
		return err
	}
	a = a.watched(o.quiet)
	o.writes = o.write
	c, err := a.loadCluster(ctx, &o.inputFlags, &o.serverFlags)
	if err != nil {
		return err
	}
	manifests := a.loadWith(ctx, c, o)
	pairs, err := c.targets(wanted)
	if err != nil {
		return a.unanswered(c, err)
	}
	objects := each(ctx, c, "planning", len(pairs),
		func(ctx context.Context, i int) clear.Clearing { return o.clear(ctx, c, pairs[i], manifests) },
		func(i int, err error) clear.Clearing { return clear.Failure(c.write(pairs[i]), err) })
	c.notices = append(c.notices, o.unmatched(objects)...)
	document := clear.NewDocument(c.server.Version(), objects, c.problems)
	document.Interrupted = interruption(len(objects), len(pairs))
	a.notice(c.notices)
	if err := o.answerFlags.answer(a, c.now, o.live, shownClearing(withheldPatches(redact.Document(a.secrets, document), document))); err != nil {
		return err
	}
	if document.Interrupted != nil {
		return interruptedError(document.Interrupted)
	}
	if err := clearVerdict(document); err != nil {
		if o.write {
			fmt.Fprintln(a.streams.Err, "nothing was written, since not every answer is a good one")
		}
		return err
	}
	if !o.write {
		return nil
	}
	return a.commit(ctx, c.clearPlan(pairs, objects))
}

// loadWith reads the manifests of --with, by the object that each one names.
func (a *app) loadWith(ctx context.Context, c *cluster, o *clearOptions) map[string]manifest.Document {
	documents, problems := manifest.Load(o.with, a.reading(ctx, &o.inputFlags, c))
	c.addProblems(problems)
	out := map[string]manifest.Document{}
	for _, d := range documents {
		key := c.scope.key(d.Identity)
		if o, err := c.live.Get(key); o == nil && err == nil {
			c.notices = append(c.notices, fmt.Sprintf("%s: the live files have no %s", d.Source, key))
		}
		out[key.String()] = d
	}
	return out
}

// clear plans for one object.
func (o *clearOptions) clear(ctx context.Context, c *cluster, p pair, manifests map[string]manifest.Document) clear.Clearing {
	w := c.write(p).WithBody(nil, nil)
	w.Kind = kindOf(p.document.Identity)
	if p.err != nil {
		return clear.Failure(w, p.err)
	}
	q := clear.Request{Object: w, Selection: o.selection, Now: c.now}
	if q.Now.IsZero() {
		q.Now = time.Now()
	}
	if o.asks(render.AnswerFormats()...) && !o.quiet {
		q.Applies = clear.WithApplies
	}
	if d, ok := manifests[p.key.String()]; ok {
		apply := c.write(pair{document: d, key: p.key})
		apply.Manager, apply.Force, apply.FieldValidation = o.manager, o.force, "Strict"
		apply.MediaType, apply.LiveSource = "", w.LiveSource
		q.With = &apply
	}
	return clear.Clear(ctx, c.server, q)
}

// unmatched tells the managers and the subresource that no object has an entry
// of, with those that there are.
func (o *clearOptions) unmatched(objects []clear.Clearing) []string {
	var out []string
	for _, m := range o.selection.Missing(objects) {
		text := fmt.Sprintf("no managed fields entry is of the %s %q", m.Attribute, m.Value)
		if m.Attribute == "subresource" && m.Value == "" {
			text = "no managed fields entry is of the main resource"
		}
		if there := slices.DeleteFunc(slices.Clone(m.Present), func(name string) bool { return name == "" }); len(there) > 0 {
			text += "; there are " + strings.Join(there[:min(len(there), 12)], ", ")
		}
		out = append(out, text)
	}
	return out
}

// withheldPatches leaves out of what is shown the patches that would write masks.
func withheldPatches(shown, given clear.Document) clear.Document {
	shown.Objects = slices.Clone(shown.Objects)
	for i := range shown.Objects {
		if c := &shown.Objects[i]; !reflect.DeepEqual(c.Patch, given.Objects[i].Patch) {
			c.Patch, c.Args = nil, nil
			c.Findings = append(slices.Clone(c.Findings), "the patch would have masked values; --show-secrets keeps them")
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
	return render.Clear(d, report.New(d.Server.Version, results, nil))
}

// clearVerdict is trouble where no answer could be given for something, else
// no where something would be refused.
func clearVerdict(d clear.Document) error {
	switch {
	case d.Summary.Failed > 0 || len(d.Problems) > 0:
		return errTrouble
	case d.Summary.Refused > 0 || d.Summary.WithRefused > 0:
		return errNo
	}
	return nil
}

func (c *cluster) clearPlan(pairs []pair, objects []clear.Clearing) *writeback.Plan {
	plan := &writeback.Plan{Read: c.read}
	for i, o := range objects {
		if o.Patch != nil && o.Result != nil {
			plan.Replace(placeOf(pairs[i].live), o.Result.Object)
		}
	}
	return plan
}
