package stories

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/pool"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/story"
)

// tellAll tells stories, some at once, in their order.
func (o *options) tellAll(ctx context.Context, tests []*test) Document {
	d := Document{
		Head:    report.Run{Version: server.Releases()[0]}.Head(DocumentKind),
		Stories: []Told{},
	}
	_, err := pool.Run(ctx, len(tests), pool.Options{Jobs: o.jobs, Window: len(tests)},
		func(ctx context.Context, i int) Told { return o.tell(ctx, tests[i]) },
		func(i int, t Told) error {
			o.mask(tests[i], &t)
			d.Stories = append(d.Stories, t)
			d.Summary.count(t)
			return nil
		})
	if n := len(d.Stories); n < len(tests) || err != nil {
		d.Interrupted = &report.Interruption{Answered: n, Total: len(tests)}
	}
	return d
}

// mask masks what a story says of values of Secrets: each object is learned first, as what one
// step says may be a value of another one.
func (o *options) mask(t *test, out *Told) {
	secrets := o.app.Secrets
	if secrets.Shows() {
		return
	}
	for _, step := range t.told {
		for _, a := range step.Answers {
			secrets.Learn(a.Live)
			secrets.Learn(a.Object)
		}
	}
	masked := func(list ...*string) {
		for _, text := range list {
			*text = secrets.Text(*text)
		}
	}
	masked(&out.Problem)
	for i := range out.Steps {
		step := &out.Steps[i]
		for j := range step.Objects {
			masked(&step.Objects[j].Message)
			for k := range step.Objects[j].Changes {
				masked(&step.Objects[j].Changes[k])
			}
		}
		for j := range step.Fails {
			masked(&step.Fails[j].Expected, &step.Fails[j].Actual)
		}
	}
}

func (s *Summary) count(t Told) {
	s.Total++
	switch t.Outcome {
	case Passed:
		s.Passed++
	case Failed:
		s.Failed++
	case Broken:
		s.Broken++
	}
}

// tell tells one story.
func (o *options) tell(ctx context.Context, t *test) Told {
	out := Told{Name: t.Name, Source: sourceOf(t.At), Outcome: Passed, Steps: []Step{}, note: t.Note}
	problem := t.problem
	if problem == nil {
		problem = guard.Do(func() error {
			var err *story.Problem
			if t.told, err = tell(ctx, o.execute, t.Story, o.ShowSecrets); err != nil {
				return err
			}
			return nil
		})
	}
	for _, one := range t.told {
		step := stepOf(one, o.ShowSecrets)
		if out.Steps = append(out.Steps, step); len(step.Fails) > 0 {
			out.Outcome = Failed
		}
	}
	if problem != nil {
		out.Outcome, out.Problem = Broken, problem.Error()
		var at *story.Problem
		if errors.As(problem, &at) {
			out.Source = sourceOf(at.Place)
		}
		out.Name = cmp.Or(out.Name, out.Source.File)
	}
	return out
}

// stepOf is a step as the document has it.
func stepOf(t told, showSecrets bool) Step {
	out := Step{Name: nameOf(t.Step), Source: sourceOf(t.At), Objects: []Moved{}, Fails: []Expectation{}}
	for _, a := range t.Answers {
		out.Objects = append(out.Objects, moved(a, showSecrets))
	}
	for _, f := range t.Failures {
		out.Fails = append(out.Fails, Expectation{sourceOf(f.Place), f.Key, f.Field, f.Expected, f.Actual})
	}
	return out
}

// nameOf says what a step does.
func nameOf(s story.Step) string {
	if s.Name != "" {
		return s.Name
	}
	by := cmp.Or(s.As, s.Client, "kubectl")
	switch {
	case s.Kustomization != "":
		return by + " applies " + s.Kustomization
	case len(s.Apply) > 0:
		does := "applies "
		if s.Force {
			does = "applies with force "
		}
		return by + " " + does + bodies(s.Apply)
	case len(s.Create) > 0:
		return by + " creates " + bodies(s.Create)
	case len(s.Update) > 0:
		return by + " updates " + bodies(s.Update)
	case s.Patch != "":
		return by + " patches " + s.Patch
	case s.Scale != "":
		return fmt.Sprintf("%s scales %s to %d", by, s.Scale, value(s.Replicas))
	case s.Delete != "":
		return by + " deletes " + s.Delete
	case s.Transfer != "":
		return fmt.Sprintf("%s of %s goes to %s", s.Field, s.Transfer, cmp.Or(s.To, s.Controller))
	}
	return "entries migrate to " + cmp.Or(s.To, by)
}

func bodies(list []story.Body) string {
	var out []string
	for _, b := range list {
		if b.Path != "" {
			out = append(out, b.Path)
			continue
		}
		kind, _ := b.Object["kind"].(string)
		metadata, _ := b.Object["metadata"].(map[string]any)
		name, _ := metadata["name"].(string)
		out = append(out, strings.ToLower(kind)+"/"+name)
	}
	return strings.Join(out, ", ")
}

// lastApplied is a copy of the manifest, which the transcript has no need of.
const lastApplied = ".metadata.annotations.kubectl.kubernetes.io/last-applied-configuration"

// mostShown is how many bytes of a value the transcript has.
const mostShown = 120

// short is a value in one line, or that there is a longer one.
func short(v any) string {
	if text := story.Shown(v); len(text) <= mostShown {
		return text
	}
	return "…"
}

// moved is what a step did to one object.
func moved(a story.Answer, showSecrets bool) Moved {
	out := Moved{
		Object: a.Reference(), Manager: a.Manager, Outcome: a.Outcome, Code: a.Code,
		Changes: []string{}, Transfers: []string{},
	}
	hides := a.Target.Kind == "Secret" && !showSecrets
	if a.Status != nil && !hides {
		out.Message = a.Status.Message
	}
	for _, c := range a.Changes {
		if c.Field == ".metadata.generation" || c.Field == lastApplied || a.Outcome == "Created" {
			continue
		}
		before, after := short(c.Before), short(c.After)
		if hides {
			before, after = "***", "***"
		}
		switch c.Kind {
		case "Added":
			out.Changes = append(out.Changes, fmt.Sprintf("%s: %s", c.Field, after))
		case "Removed":
			out.Changes = append(out.Changes, c.Field+": removed")
		default:
			out.Changes = append(out.Changes, fmt.Sprintf("%s: %s -> %s", c.Field, before, after))
		}
	}
	out.Transfers = transfersOf(a)
	if a.Settles != nil && a.Settles.Result != "FixedPoint" {
		out.Settles = a.Settles.Result
		cycle := a.Cycle()
		for _, field := range slices.Sorted(maps.Keys(cycle)) {
			out.Cycle = append(out.Cycle, field+": set in turn by "+strings.Join(cycle[field], " and "))
		}
	}
	return out
}

// transfersOf say how ownership moves, a line for the fields of one manager that move alike.
func transfersOf(a story.Answer) []string {
	type way struct{ manager, kind string }
	fields := map[way][]string{}
	var order []way
	for _, t := range a.Transfers {
		w := way{t.Manager, t.Kind}
		if fields[w] == nil {
			order = append(order, w)
		}
		fields[w] = append(fields[w], t.Field)
	}
	out := []string{}
	for _, w := range order {
		list := fields[w]
		shown := strings.Join(list[:min(len(list), 3)], ", ")
		if more := len(list) - 3; more > 0 {
			shown += fmt.Sprintf(" and %d more", more)
		}
		out = append(out, w.manager+" "+ways[w.kind]+" "+shown)
	}
	slices.Sort(out)
	return out
}

// ways are the kinds of transfers in words.
var ways = map[string]string{
	"Acquired": "owns", "Shared": "shares", "Relinquished": "gives up", "Overridden": "loses", "Removed": "no longer has",
}
