package client

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// About describes a client: one file of this package has both it and the sequence.
type About struct {
	// Name is what --client takes; Title is what the program is called.
	Name, Title string
	// Versions are those of the upstream source that the sequence follows, by what
	// --client takes behind @, the default first.
	Versions []Version
	// Manager is the field manager where none is given.
	Manager string
	// Forces says whether it takes what others own.
	Forces string
	// Steps are the requests, in the order of the source.
	Steps []Told
	// Reads are the inputs that it takes settings from.
	Reads []Told
	// Not is what is not simulated.
	Not []string
}

// Version is one of a client.
type Version struct {
	// Name is what --client takes; Source is the module and version that was read.
	Name, Source string
}

// Told is a term with what is said of it.
type Told struct{ Term, Text string }

// Abouts are the clients, in the order of the help.
func Abouts() []About { return []About{aboutKubectl} }

// Names of --client that are none of the clients.
const (
	Auto = "auto"
	None = "none"
)

// Names are the values of --client.
func Names() []string {
	names := []string{Auto, None}
	for _, a := range Abouts() {
		names = append(names, a.Name)
	}
	return names
}

// Parse reads NAME or NAME@VERSION: the name and the version; the client's first version
// where none is given.
func Parse(text string) (name, version string, err error) {
	name, version, given := strings.Cut(text, "@")
	if (name == Auto || name == None) && !given {
		return name, "", nil
	}
	i := slices.IndexFunc(Abouts(), func(a About) bool { return a.Name == name })
	if i < 0 {
		return "", "", fmt.Errorf("use %s, or NAME@VERSION", strings.Join(Names(), ", "))
	}
	about := Abouts()[i]
	if !given {
		return name, about.Versions[0].Name, nil
	}
	var known []string
	for _, v := range about.Versions {
		if v.Name == version {
			return name, version, nil
		}
		known = append(known, name+"@"+v.Name)
	}
	return "", "", fmt.Errorf("the versions that are simulated are %s", strings.Join(known, ", "))
}

// Client is a client with its settings.
type Client struct {
	About
	Version string
	// Force: it takes what others own. ClientSide: it sends patches, which never conflict.
	Force, ClientSide bool
	// send sends the requests for a manifest.
	send func(*sequence, engine.Write)
	// prunes gives the objects that are deleted behind the manifests; nil for none.
	prunes func(live []Object) []Deletion
	// Stops: once an object is refused, nothing is deleted.
	Stops bool
}

// Object is a live object that no manifest names.
type Object struct {
	Group, Kind, Namespace, Name string
	Object                       map[string]any
}

// Deletion is a delete that a client sends.
type Deletion struct {
	// At is the place of the object among those that were given.
	At int
	// Propagation is the policy of the delete.
	Propagation string
}

// Said is what the first line of an answer says of the client.
func (c *Client) Said() string {
	how := "does not force"
	switch {
	case c.ClientSide:
		how = "client-side: nothing conflicts"
	case c.Force:
		how = "forces"
	}
	return c.Title + " " + c.Version + ", " + how
}

// Send simulates what the client sends for a manifest, of which the write is an apply.
func (c *Client) Send(ctx context.Context, server api.Server, w engine.Write) Run {
	r := &sequence{ctx: ctx, server: server, write: w, sent: w}
	c.send(r, w)
	return r.run()
}

// Simulate is Send as one result.
func (c *Client) Simulate(ctx context.Context, server api.Server, w engine.Write) report.Result {
	run := c.Send(ctx, server, w)
	return run.Whole()
}

// Sequence are the requests of a run as a report has them.
func (c *Client) Sequence(run Run) *report.Sequence { return run.Sequence(c.Name, c.Version) }

// Prunes are the live objects that the client deletes, of those that no manifest names.
func (c *Client) Prunes(objects []Object) []Deletion {
	if c.prunes == nil {
		return nil
	}
	return c.prunes(objects)
}
