package snapshot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/cluster"
)

// add puts an object into the bundle, once.
func (t *taking) add(d manifest.Document) error {
	key := live.KeyOf(d.Identity)
	if t.seen[key] || t.redundant(d) {
		return nil
	}
	text := jsontree.AppendCompact(nil, d.JSON())
	if redact.IsSecret(d.APIVersion, d.Kind) || redact.Mentions(text) {
		var err error
		if text, err = t.seal(text); err != nil {
			return err
		}
		if redact.IsSecret(d.APIVersion, d.Kind) {
			t.plan.Summary.Secrets++
		}
	}
	t.seen[key] = true
	t.plan.Summary.Objects++
	if cluster.IsDefinition(d.Identity) {
		t.defined[cluster.DefinedBy(d)] = true
	}
	if d.Group() == "admissionregistration.k8s.io" {
		if object, err := jsontree.Decode(text); err == nil {
			t.policies = append(t.policies, object)
		}
	}
	return t.bundle.add(text)
}

// redundant reports whether a definition is of no kind that was fetched, where all
// definitions are looked through.
func (t *taking) redundant(d manifest.Document) bool {
	if !t.sifting || !cluster.IsDefinition(d.Identity) {
		return false
	}
	kind := cluster.DefinedBy(d)
	return !slices.ContainsFunc(t.plan.Fetches, func(f Fetch) bool { return f.Wanted[0].GroupKind() == kind })
}

// seal replaces the values of Secrets with digests.
func (t *taking) seal(text []byte) ([]byte, error) {
	if t.sealer == nil {
		var err error
		if t.sealer, err = cluster.NewSealer(t.c.App, t.SnapshotKey); err != nil {
			return nil, err
		}
		t.about.Key = t.sealer.Name()
	}
	object, err := jsontree.Decode(text)
	if err != nil {
		return nil, err
	}
	return json.Marshal(t.sealer.Object(object))
}

// save writes the bundle.
func (t *taking) save() error {
	header, err := json.Marshal(struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		report.Snapshot
	}{report.APIVersion, report.SnapshotKind, t.about})
	if err != nil {
		return err
	}
	if err := t.bundle.save(t.to, bytes.TrimSpace(header)); err != nil {
		return fmt.Errorf("write the snapshot: %w", err)
	}
	t.plan.File = t.to
	return nil
}
