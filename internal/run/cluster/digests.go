package cluster

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/bounded"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/settings"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Digests are what live Secrets of a snapshot have for values, while they are read.
type Digests struct {
	world *World
	app   *app.App
	seal
}

// seal is what stands for digests; the zero value before any was read.
type seal struct {
	// Sealer knows the values of the manifests; nil without a key.
	Sealer *redact.Sealer
	// Wanted are the manifests with values of Secrets.
	Wanted map[live.Key]map[string]any
	// before are those before the change that is asked about; nil where none is.
	before map[live.Key]map[string]any
	// Left are the digests of live objects without a value.
	Left map[live.Key]redact.Digests
}

// Reveal returns a live object with the values of the manifests instead of their
// digests. What is left are values that no manifest has, and without the key those that
// are taken for the manifests'.
func (g *Digests) Reveal(d manifest.Document, in *input.Flags) manifest.Document {
	if d.Deferred() || !redact.IsSecret(d.APIVersion, d.Kind) && len(g.world.Snapshots) == 0 ||
		!redact.MentionsDigest(d.JSON()) {
		return d
	}
	object, err := jsontree.Decode(d.JSON())
	if err != nil {
		return d
	}
	if g.Left == nil {
		g.knowValues(in)
	}
	key := g.world.Key(d.Identity)
	// What stands in for the values is what is to be written to the object, if anything.
	var standsIn map[string]any
	switch {
	case in.StandIn == input.TheManifest:
		standsIn = g.Wanted[key]
	case in.StandIn == input.ThePatch && redact.IsSecret(d.APIVersion, d.Kind):
		standsIn = in.Patch
	}
	revealed, left := g.revealed(object, g.before[key], standsIn)
	if left.Left() {
		g.Left[key] = left
	}
	// What was decoded from JSON can be written as JSON.
	text, err := json.Marshal(revealed)
	if err != nil {
		return d
	}
	return d.Replaced(text)
}

// revealed is a live object with the values of manifests instead of their digests. What the
// change replaces is the likeliest value of a digest that cannot be compared: with that of the
// manifest after the change, undoing the change would be what the manifests before it do.
func (g *Digests) revealed(object, before, wanted map[string]any) (map[string]any, redact.Digests) {
	if before == nil || wanted == nil {
		return g.Sealer.Reveal(object, wanted)
	}
	object, first := g.Sealer.Reveal(object, before)
	object, left := g.Sealer.Reveal(object, wanted)
	left.Assumed = append(first.Assumed, left.Assumed...)
	return object, left
}

// knowValues shows the values of all that is to be written to the sealer.
func (g *Digests) knowValues(in *input.Flags) {
	g.seal = seal{Left: map[live.Key]redact.Digests{}, Wanted: map[live.Key]map[string]any{}}
	var err error
	if g.Sealer, err = sealerOf(g.app, in.SnapshotKey); err != nil {
		g.world.Problems = append(g.world.Problems, report.Problem{Message: err.Error()})
	}
	if in.Patch != nil {
		secret := maps.Clone(in.Patch)
		secret["apiVersion"], secret["kind"] = "v1", "Secret"
		g.Sealer.Know(secret)
	}
	g.know(g.Wanted, slices.Concat(append([][]manifest.Document{g.world.Manifests}, g.world.Extra...)...))
	if list := g.world.formerly(); list != nil {
		g.before = map[live.Key]map[string]any{}
		g.know(g.before, list)
	}
}

// know shows the values of manifests to the sealer, and keeps the first one of each object.
func (g *Digests) know(kept map[live.Key]map[string]any, manifests []manifest.Document) {
	for _, d := range manifests {
		if !redact.IsSecret(d.APIVersion, d.Kind) && !redact.Mentions(d.Raw) {
			continue
		}
		object, err := jsontree.Decode(d.JSON())
		if err != nil {
			continue
		}
		g.Sealer.Know(object)
		if key := g.world.Key(d.Identity); kept[key] == nil {
			kept[key] = object
		}
	}
}

// RefuseDigests is an error where live Secrets have digests that no manifest's value
// replaces.
func (d *Digests) RefuseDigests() error {
	if len(d.Left) == 0 {
		return nil
	}
	return errors.New(
		"the live Secrets are of a snapshot, which has digests instead of values: --share-secrets would write them into manifests; fetch the Secrets with kubectl get -o yaml --show-managed-fields",
	)
}

// caveats say what the digests in a live object leave open.
func (d *Digests) caveats(key live.Key) []report.Caveat {
	left := d.Left[key]
	var out []report.Caveat
	message := strangeDigests
	if d.before != nil {
		message = formerDigests
	}
	for _, at := range left.Assumed {
		out = append(out, report.Caveat{Kind: api.Input, Rule: report.RuleDigests,
			Field: fieldpath.MakePathOrDie(at...).String(), Message: message})
	}
	if n := left.Known + left.Strange; n > 0 {
		out = append(out, report.Caveat{Kind: api.Input, Message: fmt.Sprintf(
			"The snapshot has digests for %s of the live object that no manifest has: rules that look into such values (their size, policies) were not simulated.",
			words.Count(n, "value"),
		)})
	}
	return out
}

// strangeDigests is said once of all values of a run.
const strangeDigests = "The snapshot has digests for values of Secrets, and their key is not given: whether these values change is not known, and they are taken as unchanged."

// formerDigests is the same in a run that is about a change.
const formerDigests = "The snapshot has digests for values of Secrets, and their key is not given: whether these values are those before the change is not known, and they are taken to be."

// keyBytes is how many random bytes a new key has; leastKey how long the text of one has
// to be.
const (
	keyBytes = 32
	leastKey = 32
)

// sealerOf gives what seals with the key of a file, or of the user's own where no file is
// named; nil where the user has none yet.
func sealerOf(a *app.App, file string) (*redact.Sealer, error) {
	name, err := file, error(nil)
	if name == "" {
		if name, err = ownKey(a); err != nil {
			return nil, err
		}
	}
	text, err := bounded.File(name, manifest.DefaultMaxDocumentBytes)
	if file == "" && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the key of the snapshot: %w", err)
	}
	if text = bytes.TrimSpace(text); len(text) < leastKey {
		return nil, fmt.Errorf(
			"the key of the snapshot in %s has %d characters, and less than %d can be guessed: make one with 'head -c 32 /dev/urandom | base64'",
			name,
			len(text),
			leastKey,
		)
	}
	if isWeak(text) {
		return nil, fmt.Errorf(
			"the key of the snapshot in %s repeats itself, and can be guessed: make one with 'head -c 32 /dev/urandom | base64'",
			name,
		)
	}
	return redact.NewSealer(text), nil
}

// leastDifferent is how many different bytes a key has at least. Of 32 random digits,
// the poorest that are made, fewer differ once in a million times.
const leastDifferent = 6

// isWeak reports whether a key is one part again and again, or has hardly any variety.
func isWeak(key []byte) bool {
	different := map[byte]bool{}
	for _, b := range key {
		different[b] = true
	}
	// What is in its double, the ends aside, is a repetition.
	double := append(bytes.Clone(key), key...)
	return len(different) < leastDifferent || bytes.Contains(double[1:len(double)-1], key)
}

// NewSealer is sealerOf with a new key for a user who has none.
func NewSealer(a *app.App, file string) (*redact.Sealer, error) {
	sealer, err := sealerOf(a, file)
	if sealer != nil || err != nil {
		return sealer, err
	}
	if err := makeKey(a); err != nil {
		return nil, fmt.Errorf("write a key for digests of Secrets: %w", err)
	}
	return sealerOf(a, file)
}

// makeKey writes a random key that nobody else may read. One that somebody writes at the
// same time counts.
func makeKey(a *app.App) error {
	name, err := ownKey(a)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	key := make([]byte, keyBytes)
	// It never fails.
	_, _ = rand.Read(key)
	staged, err := os.CreateTemp(filepath.Dir(name), "key-")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(staged.Name()) }()
	_, err = staged.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	if err = errors.Join(err, staged.Close()); err != nil {
		return err
	}
	if err := os.Link(staged.Name(), name); err != nil && !errors.Is(err, fs.ErrExist) {
		return os.Rename(staged.Name(), name)
	}
	return nil
}

// ownKey is the file of the user's key.
func ownKey(a *app.App) (string, error) {
	state := settings.StateDir(a.Streams.Getenv)
	if state == "" {
		return "", errors.New("where the key of snapshots is cannot be told, as HOME is not set: name it with --snapshot-key")
	}
	return filepath.Join(state, "ssactl", "snapshot.key"), nil
}
