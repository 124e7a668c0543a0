package migrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/cmd/plans"
	"github.com/ssactl/ssactl/internal/files/writeback"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/output"
)

// toMigrate is a live object with its manifest.
type toMigrate struct {
	live     *live.Object
	manifest *manifest.Document
	err      error
}

func (o *migrateOptions) inquiry() run.Inquiry[toMigrate, migration.Migration, migration.Document] {
	return run.Inquiry[toMigrate, migration.Migration, migration.Document]{
		Question: run.Question[toMigrate, migration.Migration]{
			Reads:    o.Reading(),
			Verb:     "planning",
			Subjects: o.subjects,
			Ask:      o.ask,
			Failed: func(_ *cluster.Cluster, t toMigrate, err error) migration.Migration {
				return migration.Failure(t.object(), err)
			},
		},
		Document: func(
			_ context.Context, _ *cluster.Cluster, objects []migration.Migration, run report.Run,
		) (migration.Document, error) {
			o.missing = migration.Missing(objects, o.options.From)
			return migration.NewDocument(run, objects), nil
		},
		Show: o.show,
		Verdict: func(_ *cluster.Cluster, d migration.Document) error {
			return plans.Verdict(d.Summary.Failed, d.Summary.Blocked+len(o.missing), d.Ending)
		},
		Conclude: o.conclude,
	}
}

// subjects pairs the live objects with their manifests, in the order of the index: those
// of the namespace, where one is given. Manifests without a live object are remarked on;
// two of one object are an error of that object.
func (o *migrateOptions) subjects(ctx context.Context, c *cluster.Cluster) ([]toMigrate, error) {
	manifests, twice := map[live.Key]*manifest.Document{}, map[live.Key]error{}
	for i, d := range c.Manifests {
		key := c.Scope.Key(d.Identity)
		if before := manifests[key]; before != nil {
			twice[key] = fmt.Errorf("two manifests are %s: one at %s, one at %s", key, before.Source, d.Source)
			continue
		}
		manifests[key] = &c.Manifests[i]
	}
	objects, err := c.Named(o.wanted)
	if err != nil {
		return nil, err
	}
	var out []toMigrate
	others := 0
	meant := len(manifests) > 0 && o.onlyMeant()
	for _, live := range objects {
		t := toMigrate{live: live, manifest: manifests[live.Key], err: twice[live.Key]}
		if meant && t.manifest == nil && !annotated(live) {
			others++
			continue
		}
		if _, err := c.Live.Get(live.Key); err != nil {
			t.err = err
		}
		out = append(out, t)
	}
	for _, u := range c.Unpaired(c.Manifests) {
		c.Notices = append(c.Notices, u.String())
	}
	if err := errors.Join(noteOthers(c, others, len(out)), checkSubresource(o.subresource, out)); err != nil {
		return nil, err
	}
	err = c.SendsFor(ctx, &o.ClientFlags)
	o.options.To, o.options.Send = o.Sender, c.Sent
	if c.Client != nil && c.Client.ClientSide {
		c.Notices = append(
			c.Notices,
			c.Client.Said()+": its next apply makes an Update entry again; --server-side=true (of ssactl, and of the client) is the way to server-side apply",
		)
	}
	return out, err
}

// onlyMeant reports whether objects that no manifest and no annotation is about are left alone: the entries of
// a manager that is named are taken without evidence.
func (o *migrateOptions) onlyMeant() bool {
	return len(o.options.From) > 0 && o.wanted == nil && !o.reverse
}

// noteOthers says how many live objects are left as they are; it is an error where that is all of them.
func noteOthers(c *cluster.Cluster, others, left int) error {
	switch {
	case others > 0 && left == 0:
		return errors.New("no live object is in the manifests, and none has a last-applied annotation: " +
			"name what is to be migrated without a manifest (KIND/NAME)")
	case others > 0:
		c.Notices = append(c.Notices, fmt.Sprintf(
			"%s in no manifest, and without a last-applied annotation: left as %s; KIND/NAME migrates one of them",
			words.Count(others, "live object"), words.Agree(others, "it is", "they are")))
	}
	return nil
}

// annotated reports whether an annotation says which fields of a live object are wanted. One that cannot be
// read is answered for what it is.
func annotated(o *live.Object) bool {
	object, err := o.Metadata()
	_, has := client.Annotation(object)
	return has || err != nil
}

// checkSubresource rejects the name of a subresource that has nothing to migrate and is
// not one that most kinds have.
func checkSubresource(name string, subjects []toMigrate) error {
	if name == "" || name == "status" || name == "scale" {
		return nil
	}
	for _, t := range subjects {
		// Of one that cannot be read, its answer tells.
		object, err := t.live.Decode()
		if err != nil ||
			slices.ContainsFunc(
				managedfields.Of(object).Entries,
				func(e managedfields.Entry) bool { return e.Subresource == name },
			) {
			return nil
		}
	}
	return fmt.Errorf(
		"--subresource %q: no live object has an entry of it; use status or scale, or leave it out for the object itself",
		name,
	)
}

// object is the one that is to be migrated, by its identity.
func (t toMigrate) object() migration.Object {
	return migration.Object{
		Target: report.Target{
			APIVersion: t.live.APIVersion,
			Kind:       t.live.Kind,
			Namespace:  t.live.Key.Namespace,
			Name:       t.live.Name,
		},
		Source: report.Source(t.live.Source),
	}
}

func (o *migrateOptions) ask(ctx context.Context, c *cluster.Cluster, t toMigrate) migration.Migration {
	object := t.object()
	decoded, err := t.live.Decode()
	if object.Live = decoded; err == nil {
		err = cmp.Or(t.err, c.Undefined(input.KindOf(t.live.Identity)))
	}
	if err == nil && t.manifest != nil {
		source := report.Source(t.manifest.Source)
		object.ManifestSource = &source
		if err = json.Unmarshal(t.manifest.JSON(), &object.Manifest); err != nil {
			err = fmt.Errorf("decode %s: %w", t.manifest.Source, err)
		}
	}
	if err != nil {
		return migration.Failure(object, err)
	}
	return migration.Run(ctx, c.Server, object, o.options, c.Now)
}

// show leaves out of what is shown the patches that would write masks.
func (o *migrateOptions) show(c *cluster.Cluster, seen, whole migration.Document) error {
	seen.Objects = slices.Clone(seen.Objects)
	for i := range seen.Objects {
		m := &seen.Objects[i]
		if !reflect.DeepEqual(m.Patch, whole.Objects[i].Patch) {
			m.Patch, m.NoPatch = nil, "the patch would have masked values; --show-secrets keeps them"
		}
		if m.NoPatch != "" && o.Asks("json-patch", "kubectl") {
			o.withheld = errors.Join(
				o.withheld,
				fmt.Errorf("%s: no patch: %s", words.Object(m.Target)+words.Where(m.Target), m.NoPatch),
			)
		}
	}
	return o.Answer(c.App, c.Now, nil, formatsOf(seen))
}

// conclude puts the migrated objects into the files that they came from.
func (o *migrateOptions) conclude(
	ctx context.Context,
	c *cluster.Cluster,
	subjects []toMigrate,
	d migration.Document,
	verdict error,
) error {
	for _, name := range o.missing {
		hint := ""
		if strings.Contains(name, ",") {
			hint = " (several are given by a --from each)"
		}
		fmt.Fprintf(c.App.Streams.Err, "error: no object has an entry of the field manager %q%s\n", name, hint)
	}
	if o.writeIn {
		plan := &writeback.Plan{Read: c.Read}
		for i, m := range d.Objects {
			if m.Verdict == migration.Migrates {
				plan.Replace(output.PlaceOf(subjects[i].live), m.Object)
			}
		}
		verdict = output.WriteBack(ctx, c.App, plan, verdict, "not every object can be migrated")
	}
	if o.withheld != nil && (verdict == nil || errors.Is(verdict, app.ErrNo)) {
		return o.withheld
	}
	return verdict
}

// formatsOf is the answer of migrate. The objects are as they are after the migration;
// those that are blocked are left out.
func formatsOf(d migration.Document) show.Answer {
	var results []report.Result
	var patches []plans.Patch
	for _, m := range d.Objects {
		if m.Verdict == migration.Migrates || m.Verdict == migration.NothingToDo {
			results = append(
				results,
				report.Result{Target: m.Target, Operation: report.Patch, Outcome: report.Configured, Object: m.Object},
			)
		}
		if m.Verdict == migration.Migrates {
			patches = append(patches, plans.Patch{Target: m.Target, Patch: m.Patch, NoPatch: m.NoPatch})
		}
	}
	migrated := report.New(report.Run{}, results)
	return show.Answer{
		Report: d,
		View:   func(o page.Options) model.Document { return layOut(d, o) },
		Own: map[string]func(io.Writer, show.Options) error{
			"yaml": plans.Objects("yaml", migrated),
			"json": plans.Objects("json", migrated),
			"json-patch": func(w io.Writer, _ show.Options) error {
				return plans.Patches(w, patches, d.Summary.Total == 1 && d.Interrupted == nil)
			},
			"kubectl": func(w io.Writer, _ show.Options) error { return migrateCommands(w, d) },
		},
	}
}

// migrateCommands writes a script for a POSIX shell: a kubectl patch for each
// object that changes. It stops at the first that fails.
func migrateCommands(w io.Writer, d migration.Document) error {
	var b strings.Builder
	b.WriteString("set -e\n")
	for _, m := range d.Objects {
		name := glyph.Visible(words.Object(m.Target) + words.Where(m.Target))
		switch {
		case m.Verdict == migration.Migrates && m.NoPatch != "":
			b.WriteString("# " + name + ": no patch: " + glyph.Visible(m.NoPatch) + "\n")
		case m.Verdict == migration.Migrates:
			group, version := words.GroupVersion(m.Target.APIVersion)
			resource := schema.GroupVersionResource{Group: group, Version: version, Resource: m.Resource}
			line, err := plans.Command(
				kubectl.Object{Resource: resource, Namespace: m.Target.Namespace, Name: m.Target.Name},
				m.Patch,
				m.PatchManager,
			)
			if err != nil {
				return show.NoCommand(m.Target, m.Source, err)
			}
			b.WriteString(line + "\n")
		case m.Verdict != migration.NothingToDo:
			b.WriteString("# " + name + ": " + strings.ToLower(string(m.Verdict)) + blockedBy(m) + "\n")
		}
	}
	b.WriteString(show.ScriptEnd(d.Interrupted))
	_, err := io.WriteString(w, b.String())
	return err
}
