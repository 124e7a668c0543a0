package resolve

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/files/writeback"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/bounded"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/run/output"
)

// manifestTexts are the manifest files as an editor shows them, each read
// once.
type manifestTexts struct {
	options manifest.Options
	files   map[string]*File
	read    map[string]atomic.Version
	stdin   []byte
	// built is the text that a kustomization built, under that name.
	built     []byte
	builtName string
}

func newManifestTexts(maxDocumentBytes int) *manifestTexts {
	return &manifestTexts{
		options: manifest.Options{MaxDocumentBytes: maxDocumentBytes},
		files:   map[string]*File{},
		read:    map[string]atomic.Version{},
	}
}

// keepStdin reads standard input where manifests come from it, and gives an
// app that can read it again.
func (t *manifestTexts) keepStdin(ctx context.Context, a *app.App, filenames []string) (*app.App, error) {
	if !slices.ContainsFunc(filenames, input.IsStdin) {
		return a, nil
	}
	var err error
	in := iostreams.Interruptible(ctx, a.Streams.In)
	if t.stdin, err = bounded.All(in, "standard input", maxManifestText); ctx.Err() != nil {
		return nil, errors.New("interrupted while the manifests were read; nothing was answered")
	}
	if err != nil {
		return nil, fmt.Errorf("read standard input: %w", err)
	}
	streams := *a.Streams
	streams.In = bytes.NewReader(t.stdin)
	return &app.App{Streams: &streams, Bar: a.Bar, Secrets: a.Secrets, Configured: a.Configured}, nil
}

// maxManifestText bounds what is held of one file: it is edited as a whole.
const maxManifestText = 1 << 28

// file gives the text of a file; nil for one that is no text of UTF-8, which
// is read, but not edited.
func (t *manifestTexts) file(name string) (*File, error) {
	if f, ok := t.files[name]; ok {
		return f, nil
	}
	content := t.stdin
	switch {
	case input.IsStdin(name):
	case name == t.builtName:
		content = t.built
	default:
		info, err := os.Stat(name)
		if err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is no regular file and cannot be read again: give it as -f -", name)
		}
		if content, err = os.ReadFile(name); err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
	}
	text, err := unpacked(content)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	t.read[name], t.files[name] = atomic.VersionOf(content, nil), nil
	if !bytes.HasPrefix(text, []byte("\xff\xfe")) && !bytes.HasPrefix(text, []byte("\xfe\xff")) {
		t.files[name] = NewFile(name, text, t.options)
	}
	return t.files[name], nil
}

// renew takes all edits back.
func (t *manifestTexts) renew() {
	for name, f := range t.files {
		if f != nil {
			t.files[name] = NewFile(name, f.Former(), t.options)
		}
	}
}

// unpacked is the text of a file that may be compressed.
func unpacked(content []byte) ([]byte, error) {
	if !bytes.HasPrefix(content, []byte("\x1f\x8b")) {
		return content, nil
	}
	reader, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	return bounded.All(reader, "the unpacked text", maxManifestText)
}

// write puts the edited texts into their files, all of them or none.
func (t *manifestTexts) write(ctx context.Context, a *app.App, d Document) error {
	plan := &writeback.Plan{Read: t.read}
	for _, changed := range d.Files {
		plan.Rewrite(changed.File, t.files[changed.File].Text())
	}
	return output.Commit(ctx, a, plan)
}

// rewrite puts another text into a file.
func (t *manifestTexts) rewrite(ctx context.Context, a *app.App, name string, text []byte) error {
	plan := &writeback.Plan{Read: t.read}
	plan.Rewrite(name, text)
	return output.Commit(ctx, a, plan)
}
