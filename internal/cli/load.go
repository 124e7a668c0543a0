package cli

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

	"github.com/ssactl/ssactl/internal/cli/iostreams"
	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/pool"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/server"
)

// loading is what is loaded, and how.
type loading struct {
	*inputFlags
	*serverFlags
	// quiet: nobody is shown how far it is.
	quiet bool
}

// load reads manifests, then the live objects that they name. Inputs that cannot
// be read are problems of the report, not errors: the others are still answered.
func (a *app) load(ctx context.Context, l loading) (*cluster, error) {
	a = a.watched(l.quiet)
	in, sf := l.inputFlags, l.serverFlags
	c, err := a.newCluster(in, sf)
	if !in.mixed {
		err = errors.Join(err, in.checkManifests())
	}
	if err != nil {
		return nil, err
	}
	a.given = in.paths()
	a.recoverFiles(ctx, in)
	defer a.showReading(in)()
	options := a.reading(ctx, in, c)
	learn, learned := a.learnBeside()
	defer learned()
	options.OnDocument = whenRead(learn)
	documents := c.readPrepared(ctx, in, options)
	if c.manifests, err = in.selector.among(documents.manifests); err != nil {
		return nil, err
	}
	if in.about != nil {
		for i := range c.manifests {
			c.manifests[i].Identity = in.about(c.manifests[i].Identity)
		}
	}
	for _, paths := range in.extra {
		c.extra = append(c.extra, c.documents(paths, options))
	}
	c.definitions = c.documents(in.crds, options)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted while the manifests were read, %d so far; nothing was answered", len(c.manifests))
	}
	c.checkDefinitions(c.definitions)

	objects := newGiven(c.definitions, c.manifests)
	if c.dryRun {
		objects = newGiven(c.definitions, nil)
	}
	maps.Copy(objects.parameters, parametersOf(documents.live))
	c.parameters = objects.parameters
	objects.lookedFor = lookedFor(in)
	if !in.mixed {
		c.kinds = kindsOf(c.manifests)
	}
	if c.server, err = objects.server(c.base); err != nil {
		return nil, err
	}
	c.scope = &scope{server: c.server, namespace: in.namespace, strict: in.strict}
	if err := c.want(in.wanted); err != nil {
		return nil, err
	}
	c.noteElsewhere()
	if objects, err = c.loadLive(in, documents.live, objects, options); err != nil {
		return nil, err
	}
	if in.writes && len(c.snapshots) > 0 {
		return nil, fmt.Errorf("%s is a snapshot, which says what was in the cluster: --write does not change it", c.snapshots[0].File)
	}
	switch {
	case c.dryRun:
		c.lack(c.findTogether(c.definitions))
	case in.inOrder:
		c.together = c.findTogether(c.definitions)
	default:
		c.plan(objects.planned)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted while the live objects were read; %s", noneOf(len(c.manifests)))
	}
	c.noteFolders()
	return c, nil
}

// addNotice notes a remark on an input; of folders that are not read, one for the run.
func (c *cluster) addNotice(n manifest.Notice) {
	if n.Unread > 0 {
		c.unreadFolders[n.Source.File] = n.Unread
		return
	}
	c.notices = append(c.notices, n.String())
}

// noteFolders says how many folders are not read.
func (c *cluster) noteFolders() {
	n := 0
	for _, folders := range c.unreadFolders {
		n += folders
	}
	if n > 0 {
		c.notices = append(c.notices, fmt.Sprintf("%s in %s not read; -R reads them", words.Count(n, "folder"), some(slices.Sorted(maps.Keys(c.unreadFolders)))))
	}
}

func noneOf(manifests int) string {
	if manifests == 0 {
		return "nothing was answered"
	}
	return fmt.Sprintf("none of %d manifests was answered", manifests)
}

// holdBytes is how much JSON is held as it is, of manifests and of live objects
// each: enough for most runs to pack nothing.
const holdBytes = 16 << 20

// newServer makes the server of a run; tests share what it builds.
var newServer = server.New

// newCluster is a cluster into which nothing was read yet.
func (a *app) newCluster(in *inputFlags, sf *serverFlags) (*cluster, error) {
	if err := errors.Join(checkStdin(in.filenames, in.live, in.crds), in.checkDryRun()); err != nil {
		return nil, err
	}
	if sf.jobs < 1 {
		return nil, fmt.Errorf("--jobs %d: at least one object is answered at a time", sf.jobs)
	}
	now, err := sf.clock()
	if err != nil {
		return nil, err
	}
	rules, err := loadPolicy(in.policies)
	if err != nil {
		return nil, err
	}
	options := sf.options()
	if !a.secrets.Shows() {
		options.Disguise = redact.Disguised
	}
	base, err := newServer(options)
	if err != nil {
		return nil, err
	}
	return &cluster{app: a, findSettings: &sync.Once{}, base: base, policy: rules.Watched(), kustomization: in.kustomize, jobs: sf.jobs, scaling: in.scaling, oneByOne: in.oneByOne, assumeAbsent: in.assumeAbsent, creates: in.creates, dryRun: in.dryRun == dryRunServer, now: now, schema: sf.schemaPolicy(), read: map[string]atomic.Version{}, unreadFolders: map[string]int{}, masked: map[int]manifest.Identity{}}, nil
}

// reading says how inputs are read; remarks on them go to the cluster.
func (a *app) reading(ctx context.Context, in *inputFlags, c *cluster) manifest.Options {
	options := manifest.Options{
		Stdin:            a.streams.In,
		Wait:             func(r io.Reader) io.Reader { return iostreams.Interruptible(ctx, r) },
		Stop:             ctx.Err,
		OnRead:           a.bar.Add,
		OnDocument:       whenRead(a.learn),
		Refuse:           refuseMasked,
		HoldBytes:        holdBytes,
		Recursion:        in.recursion(),
		MaxDocumentBytes: in.maxBytes,
		MaxValues:        in.maxValues,
		MaxDepth:         in.maxDepth,
		MaxInputBytes:    in.maxInputBytes,
		MaxObjects:       in.maxObjects,
		Beside:           isSnapshot,
		OnBeside:         c.addSnapshot,
		OnNotice:         c.addNotice,
	}
	if in.writes {
		options.OnFile = c.noteVersion
	}
	return options
}

// noteVersion remembers what a file was. Of one that is read twice, the first
// time counts: it may have changed since.
func (c *cluster) noteVersion(name string, info fs.FileInfo, sum [sha256.Size]byte) {
	if _, known := c.read[name]; !known {
		c.read[name] = atomic.Version{Info: info, Sum: sum}
	}
}

// readPrepared reads the documents, while another goroutine builds what serves their kinds.
func (c *cluster) readPrepared(ctx context.Context, in *inputFlags, options manifest.Options) mixed {
	prepare, prepared := pool.Beside(c.base.Prepare)
	defer prepared()
	seen, learn := map[schema.GroupVersionKind]bool{}, options.OnDocument
	options.OnDocument = func(d manifest.Document) {
		learn(d)
		if kind := kindOf(d.Identity); !seen[kind] {
			seen[kind] = true
			prepare(kind)
		}
	}
	return c.readDocuments(ctx, in, options)
}

// learn has the values of Secrets in a text masked from now on.
func (a *app) learn(of manifest.Identity, asJSON []byte) {
	if !redact.IsSecret(of.APIVersion, of.Kind) && !redact.MayHold(asJSON) {
		return
	}
	if object, err := jsontree.Decode(asJSON); err == nil {
		a.secrets.Learn(object)
	}
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
func (a *app) learnBeside() (learn func(of manifest.Identity, asJSON []byte), learned func()) {
	type text struct {
		of     manifest.Identity
		asJSON []byte
	}
	add, learned := pool.Beside(func(t text) { a.learn(t.of, t.asJSON) })
	return func(of manifest.Identity, asJSON []byte) {
		if len(asJSON) < largeText || redact.IsSecret(of.APIVersion, of.Kind) {
			a.learn(of, asJSON)
			return
		}
		add(text{of, asJSON})
	}, learned
}

// byKey gives the manifests of an extra list by the object that each one names, and
// remarks on those that no live object is of.
func (c *cluster) byKey(documents []manifest.Document) map[string]manifest.Document {
	out := map[string]manifest.Document{}
	for _, d := range documents {
		out[c.scope.key(d.Identity).String()] = d
	}
	for _, u := range c.unpaired(documents) {
		c.notices = append(c.notices, u.String())
	}
	return out
}

// checkStdin refuses to read standard input twice.
func checkStdin(lists ...[]string) error {
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
