package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Pair is a manifest with its live object; nil when there is none.
type Pair struct {
	Document manifest.Document
	Key      live.Key
	Live     *live.Object
	// kind is that of the request where the document does not say it, as a Scale
	// does not; else zero.
	kind schema.GroupVersionKind
	// Number is that of the manifest among all, from 0.
	Number int
	// Unasked: nobody asks about it, but answers that are asked for depend on it.
	Unasked bool
	// Before is where a manifest of the same object stands that is applied before this one;
	// nil for none.
	Before *manifest.Source
	// Err says why the pair cannot be answered.
	Err error
	// Propagation is the policy of a delete. Waits says why the client waits before it, and
	// does not send it; empty where it does not.
	Propagation, Waits string
	// caveats are what makes it doubtful that there is no live object.
	caveats []report.Caveat
}

// Pairs are the manifests that the arguments name, else all, each with its live object.
func (c *Cluster) Pairs() []Pair { return c.chosen(c.allPairs()) }

// chosen are the pairs that the arguments name, else all.
func (c *Cluster) chosen(pairs []Pair) []Pair {
	return slices.DeleteFunc(slices.Clone(pairs), func(p Pair) bool { return !c.isWanted(p.Document.Identity) })
}

// isWanted reports whether the arguments name a manifest.
func (c *Cluster) isWanted(id manifest.Identity) bool {
	return len(c.flags.Wanted) == 0 || c.InNamespace(c.Key(id), c.flags.Wanted) && c.anyMatches(c.flags.Wanted, id)
}

// allPairs finds the live object of each manifest, in the order of the manifests.
func (c *Cluster) allPairs() []Pair {
	first := map[live.Key]manifest.Source{}
	var pairs []Pair
	for i, document := range c.Manifests {
		if c.flags.Scaling && isScale(document.Identity) {
			p := c.scalePair(document)
			p.Number = i
			pairs = append(pairs, p)
			continue
		}
		p := Pair{Document: document, Key: c.Key(document.Identity), Number: i}
		p.Live, p.Err = c.Live.Get(p.Key)
		if p.Err == nil && c.strict && c.Scope.elsewhere(document.Identity) {
			// As kubectl does.
			p.Err = fmt.Errorf("the manifest is of namespace %q, but --namespace is %q", document.Namespace, c.namespace)
		}
		if before, twice := first[p.Key]; twice && document.Name != "" && p.Err == nil {
			p.Err = &TwiceError{p.Key, before, document.Source}
		}
		first[p.Key] = document.Source
		c.judgeAbsence(&p)
		pairs = append(pairs, p)
	}
	return pairs
}

// applyTwice has manifests of one object applied one after the other, each to what the one
// before leaves, as kubectl and Helm do.
func (c *Cluster) applyTwice(pairs []Pair) {
	if c.Client == nil || c.Client.Name != "kubectl" && c.Client.Name != "helm" || !c.flags.InOrder || c.course.dryRun {
		return
	}
	for i, p := range pairs {
		var twice *TwiceError
		if errors.As(p.Err, &twice) {
			pairs[i].Err, pairs[i].Before = nil, &twice.First
			c.course.twice[p.Key] = true
		}
	}
}

// Targets gives the pairs of a write without a manifest.
func (c *Cluster) Targets(wanted []input.ObjectName) ([]Pair, error) {
	if len(c.Manifests) > 0 {
		return c.Pairs(), nil
	}
	objects, err := c.Named(wanted)
	if err != nil {
		return nil, err
	}
	var pairs []Pair
	for _, o := range objects {
		p := Pair{Document: o.Document, Key: o.Key}
		p.Live, p.Err = c.Live.Get(o.Key)
		pairs = append(pairs, p)
	}
	return pairs, nil
}

// Unanswerable says why a pair has no answer; nil when it has one.
func (p Pair) Unanswerable() error {
	if p.Err == nil && p.Document.Name == "" {
		return Nameless(p.Document)
	}
	return p.Err
}

// Nameless is the error of a manifest without a name.
func Nameless(d manifest.Document) error {
	return fmt.Errorf("the manifest (%s) %s", d.Source, d.Nameless())
}

// TwiceError is that of a second manifest of one object.
type TwiceError struct {
	key         live.Key
	First, here manifest.Source
}

func (e *TwiceError) Error() string {
	return fmt.Sprintf("two manifests are %s: one at %s, one at %s", e.key, e.First, e.here)
}

// judgeAbsence says what it may mean that a manifest has no live object.
func (c *Cluster) judgeAbsence(p *Pair) {
	if p.Live != nil || p.Err != nil || c.absent == nil || p.Document.Name == "" {
		return
	}
	for _, of := range c.masked {
		if c.Key(of) == p.Key {
			p.Err = fmt.Errorf("the live object %s is masked: its values are not known", p.Key)
			return
		}
	}
	named := p.Document.Namespace != ""
	switch err := c.unknown(p.Key, named); {
	case err == nil && !c.Snapshots.covered(p.Key):
		p.caveats = c.absent.caveats(p.Key, named)
	case err == nil:
	case c.flags.AssumeAbsent:
		p.caveats = append(p.caveats, report.Caveat{Kind: api.Input, Rule: report.RuleAssumedAbsent,
			Message: fmt.Sprintf("Taken as absent (--assume-absent): %v.", err)})
	default:
		p.Err = err
		if c.absent.unread == nil {
			p.Err = fmt.Errorf("%w (or --assume-absent)", err)
		}
	}
}

// unknown is why it is not known that an object is absent; nil where it is.
func (c *Cluster) unknown(key live.Key, named bool) error {
	if at := c.absent.unread; at != nil {
		from := "a live input"
		if at.Source.File != "" {
			from = manifest.Source(at.Source).String()
		}
		return fmt.Errorf("whether it is live is not known, as %s could not be read", from)
	}
	err := c.Snapshots.notFetched(key)
	switch {
	case err != nil:
		return err
	case c.Snapshots.covered(key):
		return nil
	case len(c.Snapshots) > 0:
		return fmt.Errorf("not in the snapshot %s; take it again, with -R", c.Snapshots[0].File)
	case c.flags.Creates:
		return c.absent.cutOff(key)
	}
	return cmp.Or(c.absent.cutOff(key), c.absent.misplaced(key, named || c.namespace != ""))
}

// isScale reports whether a document is a Scale, which is what the scale subresource
// takes and answers with. It names the object, and not its kind.
func isScale(id manifest.Identity) bool {
	return id.Group() == "autoscaling" && id.Version() == "v1" && id.Kind == "Scale"
}

// scaleNamespace is the namespace of a Scale's object: all kinds that scale have one.
func (s *Scope) scaleNamespace(id manifest.Identity) string {
	return cmp.Or(id.Namespace, s.namespace, "default")
}

// scalePair is a Scale with the live object that it is for: the only one of its
// name that has a scale subresource.
func (c *Cluster) scalePair(document manifest.Document) Pair {
	key := live.Key{
		Group:     document.Group(),
		Kind:      document.Kind,
		Namespace: c.scaleNamespace(document.Identity),
		Name:      document.Name,
	}
	p := Pair{Document: document, Key: key}
	var kinds []string
	for _, o := range c.Live.Objects() {
		if o.Key.Namespace != key.Namespace || o.Key.Name != key.Name ||
			!slices.Contains(c.Server.Resource(input.KindOf(o.Identity)).Subresources, "scale") {
			continue
		}
		kinds = append(kinds, o.Key.String())
		p.Live, p.Key, p.kind = o, o.Key, input.KindOf(o.Identity)
	}
	switch {
	case len(kinds) == 0:
		p.Err = fmt.Errorf(
			"no live object %s/%s has a scale subresource: a Scale does not name the kind of its object, so give the object with --live",
			key.Namespace,
			key.Name,
		)
	case len(kinds) > 1:
		p.Live, p.Err = nil, fmt.Errorf(
			"a Scale does not name the kind of its object, and the live files have %s: give only one of them",
			strings.Join(kinds, " and "),
		)
	default:
		p.Live, p.Err = c.Live.Get(p.Key)
	}
	return p
}
