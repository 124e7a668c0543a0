package migration

import (
	"fmt"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

func rule(severity report.Severity, name, title, why, fix string) finding.Rule {
	return finding.Rule{Name: name, Severity: severity, Title: title, Why: why, Fix: fix}
}

const blocks, warns, notes = report.SeverityError, report.SeverityWarning, report.SeverityNote

// The rules. With an error, the object is left alone; some weigh more or less in a case.
var (
	annotationBroken = rule(blocks, "annotation-broken", "The last-applied annotation cannot be read as a manifest.",
		"Without a manifest, only the annotation says which fields are wanted.", "")
	annotationForeign = rule(blocks, "annotation-foreign", "The last-applied annotation is of another object.",
		"Controllers and people copy annotations; it does not say which fields of this object are wanted.", "")
	annotationFrozen = rule(warns, "annotation-frozen", "The last-applied annotation is kept.",
		"The server updates it for the manager kubectl only.", "")
	annotationSecret = rule(warns, "annotation-holds-secret", "The last-applied annotation has values of a Secret.",
		"Anyone who reads the metadata of the object reads them.", "")
	annotationStale = rule(warns, "annotation-stale", "The last-applied annotation has other values than the object.",
		"Others have changed the fields since, and own them.", "")
	annotationSize = rule(blocks, "annotation-too-large", "The last-applied annotation cannot be stored.",
		"The server limits the size of all annotations of an object.", "")
	annotationLone = rule(notes, "annotation-without-entry", "The last-applied annotation has no client-side entry.",
		"What it says and the object has is claimed.", "")
	coOwns = rule(warns, "co-owner", "Another manager owns fields of the target too.",
		"Such a field stays when the manifest drops it.", "")
	defaultsUnknown = rule(warns, "defaults-unknown", "It is not known which fields are defaults.",
		"The server gives no answer to the next apply, which tells them apart.", "--claim all claims what the entries own")
	leftOver = rule(warns, "left-over", "Fields that are neither in the manifest nor defaults are left unowned.",
		"No apply removes them by themselves.", "")
	managerMissing = rule(notes, "manager-missing", "A named manager has no entry to migrate.",
		"Its name may be misspelled.", "")
	manifestUnusable = rule(blocks, "manifest-unusable", "What is to be applied is not known.",
		"Its API version is not served, or its fields do not fit the kind.", "")
	nextConflicts = rule(warns, "next-apply-conflicts", "The next apply conflicts, even after the migration.",
		"Managers that are not migrated own fields with other values.", "'ssactl explain' shows the options to resolve it")
	nextRefused = rule(warns, "next-apply-refused", "The server refuses the next apply, migrated or not.",
		"The manifest cannot be applied to the object as it is.", "")
	noManagedFields = rule(
		blocks, "no-managed-fields", "The live object came without managedFields.",
		"Nothing is known of its owners.",
		"fetch it with kubectl get -o yaml --show-managed-fields; where it has none even so, "+
			"the server synthesizes before-first-apply with its first apply: migrate it after that",
	)
	noBasis = rule(notes, "no-manifest", "Nothing says which fields are wanted.",
		"All fields of the entries are claimed, defaults too.", "give the manifest with -f")
	noResourceVersion = rule(warns, "no-resource-version", "The live object has no resourceVersion.",
		"A patch cannot test whether the cluster has moved on: it tests managedFields instead.",
		"fetch the object again")
	noSchema = rule(warns, "no-schema", "No schema is known for the kind.",
		"List items and defaults are not known.", "")
	notConverted = rule(warns, "not-converted", "Fields of an entry have no counterpart at another API version.",
		"The object does not show what they are there.", "they are left unowned, unless the manifest has them")
	statusEntry = rule(notes, "status-entry", "An entry for the status subresource stays.",
		"An apply of the object never owns its status.", "--subresource status migrates it by itself")
	targetUnclear = rule(warns, "target-unclear", "Several managers apply the object.",
		"Each of them may be the one that is to have the fields.", "name the one that is to have the fields with --to")
	thinEvidence = rule(blocks, "thin-evidence", "It is unclear whether an entry comes from client-side apply.",
		"Taking the fields of another writer would make the next apply remove or reset them.", "")
	unreadable = rule(blocks, "unreadable-managed-fields", "Managed fields entries cannot be read.",
		"The server refuses every apply while they are there.",
		"the server refuses every apply while it is there; 'ssactl clear' resets managedFields")
	unserved = rule(warns, "unserved-version", "Something is at an API version that the server does not serve.",
		"The server drops entries of such a version with the next write.", "")
	upstreamDiscards = rule(
		warns, "upstream-discards", "csaupgrade discards an entry.",
		"It joins only entries at the API version of the Apply entry.",
		"without --compatible, the fields that are the same at both versions are kept",
	)
	upstreamFails = rule(blocks, "upstream-fails", "csaupgrade fails.",
		"kubectl apply --server-side would fail in the same way.", "plan without --compatible")
	wayBackLoses = rule(warns, "way-back-loses", "Something is lost on the way back.",
		"Client-side apply knows no owners.", "")
)

// Rules are all rules, by name.
func Rules() finding.Rules {
	return finding.Rules{
		annotationBroken, annotationForeign, annotationFrozen, annotationSecret, annotationStale, annotationSize,
		annotationLone, coOwns, defaultsUnknown, leftOver, managerMissing, manifestUnusable, nextConflicts, nextRefused,
		noManagedFields, noBasis,
		noResourceVersion, noSchema, notConverted, statusEntry, targetUnclear, thinEvidence, unreadable, unserved,
		upstreamDiscards, upstreamFails, wayBackLoses,
	}
}

// tellClaims reports what happens to the fields of migrated entries.
func (c *claims) tellClaims(sources []managedfields.Entry) {
	if c.m.Basis == ByNothing && len(sources) > 0 {
		c.find(
			noBasis,
			"",
			text.New(
				"neither a manifest nor an annotation says which fields are wanted and which are defaults: all of them are claimed",
			),
		)
	}
	c.tellNoSchema()
	if n := c.leftover.Size(); n > 0 && c.opts.Claim != ClaimLeftover && c.opts.Claim != ClaimAll {
		them := text.Agree(n, "it", "them")
		c.find(
			leftOver,
			"",
			text.New(
				"%v of the migrated entries %v neither in the manifest nor a default: %v; no manager owns %v afterwards, and %v unless an apply drops all of the map around",
				text.Count(
					n,
					"field",
				),
				text.Agree(n, "is", "are"),
				listed(fields(c.leftover)),
				them,
				text.Agree(n, "it stays", "they stay"),
			),
			text.New("--claim leftover makes the next apply remove %v", them),
		)
	}
	if n := c.unsorted.Size(); n > 0 && c.opts.Claim != ClaimAll {
		c.find(
			defaultsUnknown,
			"",
			text.New(
				"whether %v %v a default is not known, as the server gives no answer to the next apply: %v; no manager owns %v afterwards",
				text.Count(n, "field"),
				text.Agree(n, "is", "are"),
				listed(fields(c.unsorted)),
				text.Agree(n, "it", "them"),
			),
		)
	}
	if len(sources) == 0 && c.hasLoneAnnotation() {
		c.find(
			annotationLone,
			lastAppliedPath.String(),
			text.New("no entry of a client-side apply goes with the annotation: what it says and the object has is claimed"),
		)
	}
	for _, e := range c.Owners().Readable() {
		if c.opts.Subresource == "" && e.Subresource == "status" && e.Operation == managedfields.Update &&
			c.migrates(e.Manager) {
			c.find(
				statusEntry,
				"",
				text.New(
					"the entry of %v for the status subresource stays: an apply of the object never owns its status",
					text.By(e.Manager),
				),
			)
		}
	}
}

// tellNoSchema reports a kind whose fields cannot be told apart. Groups of
// Kubernetes itself have no dot, or have one and look as those of custom
// resources do.
func (c *claims) tellNoSchema() {
	if !c.TypeAt(c.version).Deduced {
		return
	}
	what, hint := text.New("no schema is known for the kind"), text.New("give its CustomResourceDefinition with --crds")
	if group, _, _ := strings.Cut(c.version, "/"); !strings.Contains(group, ".") {
		what, hint = text.New(
			"the server has no kind %v in %v",
			text.Name(fmt.Sprint(c.Live["kind"])),
			text.Name(c.version),
		), text.Text{}
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
			s.find(
				nextConflicts,
				c.Field,
				text.New("the next apply by %v conflicts with %v", text.By(n.Manager), owner(c.Writer)),
			)
		}
	case n.After.Outcome.Refused():
		s.find(
			nextRefused,
			"",
			text.New(
				"the server refuses the next apply by %v, migrated or not: %v",
				text.By(n.Manager),
				text.Said(n.After.Message),
			),
		)
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
		c.find(
			annotationFrozen,
			lastAppliedPath.String(),
			text.New(
				"the annotation stays as it is: the server keeps it up to date for the manager kubectl only, not for %v",
				text.By(c.m.To.Manager),
			),
			remove,
		)
	default:
		c.find(
			annotationFrozen.At(notes),
			lastAppliedPath.String(),
			text.New("the server rewrites the annotation at each apply of the manager kubectl, in its own spelling"),
		)
	}
	if c.isSecret() {
		c.find(annotationSecret, lastAppliedPath.String(), text.New("the annotation holds the values of the Secret"), remove)
	}
}

// tellStale reports the stale fields, together where they have the same owners.
func (c *claims) tellStale() {
	var owners []string
	fields, covering := map[string][]string{}, c.Owners().Covering()
	said := map[string]text.Text{}
	for _, p := range c.stale() {
		of, by := text.New("no manager owns"), report.WritersOf(covering(p))
		switch {
		case len(by) == 1:
			of = text.New("%v owns", owner(by[0]))
		case len(by) > 1:
			of = text.New("%v own", text.List(by, few, owner))
		}
		key := of.String()
		if fields[key] == nil {
			owners, said[key] = append(owners, key), of
		}
		fields[key] = append(fields[key], p.String())
	}
	for _, key := range owners {
		stale := fields[key]
		field, says := "", text.New(
			"the last-applied annotation differs from the live values of %v, which %v: %v",
			text.Count(len(stale), "field"),
			said[key],
			listed(stale),
		)
		if len(stale) == 1 {
			field, says = stale[0], text.New("the last-applied annotation differs from the live value, which %v", said[key])
		}
		c.find(annotationStale, field, says)
	}
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
