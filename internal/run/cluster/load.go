package cluster

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/pool"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/server"
)

// Loading is what is loaded, and how.
type Loading struct {
	*input.Flags
	*input.ServerFlags
	// Quiet: nobody is shown how far it is.
	Quiet bool
}

// Load reads manifests, then the live objects that they name. Inputs that cannot
// be read are problems of the report, not errors: the others are still answered.
func Load(ctx context.Context, a *app.App, l Loading) (*Cluster, error) {
	a = watched(a, l.Quiet)
	in, sf := l.Flags, l.ServerFlags
	c, err := newCluster(a, in, sf)
	if !in.Mixed {
		err = errors.Join(err, in.CheckManifests())
	}
	if err != nil {
		return nil, err
	}
	a.Given = in.Paths()
	input.RecoverFiles(ctx, a, in)
	defer showReading(a, in)()
	options := Reading(ctx, a, in, c)
	learn, learned := learnBeside(a)
	defer learned()
	options.OnDocument = whenRead(learn)
	documents := c.readPrepared(ctx, in, options)
	if c.Manifests, err = in.Selector.Among(documents.manifests); err != nil {
		return nil, err
	}
	if in.About != nil {
		for i := range c.Manifests {
			c.Manifests[i].Identity = in.About(c.Manifests[i].Identity)
		}
	}
	for _, paths := range in.Extra {
		c.Extra = append(c.Extra, c.Documents(paths, options))
	}
	c.Definitions = c.Documents(in.Crds, options)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted while the manifests were read, %d so far; nothing was answered", len(c.Manifests))
	}
	c.CheckDefinitions(c.Definitions)

	objects := NewGiven(c.Definitions, c.Manifests)
	if c.dryRun {
		objects = NewGiven(c.Definitions, nil)
	}
	maps.Copy(objects.parameters, parametersOf(documents.live))
	c.parameters = objects.parameters
	objects.lookedFor = lookedFor(in)
	if !in.Mixed {
		c.kinds = KindsOf(c.Manifests)
	}
	if c.Server, err = objects.Server(c.Base); err != nil {
		return nil, err
	}
	c.Scope = &scope{server: c.Server, namespace: in.Namespace, strict: in.Strict}
	if err := c.want(in.Wanted); err != nil {
		return nil, err
	}
	c.noteElsewhere()
	if objects, err = c.loadLive(in, documents.live, objects, options); err != nil {
		return nil, err
	}
	if in.Writes && len(c.Snapshots) > 0 {
		return nil, fmt.Errorf("%s is a snapshot, which says what was in the cluster: --write does not change it", c.Snapshots[0].File)
	}
	switch {
	case c.dryRun:
		c.lack(c.findTogether(c.Definitions))
	case in.InOrder:
		c.together = c.findTogether(c.Definitions)
	default:
		c.plan(objects.planned)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted while the live objects were read; %s", noneOf(len(c.Manifests)))
	}
	c.noteFolders()
	return c, nil
}

// addNotice notes a remark on an input; of folders that are not read, one for the run.
func (c *Cluster) addNotice(n manifest.Notice) {
	if n.Unread > 0 {
		c.unreadFolders[n.Source.File] = n.Unread
		return
	}
	c.Notices = append(c.Notices, n.String())
}

// noteFolders says how many folders are not read.
func (c *Cluster) noteFolders() {
	n := 0
	for _, folders := range c.unreadFolders {
		n += folders
	}
	if n > 0 {
		c.Notices = append(c.Notices, fmt.Sprintf("%s in %s not read; -R reads them", words.Count(n, "folder"), Some(slices.Sorted(maps.Keys(c.unreadFolders)))))
	}
}

func noneOf(manifests int) string {
	if manifests == 0 {
		return "nothing was answered"
	}
	return fmt.Sprintf("none of %d manifests was answered", manifests)
}

// HoldBytes is how much JSON is held as it is, of manifests and of live objects
// each: enough for most runs to pack nothing.
const HoldBytes = 16 << 20

// NewServer makes the server of a run; tests share what it builds.
var NewServer = server.New

// newCluster is a cluster into which nothing was read yet.
func newCluster(a *app.App, in *input.Flags, sf *input.ServerFlags) (*Cluster, error) {
	if err := errors.Join(CheckStdin(in.Filenames, in.Live, in.Crds), in.CheckDryRun()); err != nil {
		return nil, err
	}
	if sf.Jobs < 1 {
		return nil, fmt.Errorf("--jobs %d: at least one object is answered at a time", sf.Jobs)
	}
	now, err := sf.Clock()
	if err != nil {
		return nil, err
	}
	rules, err := loadPolicy(in.Policies)
	if err != nil {
		return nil, err
	}
	options := sf.Options()
	if !a.Secrets.Shows() {
		options.Disguise = redact.Disguised
	}
	base, err := NewServer(options)
	if err != nil {
		return nil, err
	}
	return &Cluster{App: a, findSettings: &sync.Once{}, Base: base, Policy: rules.Watched(), kustomization: in.Kustomize, Jobs: sf.Jobs, scaling: in.Scaling, oneByOne: in.OneByOne, assumeAbsent: in.AssumeAbsent, creates: in.Creates, dryRun: in.DryRun == input.DryRunServer, Now: now, schema: sf.SchemaPolicy(), Read: map[string]atomic.Version{}, unreadFolders: map[string]int{}, masked: map[int]manifest.Identity{}}, nil
}

// Reading says how inputs are read; remarks on them go to the cluster.
func Reading(ctx context.Context, a *app.App, in *input.Flags, c *Cluster) manifest.Options {
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
		Beside:           isSnapshot,
		OnBeside:         c.addSnapshot,
		OnNotice:         c.addNotice,
	}
	if in.Writes {
		options.OnFile = c.noteVersion
	}
	return options
}

// noteVersion remembers what a file was. Of one that is read twice, the first
// time counts: it may have changed since.
func (c *Cluster) noteVersion(name string, info fs.FileInfo, sum [sha256.Size]byte) {
	if _, known := c.Read[name]; !known {
		c.Read[name] = atomic.Version{Info: info, Sum: sum}
	}
}

// readPrepared reads the documents, while another goroutine builds what serves their kinds.
func (c *Cluster) readPrepared(ctx context.Context, in *input.Flags, options manifest.Options) mixed {
	prepare, prepared := pool.Beside(c.Base.Prepare)
	defer prepared()
	seen, learn := map[schema.GroupVersionKind]bool{}, options.OnDocument
	options.OnDocument = func(d manifest.Document) {
		learn(d)
		if kind := input.KindOf(d.Identity); !seen[kind] {
			seen[kind] = true
			prepare(kind)
		}
	}
	return c.readDocuments(ctx, in, options)
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
	type text struct {
		of     manifest.Identity
		asJSON []byte
	}
	add, learned := pool.Beside(func(t text) { a.Learn(t.of, t.asJSON) })
	return func(of manifest.Identity, asJSON []byte) {
		if len(asJSON) < largeText || redact.IsSecret(of.APIVersion, of.Kind) {
			a.Learn(of, asJSON)
			return
		}
		add(text{of, asJSON})
	}, learned
}

// ByKey gives the manifests of an extra list by the object that each one names, and
// remarks on those that no live object is of.
func (c *Cluster) ByKey(documents []manifest.Document) map[string]manifest.Document {
	out := map[string]manifest.Document{}
	for _, d := range documents {
		out[c.Scope.Key(d.Identity).String()] = d
	}
	for _, u := range c.Unpaired(documents) {
		c.Notices = append(c.Notices, u.String())
	}
	return out
}

// CheckStdin refuses to read standard input twice.
func CheckStdin(lists ...[]string) error {
	seen := 0
	for _, list := range lists {
		for _, path := range list {
			if path == "-" {
				seen++
			}
		}
	}
	if seen > 1 {
		return fmt.Errorf("standard input (-) is named %d times, but it can be read only once: put one of them into a file", seen)
	}
	return nil
}
