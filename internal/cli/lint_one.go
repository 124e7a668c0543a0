package cli

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/lint"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// linted is what was found on a manifest, or why nothing could be.
type linted struct {
	lint.Examined
	// kind is the one that no definition is given of, where deduced is true.
	kind    string
	deduced bool
	problem *report.Problem
}

func unlinted(p pair, err error) linted {
	return linted{problem: &report.Problem{Source: report.Source(p.document.Source), Message: err.Error()}}
}

// lintOf applies a manifest as a new object, and examines it. One without a name but
// with a prefix is created.
func (c *cluster) lintOf(ctx context.Context, p pair, o *lintOptions) linted {
	defer p.document.Forget()
	var twice *twiceError
	if p.err != nil && !errors.As(p.err, &twice) {
		return unlinted(p, p.err)
	}
	w := c.write(p)
	if err := c.undefined(w.Kind); err != nil {
		return unlinted(p, err)
	}
	w.Verb, w.MediaType, w.Manager, w.FieldValidation = api.Apply, "", o.sender, "Strict"
	w.Detail, w.Lines = engine.DetailOutcome, func(report.Result) bool { return false }
	w.Body = manifest.AsApplied(p.document.Format, p.document.Raw)
	if w.Name == "" {
		if prefix, _ := metadataOf(w.Decoded)["generateName"].(string); prefix == "" {
			return unlinted(p, nameless(p.document))
		}
		w.Verb, w.MediaType = api.Create, mediaType(p.document)
	}
	m := c.lintManifest(ctx, w)
	if m.Result.Outcome == report.Failed {
		return unlinted(p, errors.New(m.Result.Error))
	}
	m.ShowSecrets = o.showSecrets
	if twice != nil {
		first := report.Source(twice.first)
		m.First = &first
	}
	unserved := m.Result.Code == http.StatusNotFound
	return linted{Examined: lint.Examine(m, c.claims), kind: w.Kind.GroupKind().String(), deduced: m.Deduced && !unserved}
}

// lintManifest is what there is to know of a manifest: what applying it as a new
// object gives, without the metadata of another live object, which would hide the
// rest.
func (c *cluster) lintManifest(ctx context.Context, w engine.Write) lint.Manifest {
	object, _ := w.Decoded.(map[string]any)
	if bare, ok := withoutServerMetadata(object); ok {
		locator := w.Locator
		if body, err := json.Marshal(bare); err == nil {
			w = w.WithBody(body, bare)
			w.Locator = locator
		}
	}
	result := engine.Simulate(ctx, c.server, w)
	if !result.Outcome.Refused() && c.sends(w) {
		// A client may refuse what the server accepts.
		if sent := c.sent(ctx, c.server, w); sent.Outcome.Refused() {
			result = sent
		}
	}
	leave := func(path fieldpath.Path, to string) []report.ClientFix {
		return explain.Leave(ctx, c.server, w, path, to)
	}
	t := c.server.Types(w.Kind)
	m := lint.Manifest{
		Target: result.Target, Source: w.Source, Locator: w.Locator, Object: object, Deduced: t.Deduced, Result: result, Leave: leave,
		Resets: func(field string) bool { return c.server.ResetsField(w.Kind, field[1:]) },
	}
	if !c.server.Resource(w.Kind).Known {
		m.ServedAs = c.servedAs(w.Kind)
	}
	if !t.Deduced {
		m.Shape = managedfields.ShapeOf(t.ParseableType)
		m.Stored, _ = c.server.Stored(w.Kind, object)
		if c.server.Resource(w.Kind).Custom {
			m.Fields, _ = c.server.Fields(w.Kind)
		}
	}
	return m
}

func metadataOf(object any) map[string]any {
	m, _ := object.(map[string]any)
	metadata, _ := m["metadata"].(map[string]any)
	return metadata
}

// withoutServerMetadata is an object without what makes a server reject each apply of
// it as a new object; false where it has nothing of that.
func withoutServerMetadata(object map[string]any) (map[string]any, bool) {
	metadata, has := metadataOf(object), false
	bare := maps.Clone(metadata)
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
