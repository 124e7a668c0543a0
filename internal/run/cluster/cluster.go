package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/progress"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Cluster is what stands in for one: the manifests to write, the live objects that they
// name, and a server that knows their kinds. Each part has its own file.
type Cluster struct {
	// App is what the run shares with others.
	App *app.App
	// Jobs is how many objects are answered at once.
	Jobs int
	// flags say what is read and asked.
	flags *input.Flags
	Inputs
	Served
	*Scope
	Digests
	Sender
	Writing
	Answering
	course
	Live *live.Index
	// LiveUnread says that not all live objects could be read.
	LiveUnread bool
	// absent says what it may mean that a manifest has no live object; nil where no live
	// files were given, or what is live is asked about.
	absent *absences
	// allNamespaces: the live files claim to have all Namespaces.
	allNamespaces bool
	// Unnamed counts the live objects that no manifest names; nil where there is nothing
	// to compare. Unmatched are these objects, where they were asked for.
	Unnamed   *int
	Unmatched []report.Target
	// made is what it is made of, and former are the manifests before the change that is asked
	// about; nil for none.
	made   parts
	former *former
}

// parts are what a cluster is made of, before anything is read into it.
type parts struct {
	Loading
	now   time.Time
	rules policy.Policy
	base  *server.Server
	// disguise hides values of Secrets from programs; nil to show them.
	disguise api.Disguise
}

// Loading is what is loaded, and how.
type Loading struct {
	*input.Flags
	*input.ServerFlags
	// Quiet: no progress is shown.
	Quiet bool
}

// Interrupted is the error of a run that was interrupted while it read its inputs: nothing
// was answered, and outputs say so.
type Interrupted struct{ while string }

// Error implements error.
func (e *Interrupted) Error() string { return "interrupted while " + e.while }

// Load reads manifests, then the live objects that they name. Inputs that cannot
// be read are problems of the report, not errors: the others are still answered. With an
// *Interrupted it gives what was read until then.
func Load(ctx context.Context, a *app.App, l Loading) (*Cluster, error) {
	c, err := newCluster(watched(a, l.Quiet), l)
	if err != nil {
		return nil, err
	}
	c.App.Given = l.Paths()
	input.RecoverFiles(ctx, c.App, c.flags)
	bytes := inputBytes(c.flags)
	if c.App.Streams.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent(bytes))
	}
	if c.App.Bar != nil {
		c.App.Bar.Start("reading", bytes, progress.Bytes)
	}
	defer c.App.Bar.End()
	options := Reading(ctx, c.App, c.flags, c)
	learn, learned := learnBeside(c.App)
	defer learned()
	options.OnDocument = whenRead(learn)

	lives, err := c.readManifests(ctx, options)
	if stopped := (*Interrupted)(nil); errors.As(err, &stopped) {
		return c, err
	}
	if err != nil {
		return nil, err
	}
	if err := c.readFormer(ctx, options); err != nil {
		return nil, err
	}
	objects, err := c.serveManifests(lives)
	if err != nil {
		return nil, err
	}
	if err := c.checkWanted(); err != nil {
		return nil, err
	}
	c.noteElsewhere()
	if objects, err = c.loadLive(lives, objects, options); err != nil {
		return nil, err
	}
	if err := c.fromTheFuture(); err != nil {
		return nil, err
	}
	if c.flags.Writes && len(c.Snapshots) > 0 {
		return nil, fmt.Errorf(
			"%s is a snapshot, which says what was in the cluster: --write does not change it",
			c.Snapshots[0].File,
		)
	}
	c.bringTogether(ctx, objects.planned)
	if ctx.Err() != nil {
		none := "nothing was answered"
		if n := len(c.Manifests); n > 0 {
			none = fmt.Sprintf("none of %d manifests was answered", n)
		}
		return c, &Interrupted{"the live objects were read; " + none}
	}
	c.noteFolders()
	return c, nil
}

// gcPercent is the collector's GOGC for so many bytes of input, which are not known where
// they are negative. With Go's 100, 22 objects take a tenth more processor time than with
// 200, and 10,000 objects of 72 MB 362 MB of memory at the peak, 324 with 70.
func gcPercent(input int64) int {
	if input < 0 || input > 4<<20 {
		return 70
	}
	return 200
}

// NewServer makes the server of a run; tests share what it builds.
var NewServer = server.New

// newCluster is a cluster into which nothing was read yet.
func newCluster(a *app.App, l Loading) (*Cluster, error) {
	in := l.Flags
	in.LiveBySettings = a.Configured["live"]
	err := errors.Join(CheckStdin(in.Filenames, in.Live, in.Crds), in.CheckDryRun(), in.CheckRounds())
	if !in.Mixed {
		err = errors.Join(err, in.CheckManifests())
	}
	if err != nil {
		return nil, err
	}
	if l.Jobs < 1 {
		return nil, fmt.Errorf("--jobs %d: at least one object is answered at a time", l.Jobs)
	}
	now, err := l.Clock()
	if err != nil {
		return nil, err
	}
	rules, err := loadPolicy(in.Policies)
	if err != nil {
		return nil, err
	}
	options := l.ServerFlags.Options()
	if !a.Secrets.Shows() {
		options.Disguise = redact.Disguised
	}
	base, err := NewServer(options)
	if err != nil {
		return nil, err
	}
	return parts{l, now, rules, base, options.Disguise}.cluster(a), nil
}

// cluster is one into which nothing was read yet.
func (p parts) cluster(a *app.App) *Cluster {
	in := p.Flags
	c := &Cluster{
		App:    a,
		Jobs:   p.Jobs,
		flags:  in,
		Inputs: newInputs(),
		Served: Served{Base: p.base, Schema: p.SchemaPolicy()},
		made:   p,
	}
	c.Scope = &Scope{namespace: in.Namespace, strict: in.Strict}
	c.course = course{served: &c.Served, oneByOne: in.OneByOne, dryRun: in.DryRun == input.DryRunServer,
		twice: map[live.Key]bool{}, left: map[live.Key]map[string]any{}}
	c.Writing = Writing{Now: p.now, dryRun: c.course.dryRun, schema: c.Schema, kustomization: in.Kustomize,
		digests: &c.Digests, left: c.course.left}
	c.Sender = Sender{scope: c.Scope, settings: c.foundSettings(), lineOf: c.lineOfSetting,
		disguise: p.disguise, others: c.spareMetadata, selector: in.Selector.Labels()}
	c.Answering = Answering{
		Policy:   p.rules.Watched(),
		rounds:   in.Rounds,
		served:   &c.Served,
		sender:   &c.Sender,
		together: &c.course.together,
		call:     called(a, in, p.ServerFlags),
	}
	return c
}

// CheckStdin refuses to read standard input twice.
func CheckStdin(lists ...[]string) error {
	others := slices.DeleteFunc(slices.Concat(lists...), func(path string) bool { return path != "-" })
	if len(others) > 1 {
		return fmt.Errorf(
			"standard input (-) is named %d times, but it can be read only once: put one of them into a file",
			len(others),
		)
	}
	return nil
}

// readManifests reads the manifests and the definitions, and gives the documents of -f that
// are live objects.
func (c *Cluster) readManifests(ctx context.Context, options manifest.Options) ([]manifest.Document, error) {
	manifests, lives := c.readPrepared(ctx, c.flags, options, c.Base.Prepare)
	var err error
	if c.Manifests, err = c.flags.Selector.Among(manifests); err != nil {
		return nil, err
	}
	c.holdDerived()
	if about := c.flags.About; about != nil {
		for i := range c.Manifests {
			c.Manifests[i].Identity = about(c.Manifests[i].Identity)
		}
	}
	for _, paths := range c.flags.Extra {
		c.Extra = append(c.Extra, c.Documents(paths, options))
	}
	c.Definitions = c.Documents(c.flags.Crds, options)
	if ctx.Err() != nil {
		return nil, &Interrupted{fmt.Sprintf("the manifests were read, %d so far; nothing was answered", len(c.Manifests))}
	}
	c.CheckDefinitions(c.Definitions)
	return lives, nil
}

// holdDerived has the fields masked that a kustomization made from values of Secrets.
func (c *Cluster) holdDerived() {
	for _, d := range c.Manifests {
		if fields := engine.Hidden(d.Derived, nil); len(fields) > 0 {
			for _, namespace := range []string{d.Namespace, cmp.Or(d.Namespace, c.namespace, "default")} {
				c.App.Secrets.Hold(d.APIVersion, d.Kind, namespace, d.Name, fields)
			}
		}
	}
}

// serveManifests makes the server that knows what manifests and definitions say, which is
// what it gives; lives are the documents of -f that are live.
func (c *Cluster) serveManifests(lives []manifest.Document) (given, error) {
	manifests := c.Manifests
	if c.course.dryRun {
		manifests = nil
	}
	objects := NewGiven(c.Definitions, manifests)
	maps.Copy(objects.parameters, parametersOf(lives))
	c.parameters = objects.parameters
	objects.lookedFor = lookedFor(c.flags)
	if !c.flags.Mixed {
		c.kinds = KindsOf(c.Manifests)
	}
	return objects, c.serve(objects)
}

// serve has a server answer that knows what is given.
func (c *Cluster) serve(objects given) (err error) {
	if c.Server, err = objects.Server(c.Base); err == nil {
		c.Scope.served = c.Server
	}
	return err
}
