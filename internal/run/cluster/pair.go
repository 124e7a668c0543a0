package cluster

import (
	"cmp"
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
func (w *World) Pairs() []Pair { return w.chosen(w.allPairs()) }

// chosen are the pairs that the arguments name, else all.
func (w *World) chosen(pairs []Pair) []Pair {
	return slices.DeleteFunc(slices.Clone(pairs), func(p Pair) bool { return !w.isWanted(p.Document.Identity) })
}

// isWanted reports whether the arguments name a manifest.
func (w *World) isWanted(id manifest.Identity) bool {
	return len(w.flags.Wanted) == 0 || w.InNamespace(w.Key(id), w.flags.Wanted) && w.anyMatches(w.flags.Wanted, id)
}

// allPairs finds the live object of each manifest, in the order of the manifests.
func (w *World) allPairs() []Pair {
	first := map[live.Key]manifest.Source{}
	var pairs []Pair
	for i, document := range w.Manifests {
		if w.flags.Scaling && isScale(document.Identity) {
			p := w.scalePair(document)
			p.Number = i
			pairs = append(pairs, p)
			continue
		}
		p := Pair{Document: document, Key: w.Key(document.Identity), Number: i}
		p.Live, p.Err = w.Live.Get(p.Key)
		if p.Err == nil && w.strict && w.Scope.elsewhere(document.Identity) {
			// As kubectl does.
			p.Err = fmt.Errorf("the manifest is of namespace %q, but --namespace is %q", document.Namespace, w.namespace)
		}
		if before, twice := first[p.Key]; twice && document.Name != "" && p.Err == nil {
			p.Err = &TwiceError{p.Key, before, document.Source}
		}
		first[p.Key] = document.Source
		w.judgeAbsence(&p)
		pairs = append(pairs, p)
	}
	return pairs
}

// Targets gives the pairs of a write without a manifest.
func (w *World) Targets(wanted []input.ObjectName) ([]Pair, error) {
	if len(w.Manifests) > 0 {
		return w.Pairs(), nil
	}
	objects, err := w.Named(wanted)
	if err != nil {
		return nil, err
	}
	var pairs []Pair
	for _, o := range objects {
		p := Pair{Document: o.Document, Key: o.Key}
		p.Live, p.Err = w.Live.Get(o.Key)
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
func (w *World) judgeAbsence(p *Pair) {
	if p.Live != nil || p.Err != nil || w.absent == nil || p.Document.Name == "" {
		return
	}
	for _, of := range w.masked {
		if w.Key(of) == p.Key {
			p.Err = fmt.Errorf("the live object %s is masked: its values are not known", p.Key)
			return
		}
	}
	named := p.Document.Namespace != ""
	switch err := w.unknown(p.Key, named); {
	case err == nil && !w.Snapshots.covered(p.Key):
		p.caveats = w.absent.caveats(p.Key, named)
	case err == nil:
	case w.flags.AssumeAbsent:
		p.caveats = append(p.caveats, report.Caveat{Kind: api.Input, Rule: report.RuleAssumedAbsent,
			Message: fmt.Sprintf("Taken as absent (--assume-absent): %v.", err)})
	default:
		p.Err = err
		if w.absent.unread == nil {
			p.Err = fmt.Errorf("%w (or --assume-absent)", err)
		}
	}
}

// unknown is why it is not known that an object is absent; nil where it is.
func (w *World) unknown(key live.Key, named bool) error {
	if at := w.absent.unread; at != nil {
		from := "a live input"
		if at.Source.File != "" {
			from = manifest.Source(at.Source).String()
		}
		return fmt.Errorf("whether it is live is not known, as %s could not be read", from)
	}
	err := w.Snapshots.notFetched(key)
	switch {
	case err != nil:
		return err
	case w.Snapshots.covered(key):
		return nil
	case len(w.Snapshots) > 0:
		return fmt.Errorf("not in the snapshot %s; take it again, with -R", w.Snapshots[0].File)
	case w.flags.Creates:
		return w.absent.cutOff(key)
	}
	return cmp.Or(w.absent.cutOff(key), w.absent.misplaced(key, named || w.namespace != ""))
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
func (w *World) scalePair(document manifest.Document) Pair {
	key := live.Key{
		Group:     document.Group(),
		Kind:      document.Kind,
		Namespace: w.scaleNamespace(document.Identity),
		Name:      document.Name,
	}
	p := Pair{Document: document, Key: key}
	var kinds []string
	for _, o := range w.Live.Objects() {
		if o.Key.Namespace != key.Namespace || o.Key.Name != key.Name ||
			!slices.Contains(w.Server.Resource(input.KindOf(o.Identity)).Subresources, "scale") {
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
		p.Live, p.Err = w.Live.Get(p.Key)
	}
	return p
}
