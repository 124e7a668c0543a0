package cli

import (
	"errors"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/plan/policy"
	"github.com/ssactl/ssactl/internal/plan/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

// cluster is what stands in for one: the manifests to write, the live objects
// that they name, and a server that knows the kinds.
type cluster struct {
	server simulated
	// base is a server of the same flags that nothing is given to.
	base      *server.Server
	manifests []manifest.Document
	// extra are the manifests of each list that are no subjects.
	extra [][]manifest.Document
	// definitions are the documents of --crds.
	definitions []manifest.Document
	live        *live.Index
	scope       *scope
	// scaling: Scales among the manifests are for the scale subresource.
	scaling bool
	// client is whose requests are simulated; nil for the one bare request.
	client *client.Client
	// foundSettings are the objects that clients take settings from, once they were looked for.
	findSettings  *sync.Once
	foundSettings []map[string]any
	// none: the client is said to be none.
	none bool
	// claims are what objects of the inputs have written to others.
	claims writers.Claims
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
	// policy says who may own what; the zero policy where none is given.
	policy policy.Policy
	// kustomization is the folder whose kustomization builds the manifests; empty where
	// they are files.
	kustomization string
	// liveUnread says that not all live objects could be read.
	liveUnread bool
	// assumeAbsent: an unknown live object is taken as absent; creates: a create needs
	// none.
	assumeAbsent, creates bool
	// absent says what it may mean that a manifest has no live object; nil where
	// no live files were given, or what is live is asked about.
	absent *absences
	// detail is what of the results is shown.
	detail engine.Detail
	// wanted are the objects that the arguments name; none for all manifests.
	wanted []objectName
	// jobs is how many objects are answered at once.
	jobs int
	// app is what the run shares with others.
	app *app
	// read are the files as they were when they were read, where they may be
	// written.
	read map[string]atomic.Version
	// reread counts the live objects that were read again for their lines.
	reread rereads
	// problems are the inputs that gave no object, manifests first.
	problems []report.Problem
	// notices are remarks on inputs, in the order of the input.
	notices []string
	// unreadFolders counts the folders in each directory that are left out without -R.
	unreadFolders map[string]int
	// snapshots say when live objects were fetched, the oldest first.
	snapshots []report.Snapshot
	digests   digests
	// masked are the live objects that were refused, as they are masked, by their problems.
	masked map[int]manifest.Identity
	// unnamed counts the live objects that no manifest names; nil where there
	// is nothing to compare. unmatched are these objects, where they were asked
	// for.
	unnamed   *int
	unmatched []report.Target
}

// noteAbsences says what is known of the live objects that are not there; the
// problems from the given one on are those of live inputs.
func (c *cluster) noteAbsences(first int) {
	if c.absent == nil {
		return
	}
	c.absent.unread = c.unreadFrom(first)
	for o := range c.live.All() {
		c.absent.see(c.scope.key(o.Identity))
	}
	for _, o := range c.live.Kept() {
		c.absent.see(c.scope.key(o.Identity))
	}
}

// addUnread notes the live definitions that answers for the manifests may need, and
// that cannot be read.
func (c *cluster) addUnread(objects given) {
	c.addWrong(objects.unread, func(r api.Resource) bool { return !r.Known || r.Custom })
}

// addUnserved notes those that can be read, and that no server takes, of kinds that
// nothing else defines.
func (c *cluster) addUnserved(objects given) {
	c.addWrong(objects.unserved, func(r api.Resource) bool { return !r.Known })
}

// addWrong notes what is wrong with definitions of kinds of the manifests, as those are
// served.
func (c *cluster) addWrong(wrong func(schema.GroupKind) []error, concerns func(api.Resource) bool) {
	told := map[string]bool{}
	asked := kinds{}
	for _, d := range c.manifests {
		kind := kindOf(d.Identity)
		if asked[kind.GroupKind()] || !concerns(c.server.Resource(kind)) {
			continue
		}
		asked[kind.GroupKind()] = true
		for _, err := range wrong(kind.GroupKind()) {
			if !told[err.Error()] {
				told[err.Error()] = true
				c.addLive(err)
			}
		}
	}
}

func (c *cluster) addLives(errs []error) {
	for _, err := range errs {
		c.addLive(err)
	}
}

// addLive notes why a live object is not in the index. A duplicate is reported with
// the object that it concerns.
func (c *cluster) addLive(err error) {
	var duplicate *live.DuplicateError
	if err == nil || errors.As(err, &duplicate) {
		return
	}
	if m := (*maskedError)(nil); errors.As(err, &m) {
		c.masked[len(c.problems)] = m.of
	}
	c.problems = append(c.problems, problemOf(err))
}

// checkDefinitions reports which of the --crds define nothing.
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
