package cluster

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/pool"
	"github.com/ssactl/ssactl/internal/render/safetext"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/run/progress"
	"github.com/ssactl/ssactl/internal/server/custom"
)

// Inputs are what a run has read, and what is wrong with it.
type Inputs struct {
	Manifests []manifest.Document
	// Extra are the manifests of each list that are no subjects.
	Extra [][]manifest.Document
	// Definitions are the documents of --crds.
	Definitions []manifest.Document
	// Read are the files as they were when they were read, where they may be written.
	Read map[string]atomic.Version
	// Problems are the inputs that gave no object, manifests first.
	Problems []report.Problem
	// Notices are remarks on inputs, in the order of the input.
	Notices []string
	// Snapshots say when live objects were fetched, the oldest first.
	Snapshots snapshots
	// former are the manifests before the change that is asked about; nil for none.
	former *former
	// unreadFolders counts the folders in each directory that are left out without -R.
	unreadFolders map[string]int
	// masked are the live objects that were refused, as they are masked, by their problems.
	masked map[int]manifest.Identity
}

func newInputs() Inputs {
	return Inputs{Read: map[string]atomic.Version{}, unreadFolders: map[string]int{}, masked: map[int]manifest.Identity{}}
}

// HoldBytes is how much JSON is held as it is, of manifests and of live objects
// each: enough for most runs to pack nothing.
const HoldBytes = 16 << 20

// Reading says how inputs are read; what is remarked on them is noted.
func Reading(ctx context.Context, a *app.App, in *input.Flags, i *Inputs) manifest.Options {
	options := manifest.Options{
		Stdin:            a.Streams.In,
		Wait:             func(r io.Reader) io.Reader { return iostreams.Interruptible(ctx, r) },
		Stop:             ctx.Err,
		OnRead:           a.Bar.Add,
		OnDocument:       whenRead(a.Learn),
		Refuse:           refuseMasked,
		HoldBytes:        HoldBytes,
		Recursion:        in.Recursion(),
		MaxDocumentBytes: in.MaxBytes,
		MaxValues:        in.MaxValues,
		MaxDepth:         in.MaxDepth,
		MaxInputBytes:    in.MaxInputBytes,
		MaxObjects:       in.MaxObjects,
		Conceal:          !a.Secrets.Shows(),
		Beside: func(id manifest.Identity) bool {
			return id.APIVersion == report.APIVersion && id.Kind == report.SnapshotKind
		},
		OnBeside: i.addSnapshot,
		OnNotice: func(n manifest.Notice) {
			if n.Unread > 0 {
				i.unreadFolders[n.Source.File] = n.Unread
				return
			}
			i.Notices = append(i.Notices, n.String())
		},
	}
	if in.Writes {
		// Of a file that is read twice, the first time counts: it may have changed since.
		options.OnFile = func(name string, info fs.FileInfo, sum [sha256.Size]byte) {
			if _, known := i.Read[name]; !known {
				i.Read[name] = atomic.Version{Info: info, Sum: sum}
			}
		}
	}
	return options
}

// Documents reads documents; what cannot be read is a problem.
func (i *Inputs) Documents(paths []string, options manifest.Options) []manifest.Document {
	documents, problems := manifest.Load(paths, options)
	return i.found(documents, problems)
}

func (i *Inputs) found(documents []manifest.Document, problems []*manifest.Problem) []manifest.Document {
	for _, p := range problems {
		i.Problems = append(i.Problems, ProblemOf(p))
	}
	return documents
}

// readFiles reads -f, -k and, where -f takes live objects and manifests alike, --live.
// What one -f names (a file, a directory, standard input) is then live as a whole when any
// object in it came from a server, else it is manifests. With --live, every -f is
// manifests, unless --live is a setting: what is typed comes before it. Where nothing at
// all came from a server, everything is live, with a remark.
func (i *Inputs) readFiles(
	ctx context.Context,
	in *input.Flags,
	options manifest.Options,
) (manifests, lives []manifest.Document) {
	if in.Kustomize != "" {
		defer func() { manifests = append(manifests, i.found(in.Build(ctx, options))...) }()
	}
	if !in.Mixed {
		return i.Documents(in.Filenames, options), nil
	}
	fromServer := func(documents []manifest.Document) bool {
		return slices.ContainsFunc(documents, manifest.Document.FromServer)
	}
	var named [][]manifest.Document
	for _, path := range in.Filenames {
		named = append(named, i.Documents([]string{path}, options))
	}
	if in.LiveBySettings && slices.ContainsFunc(named, fromServer) {
		in.Live = nil
		i.Notices = append(i.Notices, "-f names live objects, which are asked about: the setting live is not used")
	}
	for _, path := range in.Live {
		lives = append(lives, i.Documents([]string{path}, options)...)
	}
	for _, documents := range named {
		if len(in.Live) == 0 && fromServer(documents) {
			lives = append(lives, documents...)
		} else {
			manifests = append(manifests, documents...)
		}
	}
	if len(lives) == 0 && len(in.Live) == 0 && len(manifests) > 0 {
		manifests, lives = nil, manifests
		i.Notices = append(
			i.Notices,
			"no object has managedFields, a uid or a resourceVersion; all are taken as live objects (fetch them with kubectl get -o yaml --show-managed-fields)",
		)
	}
	return manifests, lives
}

// noteFolders says how many folders are not read.
func (i *Inputs) noteFolders() {
	n := 0
	for _, folders := range i.unreadFolders {
		n += folders
	}
	if n > 0 {
		i.Notices = append(
			i.Notices,
			fmt.Sprintf(
				"%s in %s not read; -R reads them",
				words.Count(n, "folder"),
				Some(slices.Sorted(maps.Keys(i.unreadFolders))),
			),
		)
	}
}

// AddLives notes why live objects are not in the index. A duplicate is reported with
// the object that it concerns.
func (i *Inputs) AddLives(errs []error) {
	for _, err := range errs {
		var duplicate *live.DuplicateError
		if err == nil || errors.As(err, &duplicate) {
			continue
		}
		if m := (*maskedError)(nil); errors.As(err, &m) {
			i.masked[len(i.Problems)] = m.of
		}
		i.Problems = append(i.Problems, ProblemOf(err))
	}
}

// CheckDefinitions reports which of the --crds define nothing.
func (i *Inputs) CheckDefinitions(definitions []manifest.Document) {
	for _, d := range definitions {
		if !IsDefinition(d.Identity) {
			continue
		}
		if err := custom.CheckDefinition(d.JSON()); err != nil {
			i.Problems = append(i.Problems, report.Problem{Source: report.Source(d.Source), Message: err.Error()})
		}
	}
}

// addSnapshot notes what a bundle says of itself.
func (i *Inputs) addSnapshot(d manifest.Document) {
	var s report.Snapshot
	if err := json.Unmarshal(d.JSON(), &s); err != nil || s.Taken.IsZero() {
		i.Problems = append(i.Problems, report.Problem{Source: report.Source(d.Source),
			Message: "it is no Snapshot that this version of ssactl reads"})
		return
	}
	s.File = d.Source.File
	if slices.ContainsFunc(i.Snapshots, func(other report.Snapshot) bool { return other.File == s.File }) {
		return
	}
	i.Snapshots = append(i.Snapshots, s)
	slices.SortStableFunc(i.Snapshots, func(a, b report.Snapshot) int {
		return cmp.Or(a.Taken.Compare(b.Taken), strings.Compare(a.File, b.File))
	})
}

// maskedError is that of a mask that is read as the value of a Secret.
type maskedError struct {
	of    manifest.Identity
	field fieldpath.Path
}

func (e *maskedError) Error() string {
	return fmt.Sprintf(
		"%v of the Secret is masked, and its value is not known: print it with --show-secrets, or fetch it with kubectl get -o yaml --show-managed-fields",
		e.field,
	)
}

// refuseMasked is the error of a document with a mask instead of a value of a Secret, and
// its field.
func refuseMasked(d manifest.Document) (fieldpath.Path, error) {
	if !redact.MentionsMask(d.JSON()) {
		return nil, nil
	}
	object, err := jsontree.Decode(d.JSON())
	if err != nil {
		return nil, nil
	}
	found := redact.Masked(object)
	if found == nil {
		return nil, nil
	}
	field := fieldpath.MakePathOrDie(found...)
	return field, &maskedError{d.Identity, field}
}

// ProblemOf is an error of an input as a problem of a report.
func ProblemOf(err error) report.Problem {
	var p *manifest.Problem
	if errors.As(err, &p) {
		return report.Problem{Source: report.Source(p.Source), Message: p.Message() + raised(err)}
	}
	return report.Problem{Message: err.Error()}
}

// raised names the flag that raises the limit that an input exceeds.
func raised(err error) string {
	for limit, flag := range map[error]string{
		manifest.ErrTooLarge:       "--max-document-bytes",
		manifest.ErrTooManyValues:  "--max-values",
		manifest.ErrTooDeep:        "--max-depth",
		manifest.ErrTooLong:        "--max-input-bytes",
		manifest.ErrTooManyObjects: "--max-objects",
	} {
		if errors.Is(err, limit) {
			return " (" + flag + " raises it)"
		}
	}
	return ""
}

// watched gives an app that draws a progress bar on standard error, where that
// is a terminal and somebody wants to see it. What it writes to the terminal
// and the bar keep out of each other's way.
func watched(a *app.App, quiet bool) *app.App {
	if !a.Streams.ErrIsTerminal || quiet {
		return a
	}
	streams := *a.Streams
	bar := progress.New(streams.Err.As(safetext.Exact), streams.ErrWidth(), time.Now)
	streams.Err = streams.Err.Around(bar.Around)
	if streams.OutIsTerminal {
		streams.Out = streams.Out.Around(bar.Around)
	}
	watched := *a
	watched.Streams, watched.Bar = &streams, bar
	return &watched
}

// inputBytes is how many bytes the inputs have as they are stored; negative
// where nobody knows.
func inputBytes(in *input.Flags) int64 {
	var total int64
	for _, path := range slices.Concat(in.Filenames, in.Crds, in.Live) {
		// What cannot be read is reported when it is read.
		files, _ := manifest.Files(path, in.Recursion())
		for _, file := range files {
			info, err := os.Stat(file)
			switch {
			case file == "-":
				return -1
			case err != nil:
			case !info.Mode().IsRegular():
				return -1
			default:
				total += info.Size()
			}
		}
	}
	return total
}

// readPrepared reads the documents, while another goroutine prepares what serves their kinds.
func (i *Inputs) readPrepared(
	ctx context.Context,
	in *input.Flags,
	options manifest.Options,
	prepare func(schema.GroupVersionKind),
) (manifests, lives []manifest.Document) {
	add, prepared := pool.Beside(prepare)
	defer prepared()
	seen, learn := map[schema.GroupVersionKind]bool{}, options.OnDocument
	options.OnDocument = func(d manifest.Document) {
		learn(d)
		if kind := input.KindOf(d.Identity); !seen[kind] {
			seen[kind] = true
			add(kind)
		}
	}
	return i.readFiles(ctx, in, options)
}

// whenRead has the text of each document learned that is read. One whose reading is put
// off is learned by who reads it (given.definitionsOf): nothing of it is shown before.
func whenRead(learn func(of manifest.Identity, asJSON []byte)) func(manifest.Document) {
	return func(d manifest.Document) {
		if !d.Deferred() {
			learn(d.Identity, d.JSON())
		}
	}
}

// largeText is what takes longer to learn from than to hand over.
const largeText = 64 << 10

// learnBeside gives a learn for the caller, who reads, that does not wait for large texts:
// another goroutine looks through them meanwhile. All is learned when learned comes back,
// and nothing may be shown before. Secrets themselves are learned at once. Masks do not
// depend on the order in which values are learned.
func learnBeside(a *app.App) (learn func(of manifest.Identity, asJSON []byte), learned func()) {
	add, learned := pool.Beside(func(learn func()) { learn() })
	return func(of manifest.Identity, asJSON []byte) {
		if len(asJSON) < largeText || redact.IsSecret(of.APIVersion, of.Kind) {
			a.Learn(of, asJSON)
			return
		}
		add(func() { a.Learn(of, asJSON) })
	}, learned
}
