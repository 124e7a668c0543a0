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

// digests are what live Secrets of a snapshot have for values, while they are read.
type digests struct {
	// Sealer knows the values of the manifests; nil without a key.
	Sealer *redact.Sealer
	asked  bool
	// Wanted are the manifests with values of Secrets.
	Wanted map[live.Key]map[string]any
	// Left are the digests of live objects without a value.
	Left map[live.Key]redact.Digests
}

// Reveal returns a live object with the values of the manifests instead of their
// digests. What is left are values that no manifest has, and without the key those that
// are taken for the manifests'.
func (c *Cluster) Reveal(d manifest.Document, in *input.Flags) manifest.Document {
	if d.Deferred() || !redact.IsSecret(d.APIVersion, d.Kind) && len(c.Snapshots) == 0 || !redact.MentionsDigest(d.JSON()) {
		return d
	}
	object, err := jsontree.Decode(d.JSON())
	if err != nil {
		return d
	}
	c.knowValues(in)
	key := c.Scope.Key(d.Identity)
	revealed, left := c.Digests.Sealer.Reveal(object, c.standsIn(key, d, in))
	if left.Left() {
		c.Digests.Left[key] = left
	}
	// What was decoded from JSON can be written as JSON.
	text, err := json.Marshal(revealed)
	if err != nil {
		return d
	}
	return d.Replaced(text)
}

// standsIn is what is to be written to a live object; nil where that says nothing of its
// values.
func (c *Cluster) standsIn(key live.Key, d manifest.Document, in *input.Flags) map[string]any {
	switch {
	case in.StandIn == input.TheManifest:
		return c.Digests.Wanted[key]
	case in.StandIn == input.ThePatch && redact.IsSecret(d.APIVersion, d.Kind):
		return in.Patch
	}
	return nil
}

// knowValues shows the values of all that is to be written to the sealer, once.
func (c *Cluster) knowValues(in *input.Flags) {
	if c.Digests.asked {
		return
	}
	c.Digests = digests{asked: true, Left: map[live.Key]redact.Digests{}, Wanted: map[live.Key]map[string]any{}}
	var err error
	if c.Digests.Sealer, err = sealerOf(c.App, in.SnapshotKey); err != nil {
		c.Problems = append(c.Problems, report.Problem{Message: err.Error()})
	}
	if in.Patch != nil {
		secret := maps.Clone(in.Patch)
		secret["apiVersion"], secret["kind"] = "v1", "Secret"
		c.Digests.Sealer.Know(secret)
	}
	for _, d := range slices.Concat(append([][]manifest.Document{c.Manifests}, c.Extra...)...) {
		if !redact.IsSecret(d.APIVersion, d.Kind) && !redact.Mentions(d.Raw) {
			continue
		}
		object, err := jsontree.Decode(d.JSON())
		if err != nil {
			continue
		}
		c.Digests.Sealer.Know(object)
		if key := c.Scope.Key(d.Identity); c.Digests.Wanted[key] == nil {
			c.Digests.Wanted[key] = object
		}
	}
}

// errDigests is that of a command that would write live values of Secrets.
var errDigests = errors.New("the live Secrets are of a snapshot, which has digests instead of values: --share-secrets would write them into manifests; fetch the Secrets with kubectl get -o yaml --show-managed-fields")

// RefuseDigests is an error where live Secrets have digests that no manifest's value
// replaces.
func (c *Cluster) RefuseDigests() error {
	if len(c.Digests.Left) > 0 {
		return errDigests
	}
	return nil
}

// digestCaveats say what the digests in a live object leave open.
func (c *Cluster) digestCaveats(key live.Key) []report.Caveat {
	left := c.Digests.Left[key]
	var out []report.Caveat
	for _, at := range left.Assumed {
		out = append(out, report.Caveat{Kind: api.Input, Rule: report.RuleDigests, Field: fieldpath.MakePathOrDie(at...).String(), Message: strangeDigests})
	}
	if n := left.Known + left.Strange; n > 0 {
		out = append(out, report.Caveat{Kind: api.Input, Message: fmt.Sprintf(
			"The snapshot has digests for %s of the live object that no manifest has: rules that look into such values (their size, policies) were not simulated.", words.Count(n, "value"))})
	}
	return out
}

// strangeDigests is said once of all values of a run.
const strangeDigests = "The snapshot has digests for values of Secrets, and their key is not given: whether these values change is not known, and they are taken as unchanged."

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
		return nil, fmt.Errorf("the key of the snapshot in %s has %d characters, and less than %d can be guessed: make one with 'head -c 32 /dev/urandom | base64'", name, len(text), leastKey)
	}
	if isWeak(text) {
		return nil, fmt.Errorf("the key of the snapshot in %s repeats itself, and can be guessed: make one with 'head -c 32 /dev/urandom | base64'", name)
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
