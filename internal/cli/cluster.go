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
	"time"

	"github.com/ssactl/ssactl/internal/cli/iostreams"
	"github.com/ssactl/ssactl/internal/cli/progress"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/plan/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/server"
)

// cluster is what stands in for one: the manifests to write, the live objects
// that they name, and a server that knows the kinds.
type cluster struct {
	server    simulated
	manifests []manifest.Document
	live      *live.Index
	scope     *scope
	// scaling: Scales among the manifests are for the scale subresource.
	scaling bool
	// autoscalers are those among the inputs.
	autoscalers writers.Autoscalers
	// oneByOne says that each answer depends on those before it; dryRun that none
	// does.
	oneByOne, dryRun bool
	together         together
	// kinds are those of the manifests.
	kinds kinds
	// parameters are those that admission policies take.
	parameters kinds
	now        time.Time
	// schema says what is done about kinds that nothing given defines.
	schema engine.SchemaPolicy
	// absent says what it may mean that a manifest has no live object; nil where
	// no live files were given, or what is live is asked about.
	absent *absences
	// detail is what of the results is shown.
	detail engine.Detail
	// jobs is how many objects are answered at once, and bar tells how far that
	// is; nil where nobody is shown.
	jobs    int
	bar     *progress.Bar
	secrets *redact.Masker
	// read are the files as they were when they were read, where they may be
	// written.
	read map[string]atomic.Version
	// problems are the inputs that gave no object, manifests first.
	problems []report.Problem
	// notices are remarks on inputs, in the order of the input.
	notices []string
	// unnamed counts the live objects that no manifest names; nil where there
	// is nothing to compare. unmatched are these objects, where they were asked
	// for.
	unnamed   *int
	unmatched []report.Target
}

// loadCluster reads manifests, then the live objects that they name. Inputs
// that cannot be read are problems of the report, not errors: the others are
// still answered.
func (a *app) loadCluster(ctx context.Context, in *inputFlags, sf *serverFlags) (*cluster, error) {
	c, err := newCluster(in, sf)
	if err = errors.Join(err, in.checkManifests()); err != nil {
		return nil, err
	}
	c.bar, c.secrets, c.scaling = a.bar, a.secrets, in.scaling
	a.recoverFiles(ctx, in)
	defer a.showReading(in)()
	options := a.reading(ctx, in, c)
	var problems []*manifest.Problem
	c.manifests, problems = a.loadGiven(ctx, in, options)
	c.addProblems(problems)
	if c.manifests, err = in.selector.among(c.manifests); err != nil {
		return nil, err
	}
	if in.about != nil {
		for i := range c.manifests {
			c.manifests[i].Identity = in.about(c.manifests[i].Identity)
		}
	}
	definitions, problems := manifest.Load(in.crds, options)
	c.addProblems(problems)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted while the manifests were read, of which %d are; nothing was answered", len(c.manifests))
	}
	c.checkDefinitions(definitions)

	objects := newGiven(definitions, c.manifests)
	if c.dryRun {
		objects = newGiven(definitions, nil)
	}
	c.kinds, c.parameters = kindsOf(c.manifests), objects.parameters
	first, err := objects.server(sf)
	if err != nil {
		return nil, err
	}
	c.server, c.scope = first, &scope{server: first, namespace: in.namespace, strict: in.strict}
	c.noteElsewhere()
	if objects, err = c.loadLive(in, objects, sf, options); err != nil {
		return nil, err
	}
	switch {
	case c.dryRun:
		c.lack(c.findTogether(definitions))
	case in.inOrder:
		c.together = c.findTogether(definitions)
	default:
		c.plan(objects.planned)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted while the live objects were read; %s", noneOf(len(c.manifests)))
	}
	return c, nil
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

// newCluster is a cluster into which nothing was read yet.
func newCluster(in *inputFlags, sf *serverFlags) (*cluster, error) {
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
	return &cluster{jobs: sf.jobs, oneByOne: in.oneByOne, dryRun: in.dryRun == dryRunServer, now: now, schema: sf.schemaPolicy(), read: map[string]atomic.Version{}}, nil
}

// reading says how inputs are read; remarks on them go to the cluster.
func (a *app) reading(ctx context.Context, in *inputFlags, c *cluster) manifest.Options {
	options := manifest.Options{
		Stdin:            a.streams.In,
		Wait:             func(r io.Reader) io.Reader { return iostreams.Interruptible(ctx, r) },
		Stop:             ctx.Err,
		OnRead:           a.bar.Add,
		OnDocument:       a.learn,
		HoldBytes:        holdBytes,
		Recursion:        in.recursion(),
		MaxDocumentBytes: in.maxBytes,
		MaxValues:        in.maxValues,
		MaxDepth:         in.maxDepth,
		MaxInputBytes:    in.maxInputBytes,
		MaxObjects:       in.maxObjects,
		OnNotice:         func(n manifest.Notice) { c.notices = append(c.notices, n.String()) },
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

// learn has the values of Secrets in a document masked from now on.
func (a *app) learn(d manifest.Document) {
	if !redact.IsSecret(d.APIVersion, d.Kind) && !redact.Mentions(d.Raw) {
		return
	}
	if object, err := jsontree.Decode(d.JSON()); err == nil {
		a.secrets.Learn(object)
	}
}

// loadLive keeps the live objects that a manifest names, and those that the
// server's code looks up. Without manifests it keeps all. Objects of kinds that
// nothing defines so far wait until all is read, as their definitions may be
// among the live objects. It gives what was given with what they add.
func (c *cluster) loadLive(in *inputFlags, objects given, sf *serverFlags, input manifest.Options) (given, error) {
	options := live.Options{Input: input, KeyOf: c.scope.key, Keep: c.keeps, Later: c.later()}
	if !in.hasManifests() {
		options.Match = in.selector.matches
	}
	if len(c.manifests) > 0 {
		options.HoldBytes = holdBytes
	}
	namespaces := map[string]bool{}
	named := map[live.Key]bool{}
	name := func() {
		for _, document := range c.manifests {
			named[c.scope.key(document.Identity)] = true
		}
	}
	if len(c.manifests) > 0 {
		name()
		scaled := c.scope.scales(c.manifests)
		options.Want = func(k live.Key) bool {
			namespaces[k.Namespace] = true
			return named[k] || c.scaling && scaled.has(k)
		}
	}
	if len(in.live) > 0 {
		c.absent = newAbsences(c.manifests)
	}
	options.OnUnmatched = func(id manifest.Identity, key live.Key) {
		c.absent.pass(key)
		if in.unmatched {
			c.unmatched = append(c.unmatched, targetOf(id))
		}
	}
	options.Input.OnNotice = func(n manifest.Notice) {
		c.absent.incomplete = c.absent.incomplete || n.Incomplete
		input.OnNotice(n)
	}
	known := len(c.problems)
	index, errs := live.Load(in.live, options)
	c.live = index
	c.addLives(errs)
	if kept := index.Kept(); len(kept) > 0 {
		var err error
		objects = c.withParameters(objects, in.live, kept, input)
		objects.namespaces = slices.Sorted(maps.Keys(namespaces))
		if c.server, err = objects.server(sf); err != nil {
			return objects, err
		}
		c.scope.server = c.server
	}
	c.noteAutoscalers(index.Kept())
	name()
	c.addLives(index.Settle(c.scope.key))
	c.noteAbsences(known)
	if len(in.live) > 0 && len(c.manifests) > 0 {
		n := index.Unmatched()
		c.unnamed = &n
	}
	return objects, nil
}

// noteAbsences says what is known of the live objects that are not there; the
// problems from the given one on are those of live inputs.
func (c *cluster) noteAbsences(first int) {
	if c.absent == nil {
		return
	}
	if len(c.problems) > first {
		c.absent.unread = &c.problems[first]
	}
	for _, list := range [][]*live.Object{c.live.Objects(), c.live.Kept()} {
		for _, o := range list {
			c.absent.see(c.scope.key(o.Identity))
		}
	}
}

// later tells which live objects have to wait: those of unknown kinds that a
// manifest may name, or all of unknown kinds where there are no manifests.
func (c *cluster) later() func(manifest.Identity) bool {
	unknown := func(id manifest.Identity) bool { return !c.scope.server.Resource(kindOf(id)).Known }
	named := map[live.Key]bool{}
	anywhere := func(id manifest.Identity) live.Key {
		key := live.KeyOf(id)
		key.Namespace = ""
		return key
	}
	for _, document := range c.manifests {
		if unknown(document.Identity) {
			named[anywhere(document.Identity)] = true
		}
	}
	all := len(c.manifests) == 0
	return func(id manifest.Identity) bool { return (all || named[anywhere(id)]) && unknown(id) }
}

func (c *cluster) addLives(errs []error) {
	for _, err := range errs {
		c.addLive(err)
	}
}

// addLive notes why a live object is not in the index. A duplicate is told with
// the object that it concerns.
func (c *cluster) addLive(err error) {
	var duplicate *live.DuplicateError
	if err != nil && !errors.As(err, &duplicate) {
		c.problems = append(c.problems, problemOf(err))
	}
}

// checkDefinitions tells which of the --crds define nothing.
func (c *cluster) checkDefinitions(definitions []manifest.Document) {
	for _, d := range definitions {
		if !isDefinition(d.Identity) {
			continue
		}
		if err := server.CheckDefinition(d.JSON()); err != nil {
			c.problems = append(c.problems, report.Problem{Source: report.Source(d.Source), Message: err.Error()})
		}
	}
}

func (c *cluster) addProblems(problems []*manifest.Problem) {
	for _, p := range problems {
		c.problems = append(c.problems, problemOf(p))
	}
}

func problemOf(err error) report.Problem {
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

func targetOf(id manifest.Identity) report.Target {
	return report.Target{APIVersion: id.APIVersion, Kind: id.Kind, Namespace: id.Namespace, Name: id.Name}
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
