package migration

import (
	"fmt"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// tellClaims reports what happens to the fields of migrated entries.
func (c *claims) tellClaims(sources []managedfields.Entry) {
	if c.m.Basis == ByNothing && len(sources) > 0 {
		c.find(noBasis, "", text.New("neither a manifest nor an annotation says which fields are wanted and which are defaults: all of them are claimed"))
	}
	c.tellNoSchema()
	if n := c.leftover.Size(); n > 0 && c.opts.Claim != ClaimLeftover && c.opts.Claim != ClaimAll {
		them := text.Agree(n, "it", "them")
		c.find(leftOver, "", text.New("%v of the migrated entries %v neither in the manifest nor a default: %v; no manager owns %v afterwards, and %v unless an apply drops all of the map around",
			text.Count(n, "field"), text.Agree(n, "is", "are"), listed(fields(c.leftover)), them, text.Agree(n, "it stays", "they stay")), text.New("--claim leftover makes the next apply remove %v", them))
	}
	if n := c.unsorted.Size(); n > 0 && c.opts.Claim != ClaimAll {
		c.find(defaultsUnknown, "", text.New("whether %v %v a default is not known, as the server gives no answer to the next apply: %v; no manager owns %v afterwards",
			text.Count(n, "field"), text.Agree(n, "is", "are"), listed(fields(c.unsorted)), text.Agree(n, "it", "them")))
	}
	if len(sources) == 0 && c.hasLoneAnnotation() {
		c.find(annotationLone, lastAppliedPath.String(), text.New("no entry of a client-side apply goes with the annotation: what it says and the object has is claimed"))
	}
	for _, e := range c.Owners.Readable() {
		if c.opts.Subresource == "" && e.Subresource == "status" && e.Operation == managedfields.Update && c.migrates(e.Manager) {
			c.find(statusEntry, "", text.New("the entry of %v for the status subresource stays: an apply of the object never owns its status", text.By(e.Manager)))
		}
	}
}

// tellNoSchema reports a kind whose fields nobody can tell apart. Groups of
// Kubernetes itself have no dot, or have one and look as those of custom
// resources do.
func (c *claims) tellNoSchema() {
	if !c.TypeAt(c.version).Deduced {
		return
	}
	what, hint := text.New("no schema is known for the kind"), text.New("give its CustomResourceDefinition with --crds")
	if group, _, _ := strings.Cut(c.version, "/"); !strings.Contains(group, ".") {
		what, hint = text.New("the server has no kind %v in %v", text.Name(fmt.Sprint(c.Live["kind"])), text.Name(c.version)), text.Text{}
	}
	c.find(noSchema, "", text.New("%v, so that list items and defaults are not known", what), hint)
}

func (c *claims) tellCoOwner(o CoOwner) {
	var hint, about text.Text
	if o.Add {
		hint = text.New("%v makes it let go", c.fromFlag(o.Manager))
	}
	if o.About != "" {
		about = text.New(", %v,", text.Name(o.About))
	}
	n := len(o.Fields)
	c.find(coOwns, "", text.New("%v%v also owns %v: when the manifest drops %v, %v",
		owner(o.Writer), about, listed(o.Fields), text.Agree(n, "it", "them"), text.Agree(n, "it stays", "they stay")), hint)
}

// tellNext reports where the next apply is refused even after the migration.
func (s *subject) tellNext() {
	n := s.m.Next
	switch {
	case n == nil:
	case n.After.Outcome == report.Conflicted:
		for _, c := range n.After.Conflicts {
			s.find(nextConflicts, c.Field, text.New("the next apply by %v conflicts with %v", text.By(n.Manager), owner(c.Writer)))
		}
	case n.After.Outcome.Refused():
		s.find(nextRefused, "", text.New("the server refuses the next apply by %v, migrated or not: %v", text.By(n.Manager), text.Said(n.After.Message)))
	}
}

// tellAnnotation reports where the annotation says something else than the
// object has, and what is to be known of its effect.
func (c *claims) tellAnnotation() {
	c.tellStale()
	remove := text.New("--drop-annotation removes it")
	switch {
	case c.m.Annotation.Effect != Kept:
		return
	case c.m.To.Manager != ServerSideKubectl:
		c.find(annotationFrozen, lastAppliedPath.String(), text.New("the annotation stays as it is: the server keeps it up to date for the manager kubectl only, not for %v", text.By(c.m.To.Manager)), remove)
	default:
		c.find(annotationFrozen.At(notes), lastAppliedPath.String(), text.New("the server rewrites the annotation at each apply of the manager kubectl, in its own spelling"))
	}
	if c.isSecret() {
		c.find(annotationSecret, lastAppliedPath.String(), text.New("the annotation holds the values of the Secret"), remove)
	}
}

// tellStale reports the stale fields, together where they have the same owners.
func (c *claims) tellStale() {
	var owners []string
	by, covering := map[string][]string{}, c.Owners.Covering()
	said := map[string]text.Text{}
	for _, p := range c.stale() {
		of := ownedBy(report.WritersOf(covering(p)))
		key := of.String()
		if by[key] == nil {
			owners, said[key] = append(owners, key), of
		}
		by[key] = append(by[key], p.String())
	}
	for _, key := range owners {
		stale := by[key]
		field, says := "", text.New("the last-applied annotation differs from the live values of %v, which %v: %v", text.Count(len(stale), "field"), said[key], listed(stale))
		if len(stale) == 1 {
			field, says = stale[0], text.New("the last-applied annotation differs from the live value, which %v", said[key])
		}
		c.find(annotationStale, field, says)
	}
}

func ownedBy(owners []report.Writer) text.Text {
	switch len(owners) {
	case 0:
		return text.New("no manager owns")
	case 1:
		return text.New("%v owns", owner(owners[0]))
	}
	return text.New("%v own", text.List(owners, few, owner))
}

// stale are the leaves of the annotation that the object has otherwise, or not
// at all, in the set's order.
func (c *claims) stale() []fieldpath.Path {
	if c.annotation.state != soundAnnotation {
		return nil
	}
	w := c.wishes[len(c.wishes)-1]
	live, err := c.At(w.version)
	if err != nil {
		return nil
	}
	both := compared{wish: w, live: live, shape: shapeAt(c.Object, w.version)}
	var out []fieldpath.Path
	for p := range w.set.Leaves().All() {
		said, _ := both.at(p)
		if len(said) > 0 && !isStringData(p) && !both.agree(p, true) && !both.storesNothing(p) && !both.respelled(p) {
			out = append(out, p.Copy())
		}
	}
	return out
}
