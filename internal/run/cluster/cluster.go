package cluster

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
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/custom"
)

// Cluster is what stands in for one: the manifests to write, the live objects
// that they name, and a server that knows the kinds.
type Cluster struct {
	Server Simulated
	// Base is a server of the same flags that nothing is given to.
	Base      *server.Server
	Manifests []manifest.Document
	// Extra are the manifests of each list that are no subjects.
	Extra [][]manifest.Document
	// Definitions are the documents of --crds.
	Definitions []manifest.Document
	Live        *live.Index
	Scope       *scope
	// scaling: Scales among the manifests are for the scale subresource.
	scaling bool
	// Client is whose requests are simulated; nil for the one bare request.
	Client *client.Client
	// foundSettings are the objects that clients take settings from, once they were looked for.
	findSettings  *sync.Once
	foundSettings []map[string]any
	// none: the client is said to be none.
	none bool
	// Claims are what objects of the inputs have written to others.
	Claims writers.Claims
	// oneByOne says that each answer depends on those before it; dryRun that none
	// does.
	oneByOne, dryRun bool
	together         together
	// kinds are those of the manifests.
	kinds kinds
	// parameters are those that admission policies take.
	parameters kinds
	Now        time.Time
	// schema says what is done about kinds that nothing given defines.
	schema engine.SchemaPolicy
	// Policy says who may own what; the zero policy where none is given.
	Policy policy.Policy
	// kustomization is the folder whose kustomization builds the manifests; empty where
	// they are files.
	kustomization string
	// LiveUnread says that not all live objects could be read.
	LiveUnread bool
	// assumeAbsent: an unknown live object is taken as absent; creates: a create needs
	// none.
	assumeAbsent, creates bool
	// absent says what it may mean that a manifest has no live object; nil where
	// no live files were given, or what is live is asked about.
	absent *absences
	// Detail is what of the results is shown.
	Detail engine.Detail
	// wanted are the objects that the arguments name; none for all manifests.
	wanted []input.ObjectName
	// Jobs is how many objects are answered at once.
	Jobs int
	// App is what the run shares with others.
	App *app.App
	// Read are the files as they were when they were read, where they may be
	// written.
	Read map[string]atomic.Version
	// reread counts the live objects that were read again for their lines.
	reread rereads
	// Problems are the inputs that gave no object, manifests first.
	Problems []report.Problem
	// Notices are remarks on inputs, in the order of the input.
	Notices []string
	// unreadFolders counts the folders in each directory that are left out without -R.
	unreadFolders map[string]int
	// Snapshots say when live objects were fetched, the oldest first.
	Snapshots []report.Snapshot
	Digests   digests
	// masked are the live objects that were refused, as they are masked, by their problems.
	masked map[int]manifest.Identity
	// Unnamed counts the live objects that no manifest names; nil where there
	// is nothing to compare. unmatched are these objects, where they were asked
	// for.
	Unnamed   *int
	Unmatched []report.Target
}

// noteAbsences says what is known of the live objects that are not there; the
// problems from the given one on are those of live inputs.
func (c *Cluster) noteAbsences(first int) {
	if c.absent == nil {
		return
	}
	c.absent.unread = c.unreadFrom(first)
	for o := range c.Live.All() {
		c.absent.see(c.Scope.Key(o.Identity))
	}
	for _, o := range c.Live.Kept() {
		c.absent.see(c.Scope.Key(o.Identity))
	}
}

// addUnread notes the live definitions that answers for the manifests may need, and
// that cannot be read.
func (c *Cluster) addUnread(objects given) {
	c.addWrong(objects.unread, func(r api.Resource) bool { return !r.Known || r.Custom })
}

// addUnserved notes those that can be read, and that no server takes, of kinds that
// nothing else defines.
func (c *Cluster) addUnserved(objects given) {
	c.addWrong(objects.unserved, func(r api.Resource) bool { return !r.Known })
}

// addWrong notes what is wrong with definitions of kinds of the manifests, as those are
// served.
func (c *Cluster) addWrong(wrong func(schema.GroupKind) []error, concerns func(api.Resource) bool) {
	told := map[string]bool{}
	asked := kinds{}
	for _, d := range c.Manifests {
		kind := input.KindOf(d.Identity)
		if asked[kind.GroupKind()] || !concerns(c.Server.Resource(kind)) {
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

// AddLives notes why live objects are not in the index.
func (c *Cluster) AddLives(errs []error) {
	for _, err := range errs {
		c.addLive(err)
	}
}

// addLive notes why a live object is not in the index. A duplicate is reported with
// the object that it concerns.
func (c *Cluster) addLive(err error) {
	var duplicate *live.DuplicateError
	if err == nil || errors.As(err, &duplicate) {
		return
	}
	if m := (*maskedError)(nil); errors.As(err, &m) {
		c.masked[len(c.Problems)] = m.of
	}
	c.Problems = append(c.Problems, ProblemOf(err))
}

// CheckDefinitions reports which of the --crds define nothing.
func (c *Cluster) CheckDefinitions(definitions []manifest.Document) {
	for _, d := range definitions {
		if !IsDefinition(d.Identity) {
			continue
		}
		if err := custom.CheckDefinition(d.JSON()); err != nil {
			c.Problems = append(c.Problems, report.Problem{Source: report.Source(d.Source), Message: err.Error()})
		}
	}
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

// TargetOf is the object of a document.
func TargetOf(id manifest.Identity) report.Target {
	return report.Target{APIVersion: id.APIVersion, Kind: id.Kind, Namespace: id.Namespace, Name: id.Name}
}
