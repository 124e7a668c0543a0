package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/client"
)

// clientFlags say whose requests are simulated, and are the options of the clients, by
// their own names.
type clientFlags struct {
	client     string
	serverSide string
	// forced: the apply is forced.
	forced bool
	// name and version are what check made of client.
	name, version string
}

// addClient adds whose requests are simulated.
func (f *clientFlags) addClient(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.client, "client", client.Auto, "`client` whose requests are simulated: "+strings.Join(client.Names(), ", ")+", with @VERSION; none is the one bare request")
	mustComplete(cmd, "client", client.Names())
}

// addServerSide adds how the client applies.
func (f *clientFlags) addServerSide(cmd *cobra.Command) {
	values := []string{client.Auto, "true", "false"}
	cmd.Flags().StringVar(&f.serverSide, "server-side", client.Auto, "how the client applies: auto, true, or false for client-side apply (kubectl, helm)")
	cmd.Flags().Lookup("server-side").NoOptDefVal = "true"
	mustComplete(cmd, "server-side", values)
}

// check finds wrong flags.
func (f *clientFlags) check() (err error) {
	if f.client == "" {
		f.client = client.None
	}
	if f.name, f.version, err = client.Parse(f.client); err != nil {
		return fmt.Errorf("--client %q: %w", f.client, err)
	}
	switch f.serverSide {
	case "", client.Auto, "true", "false":
		return nil
	}
	return fmt.Errorf("--server-side %q: use auto, true, or false", f.serverSide)
}

func (f *clientFlags) clientSide() bool { return f.serverSide == "false" }

// named is the client that the flags name; nil where they leave it to the field manager,
// or name none.
func (f *clientFlags) named() *client.Client {
	name := f.name
	if name == client.Auto && f.clientSide() {
		name = aboutOf("kubectl").Name
	}
	return f.make(name)
}

// byManager is the client that a field manager is the name of; nil for none.
func (f *clientFlags) byManager(manager string) *client.Client {
	if f.name != client.Auto {
		return nil
	}
	if manager == client.KubectlManager {
		return f.make("kubectl")
	}
	return nil
}

func (f *clientFlags) make(name string) *client.Client {
	version := f.version
	if version == "" && name != client.Auto && name != client.None {
		version = aboutOf(name).Versions[0].Name
	}
	var c *client.Client
	switch name {
	case "kubectl":
		c = client.NewKubectl(version, client.KubectlSettings{ClientSide: f.clientSide()})
	default:
		return nil
	}
	c.Force = c.Force || f.forced
	return c
}

// noteClient keeps what the first line says of the client, where that is more than the
// name of the field manager.
func (a *app) noteClient(f *requestFlags, c *client.Client) {
	if c != nil && (f.name != client.Auto || f.clientSide()) {
		a.client = c.Said()
	}
}

func aboutOf(name string) client.About {
	all := client.Abouts()
	return all[slices.IndexFunc(all, func(a client.About) bool { return a.Name == name })]
}
