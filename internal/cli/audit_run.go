package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/audit"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/server/api"
)

func (o *auditOptions) inquiry() inquiry[subject, examination, finding.Report] {
	return inquiry[subject, examination, finding.Report]{
		question: question[subject, examination]{reads: o.reading(), verb: "auditing", subjects: o.subjects, ask: o.ask, failed: o.failed},
		document: o.document, show: o.show, verdict: o.verdict,
	}
}

func (o *auditOptions) subjects(ctx context.Context, c *cluster) ([]subject, error) {
	objects, err := c.named(nil)
	if err != nil {
		return nil, err
	}
	pairs, err := c.appliedBy(ctx, &o.clientFlags)
	if err != nil {
		return nil, err
	}
	manifests := map[live.Key]*pair{}
	for _, p := range pairs {
		manifests[p.key] = &p
	}
	o.settings.Policy, o.settings.Sender = c.policy, o.words
	subjects := make([]subject, len(objects))
	for i, l := range objects {
		subjects[i] = subject{live: l, manifest: manifests[l.Key]}
	}
	if len(c.manifests) > 0 && !o.named && o.name == client.Auto {
		who := "for a trial"
		if c.app.inferred {
			who = "who applies all of the live objects"
		}
		c.notices = append(c.notices, fmt.Sprintf("the manifests are applied as %s, %s; --field-manager or --client names another", o.sender, who))
	}
	unpaired := c.unpaired(c.manifests)
	o.paired = len(c.manifests) - len(unpaired)
	c.notices = append(c.notices, c.unaudited(objects, unpaired)...)
	return subjects, nil
}

// subject is a live object with its manifest; nil for none.
type subject struct {
	live     *live.Object
	manifest *pair
}

func (o *auditOptions) ask(ctx context.Context, c *cluster, s subject) examination {
	return c.examine(ctx, s.live, s.manifest, o)
}

func (o *auditOptions) failed(_ *cluster, s subject, err error) examination {
	return unexamined(s.live, err)
}

// document has the findings. An object that cannot be read is a problem.
func (o *auditOptions) document(_ context.Context, c *cluster, known []examination, of report.Run) (finding.Report, error) {
	of.FailOn = o.counting()
	run := audit.Run{
		Run: of, Manifests: o.paired, Settings: o.settings, Suppressions: o.suppressed,
	}
	for _, e := range known {
		if e.problem != nil {
			run.Problems = append(run.Problems, *e.problem)
			continue
		}
		run.Examined = append(run.Examined, e.examined)
	}
	if len(run.Examined) > 0 && o.rules.Has(report.RuleForbiddenOwner) {
		c.notices = append(c.notices, unusedRules(c.policy)...)
	}
	return audit.Conclude(run), nil
}

// show says on standard error, in every format, what could not be audited.
func (o *auditOptions) show(c *cluster, seen, _ finding.Report) error {
	a := c.app
	answer, remarks := render.Audit(seen), o.remarks(a, o.settings.Clock.Now, nil)
	if err := answer.Remarks(a.commentary(remarks), remarks); err != nil {
		return err
	}
	return o.print(a, o.settings.Clock.Now, nil, answer.Write)
}

func (o *auditOptions) verdict(_ *cluster, d finding.Report) error { return o.verdictOn(d) }

// unaudited reports what could only be audited in part: kinds without a
// definition, and manifests without a live object.
func (c *cluster) unaudited(objects []*live.Object, unpaired []alone) []string {
	kinds := map[string]bool{}
	for _, o := range objects {
		if kind := kindOf(o.Identity); c.server.Types(kind).Deduced {
			kinds[kind.GroupKind().String()] = true
		}
	}
	var out, names []string
	for _, u := range unpaired {
		if u.meant != "" {
			out = append(out, u.String())
			continue
		}
		names = append(names, u.key.String())
	}
	if len(kinds) > 0 {
		names := slices.Sorted(maps.Keys(kinds))
		out = append(out, fmt.Sprintf("no definition is given of %s: lists, missing fields and API versions of such objects are not audited; give CustomResourceDefinitions with --crds", some(names)))
	}
	if slices.Sort(names); len(names) > 0 {
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
func (c *cluster) examine(ctx context.Context, o *live.Object, p *pair, options *auditOptions) examination {
	if _, err := c.live.Get(o.Key); err != nil {
		return examination{problem: &report.Problem{Message: err.Error()}}
	}
	decoded, err := o.Decode()
	if err != nil {
		return unexamined(o, err)
	}
	kind := kindOf(o.Identity)
	if err := c.undefined(kind); err != nil {
		return unexamined(o, err)
	}
	types, resource := c.server.Types(kind), c.server.Resource(kind)
	object := audit.Object{
		Target:   report.Target{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Key.Namespace, Name: o.Name},
		Source:   report.Source(o.Source),
		Live:     decoded,
		Deduced:  types.Deduced,
		Custom:   resource.Custom,
		Resource: resource.Resource,
	}
	if !types.Deduced {
		object.Shape = managedfields.ShapeOf(types.ParseableType)
	}
	if p != nil {
		result := c.applied(ctx, *p, options)
		object.Manifest = &result
	}
	defer o.Forget()
	return examination{examined: audit.Examine(object, auditServer{ctx: ctx, cluster: c, live: o}, options.settings)}
}

// applied is what applying the manifest of a pair would give.
func (c *cluster) applied(ctx context.Context, p pair, o *auditOptions) report.Result {
	w := c.write(p)
	w.Verb, w.MediaType, w.Manager, w.Force = api.Apply, "", o.sender, c.client != nil && c.client.Force
	result := c.answer(ctx, p, w)
	if !o.showSecrets {
		// Its masks have their own numbers, as several objects are asked at once.
		result = redact.Document(c.app.secrets.Apart(), result)
	}
	return result
}
