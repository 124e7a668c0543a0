package lint

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// linted is what was found on a manifest, or why nothing could be.
type linted struct {
	Examined
	// kind is the one that no definition is given of, where deduced is true.
	kind    string
	deduced bool
	problem *report.Problem
}

func (o *lintOptions) failed(_ *cluster.Cluster, p cluster.Pair, err error) linted {
	return linted{problem: &report.Problem{Source: report.Source(p.Document.Source), Message: err.Error()}}
}

// ask applies a manifest as a new object, and examines it. One without a name but
// with a prefix is created. Whether the write lasts is asked of the live object where there is one.
func (o *lintOptions) ask(ctx context.Context, c *cluster.Cluster, p cluster.Pair) linted {
	defer p.Document.Forget()
	var twice *cluster.TwiceError
	if p.Err != nil && !errors.As(p.Err, &twice) {
		return o.failed(c, p, p.Err)
	}
	w := c.Write(p)
	if err := c.Undefined(w.Kind); err != nil {
		return o.failed(c, p, err)
	}
	w.Verb, w.MediaType, w.Manager, w.FieldValidation = api.Apply, "", o.Sender, "Strict"
	w.Detail, w.Lines = engine.DetailOutcome, func(report.Result) bool { return false }
	w.Body = manifest.AsApplied(p.Document.Format, p.Document.Raw)
	if w.Name == "" {
		object, _ := w.Decoded.(map[string]any)
		if prefix, _ := fieldtree.Value(object, "metadata", "generateName").(string); prefix == "" {
			return o.failed(c, p, cluster.Nameless(p.Document))
		}
		w.Verb, w.MediaType = api.Create, cluster.MediaType(p.Document)
	}
	m := Read(ctx, c, w.On(nil))
	if m.Result.Outcome == report.Failed {
		return o.failed(c, p, errors.New(m.Result.Error))
	}
	m.ShowSecrets = o.ShowSecrets
	if twice != nil {
		first := report.Source(twice.First)
		m.First = &first
	}
	unserved := m.Result.Code == http.StatusNotFound
	examined := Examine(m, c.Claims)
	if w.Verb == api.Apply && !m.Result.Outcome.Refused() {
		examined.Findings = lasting(c.Lasting(ctx, w, examined.Findings))
	}
	return linted{Examined: examined, kind: w.Kind.GroupKind().String(), deduced: m.Deduced && !unserved}
}

// lasting has findings say what was seen of whether a write lasts: which field it is about, and of
// another rule that what it warns of does happen.
func lasting(list []report.Finding) []report.Finding {
	for i, f := range list {
		switch {
		case slices.Contains(f.Also, risk.NeverSettles):
			list[i].Message = f.Message.And("; ", f.Evidence)
		case risk.IsLasting(f) && f.Field != "":
			list[i].Message = text.New("%v", text.Path(f.Field)).And(": ", f.Message)
		}
	}
	return list
}

// Read is what there is to know of a manifest: what applying it as a new
// object gives, without the metadata of another live object, which would hide the
// rest.
func Read(ctx context.Context, c *cluster.Cluster, w engine.Write) Manifest {
	object, _ := w.Decoded.(map[string]any)
	if bare, ok := withoutServerMetadata(object); ok {
		locator := w.Locator
		if body, err := json.Marshal(bare); err == nil {
			w = w.WithBody(body, bare)
			w.Locator = locator
		}
	}
	result := engine.Simulate(ctx, c.Server, w)
	if !result.Outcome.Refused() && c.Sends(w) {
		// A client may refuse what the server accepts.
		if sent := c.Sent(ctx, c.Server, w); sent.Outcome.Refused() {
			result = sent
		}
	}
	leave := func(path fieldpath.Path, to string) []report.ClientFix {
		return conflict.Leave(ctx, c.Server, w, path, to)
	}
	t := c.Server.Types(w.Kind)
	m := Manifest{
		Target: result.Target, Source: w.Source, Locator: w.Locator, Object: object, Deduced: t.Deduced, Result: result,
		Leave:  leave,
		Resets: func(field string) bool { return c.Server.ResetsField(w.Kind, field[1:]) },
	}
	m.Try = func(edited map[string]any) report.Result { return applied(ctx, c, edit(w, edited)) }
	m.Again = func(edited map[string]any, manager string, wrote map[string]any) report.Result {
		first := applied(ctx, c, w)
		if first.Outcome.Refused() {
			return first
		}
		wrote = maps.Clone(wrote)
		wrote["apiVersion"], wrote["kind"] = object["apiVersion"], object["kind"]
		wrote["metadata"] = map[string]any{"name": w.Name, "namespace": w.Namespace}
		other := edit(w, wrote).On(first.Object)
		other.Manager, other.Force = manager, true
		return applied(ctx, c, edit(w, edited).On(engine.Simulate(ctx, c.Server, other).Object))
	}
	if !c.Server.Resource(w.Kind).Known {
		m.ServedAs = c.ServedAs(w.Kind)
	}
	if !t.Deduced {
		m.Shape = managedfields.ShapeOf(t.ParseableType)
		m.Stored, _ = c.Server.Stored(w.Kind, object)
		if c.Server.Resource(w.Kind).Custom {
			m.Fields, _ = c.Server.Fields(w.Kind)
		}
	}
	return m
}

// edit is a write with another body: lines are of no account.
func edit(w engine.Write, object map[string]any) engine.Write {
	version, _ := object["apiVersion"].(string)
	w.Kind = schema.FromAPIVersionAndKind(version, w.Kind.Kind)
	body, err := json.Marshal(object)
	if err != nil {
		return w
	}
	w.Plain = false
	return w.WithBody(body, object)
}

// applied is what applying a manifest gives, as its client sends it.
func applied(ctx context.Context, c *cluster.Cluster, w engine.Write) report.Result {
	r := engine.Simulate(ctx, c.Server, w)
	if !r.Outcome.Refused() && c.Sends(w) {
		return c.Sent(ctx, c.Server, w)
	}
	return r
}

// withoutServerMetadata is an object without what makes a server reject each apply of
// it as a new object; false where it has nothing of that.
func withoutServerMetadata(object map[string]any) (map[string]any, bool) {
	metadata, _ := object["metadata"].(map[string]any)
	bare, has := maps.Clone(metadata), false
	for _, name := range []string{"managedFields", "uid", "resourceVersion"} {
		if _, there := bare[name]; there {
			has = true
			delete(bare, name)
		}
	}
	if !has {
		return nil, false
	}
	out := maps.Clone(object)
	out["metadata"] = bare
	return out, true
}
