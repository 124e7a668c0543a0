package ssatest

import (
	"encoding/json"
	"net/http"
	"slices"
	"sort"
	"strings"
)

// AssertOwns fails the test for each field that a manager does not own. A field is a path as the
// API server writes it, such as .spec.replicas; owning something in it is enough.
func (c *Cluster) AssertOwns(r Ref, manager string, fields ...string) {
	c.t.Helper()
	o := c.object(r)
	for _, field := range fields {
		owners, err := o.owners(field)
		if err != nil {
			c.t.Fatal(err)
		}
		if !slices.Contains(owners, manager) {
			c.t.Errorf("%s: %s does not own %s: %s", r, manager, field, ownedText(owners))
		}
	}
}

func ownedText(owners []string) string {
	if len(owners) == 0 {
		return "no field manager does"
	}
	return "it is owned by " + strings.Join(owners, ", ")
}

// Mark notes which revision the server has now, for AssertTakesNothingFrom. Start does so.
func (c *Cluster) Mark() {
	c.t.Helper()
	var list struct {
		Metadata struct{ ResourceVersion string }
	}
	c.read("/api/v1/namespaces?limit=1", &list)
	c.marked = list.Metadata.ResourceVersion
}

// AssertTakesNothingFrom fails the test for each field that a manager owned at the last Mark, or at
// Start, and does not own any more, though the object is still there. The server forgets old revisions
// after some 64 MB of writes: Mark again before a test that writes more.
func (c *Cluster) AssertTakesNothingFrom(manager string) {
	c.t.Helper()
	before, now := c.all(c.marked), c.all("")
	var refs []Ref
	for r := range before {
		refs = append(refs, r)
	}
	sort.Slice(refs, func(i, j int) bool { return refs[i].String() < refs[j].String() })
	for _, r := range refs {
		if _, there := now[r]; !there {
			continue
		}
		was, is := c.decode(before[r]), c.decode(now[r])
		owned, err := was.ownedBy(manager)
		if err != nil {
			c.t.Fatal(err)
		}
		still, err := is.ownedBy(manager)
		if err != nil {
			c.t.Fatal(err)
		}
		for _, field := range owned {
			if slices.Contains(still, field) {
				continue
			}
			owners, err := is.owners(field)
			if err != nil {
				c.t.Fatal(err)
			}
			c.t.Errorf("%s: %s was taken from %s: %s", r, field, manager, ownedText(owners))
		}
	}
}

func (c *Cluster) decode(text []byte) (o object) {
	c.t.Helper()
	if err := json.Unmarshal(text, &o); err != nil {
		c.t.Fatal(err)
	}
	return o
}

// noise are resources that no field manager is asked about.
var noise = []string{"events", "leases", "componentstatuses", "ipaddresses"}

// all are the objects with managed fields at a revision, now if that is empty, and at the preferred
// version of each group.
func (c *Cluster) all(revision string) map[Ref][]byte {
	c.t.Helper()
	var groups struct {
		Groups []struct{ PreferredVersion struct{ GroupVersion string } }
	}
	c.read("/apis", &groups)
	versions := []string{"v1"}
	for _, g := range groups.Groups {
		versions = append(versions, g.PreferredVersion.GroupVersion)
	}
	out := map[Ref][]byte{}
	for _, version := range versions {
		for _, r := range c.resources(version) {
			if !strings.Contains(r.Name, "/") && slices.Contains(r.Verbs, "list") && !slices.Contains(noise, r.Name) {
				c.list(version, r, revision, out)
			}
		}
	}
	return out
}

func (c *Cluster) list(apiVersion string, r resource, revision string, into map[Ref][]byte) {
	c.t.Helper()
	var list struct{ Items []json.RawMessage }
	path := root(apiVersion) + "/" + r.Name
	if revision != "" {
		path += "?resourceVersionMatch=Exact&resourceVersion=" + revision
	}
	c.read(path, &list)
	for _, text := range list.Items {
		if o := c.decode(text); len(o.Metadata.ManagedFields) > 0 {
			into[Ref{apiVersion, r.Kind, o.Metadata.Namespace, o.Metadata.Name}] = text
		}
	}
}

// AssertReapplyIsNoop applies a manifest twice as a manager, and fails the test if the first apply
// is rejected, or the second changes the object.
func (c *Cluster) AssertReapplyIsNoop(manifest, manager string) {
	c.t.Helper()
	var versions [2]string
	for i := range versions {
		r, code, body := c.apply(manifest, manager)
		if code >= http.StatusMultipleChoices {
			c.t.Errorf("apply %s as %s: %d %s", r, manager, code, message(body))
			return
		}
		versions[i] = c.decode(body).Metadata.ResourceVersion
		if i == 1 && versions[0] != versions[1] {
			c.t.Errorf("%s: applying the same manifest again as %s changes it", r, manager)
		}
	}
}

// Conflict is a field that an apply would take from another manager.
type Conflict struct {
	Field, Manager string
}

// WouldConflict gives the conflicts of an apply without force, in the order of the server; nil if
// it would succeed. Nothing is stored. The test fails if the apply is rejected for another reason.
func (c *Cluster) WouldConflict(manifest, manager string) []Conflict {
	c.t.Helper()
	r, code, body := c.apply(manifest, manager, "dryRun=All")
	if code < http.StatusMultipleChoices {
		return nil
	}
	var status struct {
		Details struct {
			Causes []struct{ Reason, Message, Field string }
		}
	}
	if err := json.Unmarshal(body, &status); err != nil {
		c.t.Fatal(err)
	}
	var out []Conflict
	for _, cause := range status.Details.Causes {
		if cause.Reason == "FieldManagerConflict" {
			out = append(out, Conflict{cause.Field, quoted(cause.Message)})
		}
	}
	if out == nil {
		c.t.Errorf("apply %s as %s: %d %s", r, manager, code, message(body))
	}
	return out
}

// quoted is the name of the manager in a cause: conflict with "helm" using apps/v1.
func quoted(message string) string {
	_, rest, _ := strings.Cut(message, `"`)
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

// message is that of a Status.
func message(body []byte) string {
	var status struct{ Message string }
	if json.Unmarshal(body, &status) != nil || status.Message == "" {
		return string(body)
	}
	return status.Message
}
