package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
)

// scope fills in namespaces as kubectl does: documents without one go to the
// namespace of the command line, or to "default".
type scope struct {
	server interface {
		Resource(schema.GroupVersionKind) api.Resource
	}
	namespace string
	// strict refuses documents of another namespace.
	strict bool
}

// NamespaceOf is the namespace of the request for a document; empty for
// cluster-scoped kinds. A kind that nobody defines is taken to be what the
// document says.
func (s *scope) NamespaceOf(id manifest.Identity) string {
	resource := s.server.Resource(input.KindOf(id))
	switch {
	case resource.Known && !resource.Namespaced:
		return ""
	case id.Namespace != "":
		return id.Namespace
	case !resource.Known && s.namespace == "":
		return ""
	case s.namespace != "":
		return s.namespace
	}
	return "default"
}

// knows reports whether anything given defines the kind of a document.
func (s *scope) knows(id manifest.Identity) bool { return s.server.Resource(input.KindOf(id)).Known }

func (s *scope) Key(id manifest.Identity) live.Key {
	key := live.KeyOf(id)
	key.Namespace = s.NamespaceOf(id)
	return key
}

// Pair is a manifest with its live object; nil when there is none.
type Pair struct {
	Document manifest.Document
	Key      live.Key
	Live     *live.Object
	// kind is that of the request where the document does not say it, as a Scale
	// does not; else zero.
	kind schema.GroupVersionKind
	// number is that of the manifest among all, from 0.
	number int
	// Err says why the pair cannot be answered.
	Err error
	// Propagation is the policy of a delete.
	Propagation string
	// caveats are what makes it doubtful that there is no live object.
	caveats []report.Caveat
}

// Pairs are the manifests that the arguments name, else all, each with its live object.
func (c *Cluster) Pairs() []Pair { return c.chosen(c.allPairs()) }

// chosen are the pairs that the arguments name, else all.
func (c *Cluster) chosen(pairs []Pair) []Pair {
	if len(c.wanted) == 0 {
		return pairs
	}
	return slices.DeleteFunc(pairs, func(p Pair) bool { return !c.isWanted(p.Document.Identity) })
}

// isWanted reports whether the arguments name a manifest.
func (c *Cluster) isWanted(id manifest.Identity) bool {
	return len(c.wanted) == 0 || c.InNamespace(c.Scope.Key(id), c.wanted) && markMatches(c, c.wanted, make([]bool, len(c.wanted)), id)
}

// allPairs finds the live object of each manifest, in the order of the manifests.
func (c *Cluster) allPairs() []Pair {
	first := map[live.Key]manifest.Source{}
	var pairs []Pair
	for i, document := range c.Manifests {
		if c.scaling && isScale(document.Identity) {
			p := c.scalePair(document)
			p.number = i
			pairs = append(pairs, p)
			continue
		}
		p := Pair{Document: document, Key: c.Scope.Key(document.Identity), number: i}
		p.Live, p.Err = c.Live.Get(p.Key)
		if p.Err == nil {
			p.Err = c.Scope.conflicting(document.Identity)
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

// Nameless is the error of a manifest without a name.
func Nameless(d manifest.Document) error {
	return fmt.Errorf("the manifest (%s) %s", d.Source, d.Nameless())
}

// TwiceError is that of a second manifest of one object.
type TwiceError struct {
	key         live.Key
	First, here manifest.Source
}

// Error implements error.
func (e *TwiceError) Error() string {
	return fmt.Sprintf("two manifests are %s: one at %s, one at %s", e.key, e.First, e.here)
}

// judgeAbsence says what it may mean that a manifest has no live object.
func (c *Cluster) judgeAbsence(p *Pair) {
	if p.Live != nil || p.Err != nil || c.absent == nil || p.Document.Name == "" {
		return
	}
	if c.isMasked(p.Key) {
		p.Err = fmt.Errorf("the live object %s is masked: its values are not known", p.Key)
		return
	}
	named := p.Document.Namespace != ""
	switch err := c.unknown(p.Key, named); {
	case err == nil && !c.covered(p.Key):
		p.caveats = c.absent.caveats(p.Key, named)
	case err == nil:
	case c.assumeAbsent:
		p.caveats = append(p.caveats, report.Caveat{Kind: api.Input, Rule: report.RuleAssumedAbsent, Message: fmt.Sprintf("Taken as absent (--assume-absent): %v.", err)})
	default:
		p.Err = err
		if c.absent.unread == nil {
			p.Err = fmt.Errorf("%w (or --assume-absent)", err)
		}
	}
}

// unknown is why it is not known that an object is absent; nil where it is.
func (c *Cluster) unknown(key live.Key, named bool) error {
	err := cmp.Or(c.absent.unreadable(key), c.notFetched(key))
	switch {
	case err != nil:
		return err
	case c.covered(key):
		return nil
	case len(c.Snapshots) > 0:
		return fmt.Errorf("not in the snapshot %s; take it again, with -R", c.Snapshots[0].File)
	case c.creates:
		return c.absent.cutOff(key)
	}
	return cmp.Or(c.absent.cutOff(key), c.absent.misplaced(key, named || c.Scope.namespace != ""))
}

// conflicting refuses, as kubectl does where it is asked to be strict, a document
// of another namespace than the one of the command line; cluster-scoped kinds have
// none.
func (s *scope) conflicting(id manifest.Identity) error {
	if s.strict && s.elsewhere(id) {
		return fmt.Errorf("the manifest is of namespace %q, but --namespace is %q", id.Namespace, s.namespace)
	}
	return nil
}

// elsewhere reports whether a document is of another namespace than the one of the
// command line.
func (s *scope) elsewhere(id manifest.Identity) bool {
	if resource := s.server.Resource(input.KindOf(id)); resource.Known && !resource.Namespaced {
		return false
	}
	return s.namespace != "" && id.Namespace != "" && id.Namespace != s.namespace
}

// noteElsewhere says once which namespaces of their own manifests have, as Helm and
// Argo CD apply them there.
func (c *Cluster) noteElsewhere() {
	found := map[string]int{}
	n := 0
	for _, document := range c.Manifests {
		if !c.Scope.strict && c.isWanted(document.Identity) && c.Scope.elsewhere(document.Identity) {
			found[document.Namespace]++
			n++
		}
	}
	if n == 0 {
		return
	}
	noun := "manifest names a namespace of its own"
	if n > 1 {
		noun = "manifests name namespaces of their own"
	}
	c.Notices = append(c.Notices, fmt.Sprintf("%d %s (%s): each is answered in its own, and -n %s is for those without one; --namespace-strict refuses them, as kubectl does",
		n, noun, strings.Join(slices.Sorted(maps.Keys(found)), ", "), c.Scope.namespace))
}
