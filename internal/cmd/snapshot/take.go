package snapshot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/cmd/version"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/shell"
)

// taking is a snapshot while it is taken.
type taking struct {
	*snapshotOptions
	ctx     context.Context
	c       *cluster.Cluster
	request Request
	plan    Document
	about   report.Snapshot
	bundle  *writer
	sealer  *redact.Sealer
	// seen are the objects of the bundle; defined the kinds that definitions in it are of.
	seen    map[live.Key]bool
	defined map[schema.GroupKind]bool
	// policies are admission policies and their bindings.
	policies []map[string]any
	// sifting: all definitions are looked through.
	sifting bool
	// wrong is why the snapshot cannot be taken at all.
	wrong error
}

// take has the plan carried out, and writes the bundle.
func (o *snapshotOptions) take(
	ctx context.Context,
	c *cluster.Cluster,
	request Request,
	plan Document,
) (Document, error) {
	t := &taking{snapshotOptions: o, ctx: ctx, c: c, request: request, plan: plan, bundle: newWriter(),
		seen: map[live.Key]bool{}, defined: map[schema.GroupKind]bool{}}
	t.about.Taken = time.Now().UTC().Truncate(time.Second)
	if !c.Now.IsZero() {
		t.about.Taken = c.Now.UTC()
	}
	if err := t.reach(); err != nil {
		return plan, err
	}
	fetches := t.plan.Fetches
	t.plan.Fetches = nil
	t.all(fetches)
	t.all(t.undefined())
	t.all(t.parameters())
	if err := errors.Join(t.wrong, ctx.Err()); err != nil {
		return t.plan, err
	}
	return t.plan, t.save()
}

// reach asks kubectl for versions and the context, and so whether there is a cluster.
func (t *taking) reach() error {
	var server struct{ GitVersion string }
	if err := t.ask(&server, shell.Command("kubectl", "get", "--raw=/version")); err != nil {
		return err
	}
	var client struct{ ClientVersion struct{ GitVersion string } }
	if err := t.ask(&client, shell.Command("kubectl", "version", "--client", "--output=json")); err != nil {
		return err
	}
	t.about.Kubectl, t.about.Server = client.ClientVersion.GitVersion, server.GitVersion
	if t.about.Context = t.client.Context; t.about.Context == "" {
		// Without a context, as in a pod, there is none to name.
		if out, err := t.kubectl(shell.Command("kubectl", "config", "current-context")); err == nil {
			t.about.Context = strings.TrimSpace(string(out))
		}
	}
	t.plan.Context = t.about.Context
	info, err := version.Read(t.ServerFlags.Options())
	t.about.Ssactl = info.Version
	return err
}

// ask reads what kubectl prints as JSON.
func (t *taking) ask(into any, line shell.Line) error {
	out, err := t.kubectl(line)
	if err == nil {
		err = json.Unmarshal(out, into)
	}
	if err != nil && !errors.Is(err, errNoKubectl) {
		return fmt.Errorf("%s: %w", line, err)
	}
	return err
}

// all makes fetches, one after the other. What gives nothing of several kinds is asked
// for kind by kind, so that one that is forbidden costs no other.
func (t *taking) all(fetches []Fetch) {
	for _, f := range fetches {
		if t.wrong != nil || t.ctx.Err() != nil {
			return
		}
		if f.Optional && t.lacks(f) {
			f.Outcome = NotServed
			t.plan.Fetches = append(t.plan.Fetches, f)
			continue
		}
		f = t.one(f)
		if f.Outcome != Fetched && len(f.Wanted) > 1 {
			t.all(f.Parted())
			continue
		}
		t.plan.Fetches = append(t.plan.Fetches, f)
		t.cover(f)
	}
}

// lacks reports whether the definitions show that the cluster does not serve a custom
// kind.
func (t *taking) lacks(f Fetch) bool {
	kind := f.Wanted[0].GroupKind()
	for _, done := range t.plan.Fetches {
		if done.Reason != Definitions || done.Outcome != Fetched {
			continue
		}
		if slices.Contains(done.Wanted[0].Names, DefinitionOf(kind)) {
			return !t.defined[kind]
		}
	}
	return false
}

// one makes a fetch.
func (t *taking) one(f Fetch) Fetch {
	t.sifting = f.Reason == Definitions && f.Wanted[0].Names == nil
	f.Outcome, f.Message, f.Objects = Fetched, "", 0
	err := t.get(f)
	for _, w := range f.Wanted {
		asked := f.covered(w)
		for key := range t.seen {
			if asked.Has(key.Group, key.Kind, key.Namespace, key.Name) {
				f.Objects++
			}
		}
	}
	if err == nil || t.wrong != nil {
		return f
	}
	f.Outcome, f.Message = Failed, err.Error()
	switch {
	case strings.Contains(f.Message, "(Forbidden)"):
		f.Outcome = Forbidden
	case strings.Contains(f.Message, "the server doesn't have a resource type"),
		strings.Contains(f.Message, "no matches for kind"):
		f.Outcome = NotServed
	}
	return f
}

// cover notes what was asked for, or was not got.
func (t *taking) cover(f Fetch) {
	for _, w := range f.Wanted {
		covered := f.covered(w)
		switch {
		case f.Outcome.Missing():
			t.plan.Summary.Missing++
			covered.Names = slices.DeleteFunc(slices.Clone(w.Names), func(name string) bool {
				return t.seen[live.Key{Group: w.Group, Kind: w.Kind, Namespace: f.Namespace, Name: name}]
			})
			t.about.Missing = append(t.about.Missing, report.Missing{Covered: covered, Reason: string(f.Outcome)})
		case f.Outcome == NotServed && f.Reason == Manifests:
			t.about.NotServed = append(t.about.NotServed, report.Covered{Group: w.Group, Kind: w.Kind})
			t.about.Fetched = append(t.about.Fetched, covered)
		case f.Reason == Manifests, f.Reason == Admission:
			t.about.Fetched = append(t.about.Fetched, covered)
		}
	}
}

// undefined looks through all definitions for those of custom kinds that the cluster
// serves, and whose definitions have another name than most.
func (t *taking) undefined() []Fetch {
	for _, f := range t.plan.Fetches {
		w := f.Wanted[0]
		if f.Reason == Definitions && f.Outcome != Fetched {
			return nil
		}
		if f.Reason == Manifests && f.Outcome == Fetched && strings.Contains(w.Group, ".") && !t.builtIn(w) &&
			!t.defined[w.GroupKind()] {
			return []Fetch{AllDefinitions}
		}
	}
	return nil
}

// builtIn reports whether a kind is one of the simulated server's own.
func (t *taking) builtIn(w Wanted) bool {
	return slices.ContainsFunc(t.c.Server.Kinds(), func(k schema.GroupVersionKind) bool {
		return k.GroupKind() == w.GroupKind() && !t.c.Server.Resource(k).Custom
	})
}

// parameters are what the policies that were fetched take, and the definitions of that.
func (t *taking) parameters() []Fetch {
	fetches := ParametersOf(t.policies, t.request.namespaces())
	var names []string
	for _, f := range fetches {
		if w := f.Wanted[0]; w.Group != "" && !t.builtIn(w) {
			names = append(names, DefinitionOf(w.GroupKind()))
		}
	}
	return append(DefinitionsNamed(names), fetches...)
}
