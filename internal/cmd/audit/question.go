// Package audit finds problems in the ownership of live objects: the command, what it
// asks about each object, and its page. The rules are in internal/cmd/audit/rules.
package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/cmd/audit/rules"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/shell"
)

func (o *auditOptions) inquiry() run.Inquiry[subject, examination, finding.Report] {
	return run.Inquiry[subject, examination, finding.Report]{
		Question: run.Question[subject, examination]{
			Reads:    o.Reading(),
			Verb:     "auditing",
			Subjects: o.subjects,
			Ask:      o.ask,
			Failed:   o.failed,
		},
		Document: o.document, Show: o.show,
		Verdict: func(_ *cluster.Cluster, d finding.Report) error { return o.VerdictOn(d) },
	}
}

func (o *auditOptions) subjects(ctx context.Context, c *cluster.Cluster) ([]subject, error) {
	objects, err := c.Named(o.wanted)
	if err != nil {
		return nil, err
	}
	pairs, err := c.AppliedBy(ctx, &o.ClientFlags)
	if err != nil {
		return nil, err
	}
	manifests := map[live.Key]*cluster.Pair{}
	for _, p := range pairs {
		manifests[p.Key] = &p
	}
	o.settings.Policy, o.settings.Sender, o.settings.Lives = c.Policy, o.Words, o.lives(c)
	subjects := make([]subject, len(objects))
	deletions := map[live.Key]*cluster.Pair{}
	if len(pairs) > 0 && c.Client != nil {
		for _, p := range c.Deletions() {
			deletions[p.Key] = &p
		}
	}
	for i, l := range objects {
		subjects[i] = subject{live: l, manifest: manifests[l.Key], deletion: deletions[l.Key]}
	}
	if len(c.Manifests) > 0 && !o.Named && o.Name == about.Auto {
		o.assumed = "for a trial"
		if c.App.Inferred {
			o.assumed = "which applies all live objects"
		}
		c.Notices = append(
			c.Notices,
			fmt.Sprintf("assuming --field-manager %s, %s; --field-manager or --client names another", o.Sender, o.assumed),
		)
	}
	unpaired := c.Unpaired(c.Manifests)
	o.paired = len(c.Manifests) - len(unpaired)
	if o.wanted != nil {
		o.paired = 0
		for _, s := range subjects {
			if s.manifest != nil {
				o.paired++
			}
		}
		unpaired = nil
	}
	c.Notices = append(c.Notices, unaudited(c, objects, unpaired)...)
	return subjects, nil
}

// mostLives is how many files of live objects a command names.
const mostLives = 5

// lives are the flags that name the files with live objects: others than the one that is asked
// about decide too, such as an Application or an autoscaler. It is nil for too many.
func (o *auditOptions) lives(c *cluster.Cluster) []shell.Flag {
	files := map[string]bool{}
	for _, l := range slices.Concat(c.Live.Objects(), c.Live.Kept()) {
		files[l.Source.File] = true
	}
	if len(files) > mostLives {
		return nil
	}
	var out []shell.Flag
	for _, file := range slices.Sorted(maps.Keys(files)) {
		out = append(out, shell.File("--live", file))
	}
	return out
}

// subject is a live object with its manifest, or with the deletion by which the client ends the
// run; nil for none.
type subject struct {
	live               *live.Object
	manifest, deletion *cluster.Pair
}

// document has the findings. An object that cannot be read is a problem.
func (o *auditOptions) document(
	_ context.Context,
	c *cluster.Cluster,
	known []examination,
	of report.Run,
) (finding.Report, error) {
	of.FailOn = o.Counting()
	run := rules.Run{
		Run: of, Manifests: o.paired, Settings: o.settings, Suppressions: o.Suppressed,
	}
	for _, e := range known {
		if e.problem != nil {
			run.Problems = append(run.Problems, *e.problem)
			continue
		}
		run.Examined = append(run.Examined, e.examined)
	}
	if len(run.Examined) > 0 && o.Rules.Has(report.RuleForbiddenOwner) {
		c.Notices = append(c.Notices, unusedRules(c.Policy)...)
	}
	return rules.Conclude(run), nil
}

func (o *auditOptions) show(c *cluster.Cluster, seen, _ finding.Report) error {
	return o.Answer(c.App, o.settings.Clock.Now, nil, show.Findings(seen, o.page))
}

// page says behind the counts which field manager was assumed to apply the manifests.
func (o *auditOptions) page(d finding.Report, of page.Options) model.Document {
	out := finder.Document(d, of)
	if o.assumed != "" && d.Summary.Manifests > 0 {
		out.Lead = slices.Insert(
			out.Lead,
			1,
			model.Textf("Assuming --field-manager %v, %v", model.Manager.Of(o.Sender), o.assumed),
		)
	}
	return out
}

// finder shows what is wrong with the ownership.
var finder = page.Finder{
	Title: "Ownership audit",
	Class: "ssactl.audit",
	Rules: rules.Rules(),
	Sentence: func(d finding.Report) model.Text {
		s := d.Summary
		switch {
		case s.Objects == 0 && d.Interrupted != nil:
			return model.Text{model.Strong.Of("No live object was examined")}
		case s.Objects == 0:
			return model.Text{model.Strong.Of("No live object could be read")}
		}
		on := words.Count(s.Objects, "object")
		if s.Manifests > 0 {
			on += " and " + words.Count(s.Manifests, "manifest")
		}
		return page.Headline(d, on)
	},
}

// unaudited reports what could only be audited in part: kinds without a
// definition, and manifests without a live object.
func unaudited(c *cluster.Cluster, objects []*live.Object, unpaired []cluster.Alone) []string {
	kinds := map[string]bool{}
	for _, o := range objects {
		if kind := input.KindOf(o.Identity); c.Server.Types(kind).Deduced {
			kinds[kind.GroupKind().String()] = true
		}
	}
	var out, names []string
	for _, u := range unpaired {
		if u.Meant != "" {
			out = append(out, u.String())
			continue
		}
		names = append(names, u.Key.String())
	}
	if len(kinds) > 0 {
		names := slices.Sorted(maps.Keys(kinds))
		out = append(
			out,
			fmt.Sprintf(
				"no definition is given of %s: lists, missing fields and API versions of such objects are not audited; give CustomResourceDefinitions with --crds",
				cluster.Some(names),
			),
		)
	}
	if slices.Sort(names); len(names) > 0 {
		out = append(out, fmt.Sprintf("no live object is given for %s", cluster.Some(names)))
	}
	return out
}

// examination is what was found on an object, or why nothing could be.
type examination struct {
	examined rules.Examined
	problem  *report.Problem
}

func (o *auditOptions) failed(_ *cluster.Cluster, s subject, err error) examination {
	return examination{problem: &report.Problem{Source: report.Source(s.live.Source), Message: err.Error()}}
}

// ask decodes an object and asks it the rules.
func (o *auditOptions) ask(ctx context.Context, c *cluster.Cluster, s subject) examination {
	if _, err := c.Live.Get(s.live.Key); err != nil {
		return examination{problem: &report.Problem{Message: err.Error()}}
	}
	decoded, err := s.live.Decode()
	if err != nil {
		return o.failed(c, s, err)
	}
	kind := input.KindOf(s.live.Identity)
	if err := c.Undefined(kind); err != nil {
		return o.failed(c, s, err)
	}
	resource := c.Server.Resource(kind)
	object := rules.Object{
		Target:   cluster.TargetOfLive(s.live),
		Source:   report.Source(s.live.Source),
		Live:     decoded,
		Deduced:  c.Server.Types(kind).Deduced,
		Custom:   resource.Custom,
		Resource: resource.Resource,
		Shape:    c.Shape(s.live),
	}
	switch {
	case s.manifest != nil:
		result := o.applied(ctx, c, *s.manifest)
		object.Manifest = &result
	case s.deletion != nil:
		object.Deletion = c.Answer(ctx, *s.deletion, c.Deletion(*s.deletion, c.Client.Manager)).Findings
	}
	defer s.live.Forget()
	return examination{examined: rules.Examine(object, Server{Ctx: ctx, Cluster: c, Live: s.live}, o.settings)}
}

// applied is what applying the manifest of a pair would give.
func (o *auditOptions) applied(ctx context.Context, c *cluster.Cluster, p cluster.Pair) report.Result {
	w := c.Write(p)
	w.Verb, w.MediaType, w.Manager, w.Force = api.Apply, "", o.Sender, c.Client != nil && c.Client.Force
	result := c.Answer(ctx, p, w)
	if !o.ShowSecrets {
		// Its masks have their own numbers, as several objects are asked at once.
		result = redact.Document(c.App.Secrets.Apart(), result)
	}
	return result
}

// unusedRules says which rules of a policy are about nothing that was audited.
func unusedRules(p policy.Policy) []string {
	const most = 10
	var out []string
	for _, u := range p.Unused() {
		text := "the rule matches no object: none is of its kinds, namespaces and labels"
		if u.Object {
			text = "the rule matches no field: its fields have no owner in the objects that it is about"
		}
		out = append(out, fmt.Sprintf("%s:%d: %s", u.Rule.Source.File, u.Rule.Source.Line, text))
	}
	if n := len(out); n > most {
		out = append(out[:most], fmt.Sprintf("%d more rules of the policy match nothing", n-most))
	}
	return out
}
