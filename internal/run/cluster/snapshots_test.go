package cluster

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// TestSnapshots: what a snapshot says of itself, and of an object that is not in it.
func TestSnapshots(t *testing.T) {
	taken := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	maps := report.Covered{Kind: "ConfigMap", Namespace: "a"}
	s := report.Snapshot{
		File:    "live.gz",
		Taken:   taken,
		Server:  "v1.30.1",
		Context: "prod",
		Fetched: []report.Covered{maps},
		Missing: []report.Missing{{Covered: report.Covered{Kind: "Secret", Namespace: "a"}, Reason: "forbidden"}},
	}
	for name, c := range map[string]struct{ got, want string }{
		"new": {aged(s, taken.Add(time.Hour)), "live.gz is a snapshot of 2026-01-01 00:00 UTC (60m ago) from context prod"},
		"stale": {aged(s, taken.Add(49*time.Hour)),
			"live.gz is a snapshot of 2026-01-01 00:00 UTC (2d ago) from context prod: live objects may have changed since; 'ssactl snapshot' takes a new one"},
		"the same minor": {otherServer(s, "v1.30.9"), ""},
		"not simulated":  {otherServer(s, "v1.36.0"), "the cluster of live.gz runs v1.30.1, which is not simulated: v1.36.0 is"},
		"no version":     {otherServer(report.Snapshot{Server: "1.x"}, "v1.36.0"), ""},
		"what it lacks":  {lacking(s), "live.gz lacks what kubectl could not get (forbidden): Secret of namespace a"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", name, c.got, c.want)
		}
	}
	all := snapshots{s}
	covered, lacked := live.Key{
		Kind:      "ConfigMap",
		Namespace: "a",
		Name:      "x",
	}, live.Key{
		Kind:      "Secret",
		Namespace: "a",
		Name:      "x",
	}
	if !all.covered(covered) || all.covered(lacked) || all.notFetched(covered) != nil || all.notFetched(lacked) == nil {
		t.Errorf("covered: %v, %v; not fetched: %v, %v", all.covered(covered), all.covered(lacked), all.notFetched(covered),
			all.notFetched(lacked))
	}
}

// TestSealKey: the key of digests is long and varied, in a file that nobody else reads, and
// is made once.
func TestSealKey(t *testing.T) {
	a := quietly(t)
	if s, err := sealerOf(a, ""); s != nil || err != nil {
		t.Errorf("before a key is made: %v, %v", s, err)
	}
	made, err := NewSealer(a, "")
	if err != nil || made == nil {
		t.Fatal(err)
	}
	again, err := NewSealer(a, "")
	if err != nil || again.Name() != made.Name() {
		t.Errorf("the second time: %v, %v, the first: %v", again.Name(), err, made.Name())
	}
	file, _ := ownKey(a)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key: %v, %v", info.Mode(), err)
	}
	names, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(names) != 1 {
		t.Errorf("beside the key: %v, %v", names, err)
	}
	for name, c := range map[string]struct{ key, err string }{
		"long":      {"QoF3vO0pS8zjX1mKc9dW2eYh4uTnRbLa", ""},
		"short":     {"QoF3vO0pS8", "has 10 characters, and less than 32 can be guessed"},
		"blanks":    {"\n" + strings.Repeat(" ", 40), "has 0 characters"},
		"one part":  {strings.Repeat("Qo3vO0pS8zjX", 3), "repeats itself"},
		"few signs": {strings.Repeat("abcde", 7) + "edcba", "repeats itself"},
	} {
		other := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(other, []byte(c.key), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := sealerOf(a, other)
		if (err == nil) != (c.err == "") || (s != nil) != (err == nil) ||
			err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, want %q", name, err, c.err)
		}
	}
	if _, err := sealerOf(a, "none"); err == nil ||
		!strings.Contains(err.Error(), "read the key of the snapshot: open none") {
		t.Errorf("a key that is not there: %v", err)
	}
	homeless := &app.App{Streams: iostreams.New(nil, nil, nil, nil)}
	if _, err := NewSealer(homeless, ""); err == nil || !strings.Contains(err.Error(), "name it with --snapshot-key") {
		t.Errorf("without a home: %v", err)
	}
}

// TestReveal: digests of a snapshot are replaced by the values that manifests have; those
// that none has are reported, and without the key values are taken as the manifests'.
func TestReveal(t *testing.T) {
	const key = "QoF3vO0pS8zjX1mKc9dW2eYh4uTnRbLa"
	sealed := redact.NewSealer([]byte(key)).Object(map[string]any{"apiVersion": "v1", "kind": "Secret",
		"metadata": map[string]any{"name": "s", "namespace": "default"},
		"data":     map[string]any{"known": "aHVudGVyMg==", "other": "b3RoZXI="}})
	text, err := json.Marshal(sealed)
	if err != nil {
		t.Fatal(err)
	}
	const manifest = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {known: aHVudGVyMg==}\n"
	for name, c := range map[string]struct{ key, known, caveat string }{
		"with its key": {key, "aHVudGVyMg==", "The snapshot has digests for 1 value of the live object that no manifest has"},
		"without":      {"", "aHVudGVyMg==", strangeDigests},
		"with another": {strings.ToLower(key) + "x", "aHVudGVyMg==", strangeDigests},
	} {
		t.Run(name, func(t *testing.T) {
			flags := input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"l.yaml"}}
			texts := map[string]string{"m.yaml": manifest, "l.yaml": snapshot + string(text)}
			if c.key != "" {
				texts["key"], flags.SnapshotKey = c.key, "key"
			}
			k := loadedBy(t, flags, texts)
			p := k.Pairs()[0]
			object, err := p.Live.Decode()
			if err != nil {
				t.Fatal(err)
			}
			if data, _ := object["data"].(map[string]any); data["known"] != c.known {
				t.Errorf("the value is %v, want %s", data["known"], c.known)
			}
			if said := saidOf(k.caveats(p.Key)); !strings.Contains(said, c.caveat) {
				t.Errorf("it is said: %q, want %q", said, c.caveat)
			}
			if err := k.RefuseDigests(); err == nil {
				t.Error("digests would be written into manifests")
			}
		})
	}
}
