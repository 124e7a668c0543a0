package snapshot

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/shell"
)

// errNoKubectl is that of a machine without it.
var errNoKubectl = errors.New(
	"kubectl is not in PATH, and ssactl itself opens no connection: without --to, the commands are printed, to be run elsewhere",
)

// lingering is how long a kubectl that was stopped may keep its pipes open, as a plugin
// that it started may.
const lingering = time.Second

// run is a run of kubectl that is not started yet.
func (t *taking) run(line shell.Line, complaints *beginning) (*exec.Cmd, error) {
	words := line.Args()
	if words == nil {
		return nil, line.Err()
	}
	cmd := exec.CommandContext(t.ctx, words[0], words[1:]...)
	cmd.Stderr, cmd.WaitDelay = complaints, lingering
	return cmd, nil
}

// kubectl gives what a command prints that prints little.
func (t *taking) kubectl(line shell.Line) ([]byte, error) {
	var out, complaints beginning
	cmd, err := t.run(line.With(t.client.Flags()...), &complaints)
	if err != nil {
		return nil, err
	}
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return nil, t.complaint(err, complaints.text)
	}
	return out.text, nil
}

// get puts the objects of a fetch into the bundle while kubectl prints them.
func (t *taking) get(f Fetch) error {
	var complaints beginning
	cmd, err := t.run(f.Get().Command(t.client), &complaints)
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return t.complaint(err, nil)
	}
	unread := t.read(out)
	_, _ = io.Copy(io.Discard, out)
	if err := cmd.Wait(); err != nil {
		return t.complaint(err, complaints.text)
	}
	return unread
}

// read takes the objects of a text; an empty one has none.
func (t *taking) read(out io.Reader) error {
	options := cluster.Reading(t.ctx, t.c.App, &t.Flags, &t.c.Inputs)
	in := bufio.NewReader(options.Wait(out))
	if _, err := in.Peek(1); err != nil {
		return nil
	}
	options.Stdin, options.Wait, options.OnDocument, options.Refuse = in, nil, nil, nil
	incomplete, noted := "", options.OnNotice
	options.OnNotice = func(n manifest.Notice) {
		if n.Incomplete == "" {
			noted(n)
			return
		}
		incomplete = n.Incomplete
	}
	for d, err := range manifest.Read([]string{"-"}, options) {
		if err != nil {
			return fmt.Errorf("read what kubectl printed: %w", err)
		}
		if t.wrong = t.add(d); t.wrong != nil {
			return t.wrong
		}
	}
	if incomplete != "" {
		return fmt.Errorf("kubectl printed a %s that is not all of it (metadata.continue is set)", incomplete)
	}
	return nil
}

// complaint is why kubectl failed, in its own words where it had any.
func (t *taking) complaint(err error, words []byte) error {
	if t.ctx.Err() != nil {
		return t.ctx.Err()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return errNoKubectl
	}
	if text := strings.TrimSpace(string(words)); text != "" {
		// It may quote what it could not read or write.
		return errors.New(t.c.App.Secrets.Text(text))
	}
	return err
}

// beginning keeps the first part of what is written to it.
type beginning struct{ text []byte }

// mostComplaints is how much is kept of what a program says.
const mostComplaints = 64 << 10

// Write implements io.Writer.
func (b *beginning) Write(p []byte) (int, error) {
	b.text = append(b.text, p[:min(len(p), mostComplaints-len(b.text))]...)
	return len(p), nil
}

// add puts an object into the bundle, once.
func (t *taking) add(d manifest.Document) error {
	key := live.KeyOf(d.Identity)
	if t.seen[key] {
		return nil
	}
	if t.sifting && cluster.IsDefinition(d.Identity) {
		// Where all definitions are looked through, those of kinds that were not fetched
		// are left out.
		kind := cluster.DefinedBy(d)
		if !slices.ContainsFunc(t.plan.Fetches, func(f Fetch) bool { return f.Wanted[0].GroupKind() == kind }) {
			return nil
		}
	}
	// The bundle has none of the values; what kubectl says on standard error may.
	t.c.App.Learn(d.Identity, d.JSON())
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

// writer writes objects into one compressed file: a line of JSON for each, after one that
// says what the file is. The reader of live objects takes it as it is. It holds the lines,
// compressed, until it is saved: what the first line says is known last.
type writer struct {
	packed bytes.Buffer
	zip    *gzip.Writer
}

// newWriter gives an empty bundle.
func newWriter() *writer {
	w := &writer{}
	w.zip = gzip.NewWriter(&w.packed)
	return w
}

// add puts an object into the bundle: JSON without line ends.
func (w *writer) add(object []byte) error {
	_, err := w.zip.Write(append(bytes.Clone(object), '\n'))
	return err
}

// save writes the bundle with its first line into a file that nobody else may read: as a
// whole, or not at all.
func (w *writer) save(name string, first []byte) error {
	if err := w.zip.Close(); err != nil {
		return err
	}
	output, err := atomic.CreatePrivate(name)
	if err != nil {
		return err
	}
	defer output.Discard()
	head := gzip.NewWriter(output)
	_, err = head.Write(append(bytes.Clone(first), '\n'))
	if err = errors.Join(err, head.Close()); err != nil {
		return err
	}
	if _, err := output.Write(w.packed.Bytes()); err != nil {
		return err
	}
	return output.Commit()
}
