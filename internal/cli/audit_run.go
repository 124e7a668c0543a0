package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/audit"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/safetext"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/server/api"
)

// audit examines each live object, several at once. One that cannot be read is
// a problem, and the others are still examined. An interrupt ends it with what
// is known.
func (c *cluster) audit(ctx context.Context, o *auditOptions, plan auditPlan) (audit.Report, error) {
	objects, err := c.named(nil)
	if err != nil {
		return audit.Report{}, err
	}
	manifests := c.pairsByKey()
	known := each(ctx, c, "auditing", len(objects), func(ctx context.Context, i int) examination {
		return c.examine(ctx, objects[i], manifests[objects[i].Key], o, plan.settings)
	}, func(i int, err error) examination { return unexamined(objects[i], err) })
	if len(c.manifests) > 0 && !o.named {
		c.notices = append(c.notices, fmt.Sprintf("the manifests are applied as %s for a trial; name who applies them with --field-manager", o.manager))
	}
	c.notices = append(c.notices, c.unaudited(objects, manifests)...)
	run := audit.Run{
		Version: c.server.Version(), Manifests: len(c.manifests), Settings: plan.settings,
		Suppressions: plan.suppressions, Problems: c.problems, Interrupted: interruption(len(known), len(objects)),
	}
	for _, e := range known {
		if e.problem != nil {
			run.Problems = append(run.Problems, *e.problem)
			continue
		}
		run.Examined = append(run.Examined, e.examined)
	}
	return audit.Conclude(run), nil
}

// unaudited tells of what could only be audited in part: kinds without a
// definition, and manifests without a live object.
func (c *cluster) unaudited(objects []*live.Object, manifests map[live.Key]*pair) []string {
	kinds := map[string]bool{}
	for _, o := range objects {
		if kind := kindOf(o.Identity); c.server.Types(kind).Deduced {
			kinds[kind.GroupKind().String()] = true
		}
		delete(manifests, o.Key)
	}
	var out []string
	if len(kinds) > 0 {
		names := slices.Sorted(maps.Keys(kinds))
		out = append(out, fmt.Sprintf("no definition is given of %s: lists, missing fields and API versions of such objects are not audited; give CustomResourceDefinitions with --crds", some(names)))
	}
	if len(manifests) > 0 {
		var names []string
		for key := range manifests {
			names = append(names, key.String())
		}
		slices.Sort(names)
		out = append(out, fmt.Sprintf("no live object is given for %s", some(names)))
	}
	return out
}

// some names a few of many.
func some(names []string) string {
	const few = 5
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// pairsByKey finds the manifest of each live object.
func (c *cluster) pairsByKey() map[live.Key]*pair {
	out := map[live.Key]*pair{}
	for _, p := range c.pairs() {
		out[p.key] = &p
	}
	return out
}

// examination is what was found on an object, or why nothing could be.
type examination struct {
	examined audit.Examined
	problem  *report.Problem
}

// unexamined is the problem of an object.
func unexamined(o *live.Object, err error) examination {
	return examination{problem: &report.Problem{Source: report.Source(o.Source), Message: err.Error()}}
}

// examine decodes an object and asks it the rules.
func (c *cluster) examine(ctx context.Context, o *live.Object, p *pair, options *auditOptions, settings audit.Settings) examination {
	if _, err := c.live.Get(o.Key); err != nil {
		return examination{problem: &report.Problem{Message: err.Error()}}
	}
	decoded, err := o.Decode()
	if err != nil {
		return unexamined(o, err)
	}
	kind := kindOf(o.Identity)
	types := c.server.Types(kind)
	object := audit.Object{
		Target:   report.Target{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Key.Namespace, Name: o.Name},
		Source:   report.Source(o.Source),
		Live:     decoded,
		Deduced:  types.Deduced,
		Resource: c.server.Resource(kind).Resource,
	}
	if !types.Deduced {
		object.Shape = managedfields.ShapeOf(types.ParseableType)
	}
	if p != nil {
		result := c.applied(ctx, *p, options)
		object.Manifest = &result
	}
	defer o.Forget()
	return examination{examined: audit.Examine(object, auditServer{ctx: ctx, cluster: c, live: o}, settings)}
}

// applied is what applying the manifest of a pair would give.
func (c *cluster) applied(ctx context.Context, p pair, o *auditOptions) report.Result {
	w := c.write(p)
	w.Verb, w.MediaType, w.Manager = api.Apply, "", o.manager
	result := c.answer(ctx, p, w)
	if !o.showSecrets {
		// Its masks have their own numbers, as several objects are asked at once.
		result = redact.Document(c.secrets.Apart(), result)
	}
	return result
}

// printAudit shows a report in each format that is asked for, and adds the
// Markdown to the summary of a GitHub workflow's step, where there is one and
// the github format is asked for.
func (a *app) printAudit(doc audit.Report, plan auditPlan) error {
	answer := render.Audit(redact.Document(a.secrets, doc), plan.failOn)
	if err := answer.Remarks(a.commentary(plan.options), plan.options); err != nil {
		return err
	}
	var errs []error
	for _, o := range plan.outputs {
		options := plan.options
		if o.file != "" {
			options.Color, options.Width, options.Fit = false, 0, false
		}
		errs = append(errs, a.writeAnswer(o, answer, options))
		if file := a.streams.Getenv("GITHUB_STEP_SUMMARY"); file != "" && o.format.Name == "github" {
			options.MaxBytes = stepSummaryBytes
			errs = append(errs, answer.Write(safetext.NewWriter(&appendedFile{name: file}, safetext.Plain), "markdown", options))
		}
	}
	return errors.Join(errs...)
}

// writeAnswer writes one output; a file is complete or not touched.
func (a *app) writeAnswer(o output, answer render.Answer, options render.Options) error {
	var text bytes.Buffer
	if err := answer.Write(&text, o.format.Name, options); err != nil {
		return err
	}
	return a.put(text.Bytes(), o, options)
}
