package cluster

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/progress"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Cluster is what stands in for one: what is known of it (World), who sends (Sender), and what
// makes writes of manifests (Writing), answers them (Answering) and learns from the answers
// (course). Each part is given those before it, and none knows the cluster.
type Cluster struct {
	// App is what the run shares with others.
	App *app.App
	// Jobs is how many objects are answered at once.
	Jobs int
	World
	Digests
	Sender
	Writing
	Answering
	course
	// made is what it is made of.
	made parts
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
	options := Reading(ctx, c.App, c.flags, &c.Inputs)
	learn, learned := learnBeside(c.App)
	defer learned()
	options.OnDocument = whenRead(learn)

	lives, err := c.readManifests(ctx, options, c.App.Secrets)
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
	reading := newLiveReading(&c.World, c.App.Learn, &c.Digests, options)
	if objects, err = reading.load(lives, objects); err != nil {
		return nil, err
	}
	c.Answering.found = reading.found
	if err := c.fromTheFuture(c.Now); err != nil {
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
		App:  a,
		Jobs: p.Jobs,
		World: World{
			Inputs: newInputs(),
			Served: Served{Base: p.base, Schema: p.SchemaPolicy()},
			Scope:  &Scope{namespace: in.Namespace, strict: in.Strict},
			flags:  in,
			dryRun: in.DryRun == input.DryRunServer,
		},
		made: p,
	}
	c.Digests = Digests{world: &c.World, app: a}
	c.course = course{world: &c.World, writing: &c.Writing, oneByOne: in.OneByOne,
		twice: map[live.Key]bool{}, left: map[live.Key]map[string]any{}}
	c.Writing = Writing{Now: p.now, dryRun: c.World.dryRun, schema: c.Schema, kustomization: in.Kustomize,
		digests: &c.Digests, left: c.course.left, reread: &c.World.reread}
	c.Sender = Sender{scope: c.Scope, settings: c.foundSettings(), lineOf: c.lineOfSetting, before: c.formerText,
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
