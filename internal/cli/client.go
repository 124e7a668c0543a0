package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/cli/bounded"
	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/shell"
)

// clientFlags say whose requests are simulated, and are the options of the clients, by
// their own names.
type clientFlags struct {
	client     string
	serverSide string
	// Of Helm.
	release, releaseManifest    string
	takeOwnership, forceReplace bool
	// Of Argo CD and Flux.
	prune bool
	// Of Flux.
	force                   bool
	overridden, ignorePaths []string
	// forced: the apply is forced.
	forced bool
	// name and version are what check made of client.
	name, version string
	// manifest is the text of releaseManifest.
	manifest []byte
}

// addClient adds whose requests are simulated.
func (f *clientFlags) addClient(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.client, "client", client.Auto, "`client` whose requests are simulated: "+strings.Join(client.Names(), ", ")+", with @VERSION; none is the one bare request ('ssactl clients' describes them)")
	mustComplete(cmd, "client", client.Names())
}

// addOptions adds the options of the clients.
func (f *clientFlags) addOptions(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.serverSide, "server-side", client.Auto, "how the client applies: auto, true, or false for client-side apply (kubectl, helm, argocd)")
	flags.Lookup("server-side").NoOptDefVal = "true"
	mustComplete(cmd, "server-side", []string{client.Auto, "true", "false"})
	flags.StringVar(&f.release, "release", "", "`name` of the release (helm; default that of the inputs)")
	flags.StringVar(&f.releaseManifest, "release-manifest", "", "`file` with the manifest of the deployed revision, as 'helm get manifest' prints it (helm; default from its Secret among the live objects)")
	flags.BoolVar(&f.takeOwnership, "take-ownership", false, "take objects that are of no or of another release (helm)")
	flags.BoolVar(&f.forceReplace, "force-replace", false, "replace objects (helm, client-side)")
	flags.BoolVar(&f.prune, "prune", false, "delete what the client would: live objects that it applied and no manifest names (argocd, flux)")
	flags.BoolVar(&f.force, "force", false, "recreate objects with immutable fields, as spec.force (flux)")
	flags.StringArrayVar(&f.overridden, "override-manager", nil, "`manager` whose entries are taken over, as the flag of kustomize-controller (flux; repeatable)")
	flags.StringArrayVar(&f.ignorePaths, "ignore-path", nil, "JSON `pointer` of a field that is left as it is, as spec.ignore (flux; repeatable)")
}

// check finds wrong flags.
func (f *clientFlags) check() (err error) {
	if f.client == "" {
		f.client = client.None
	}
	if f.name, f.version, err = client.Parse(f.client); err != nil {
		return fmt.Errorf("--client %q: %w", f.client, err)
	}
	if err := f.misplaced(); err != nil {
		return err
	}
	switch f.serverSide {
	case "", client.Auto, "true", "false":
		return f.readManifest()
	}
	return fmt.Errorf("--server-side %q: use auto, true, or false", f.serverSide)
}

// misplaced is the error of an option of another client than the one that is named.
func (f *clientFlags) misplaced() error {
	for _, o := range []struct {
		flag    string
		given   bool
		clients []string
	}{
		{"--release", f.release != "", []string{"helm"}},
		{"--release-manifest", f.releaseManifest != "", []string{"helm"}},
		{"--take-ownership", f.takeOwnership, []string{"helm"}},
		{"--force-replace", f.forceReplace, []string{"helm"}},
		{"--prune", f.prune, []string{"argocd", "flux"}},
		{"--override-manager", len(f.overridden) > 0, []string{"flux"}},
		{"--ignore-path", len(f.ignorePaths) > 0, []string{"flux"}},
		{"--force", f.force, []string{"flux"}},
	} {
		if o.given && !slices.Contains(o.clients, f.name) {
			err := fmt.Errorf("%s works with --client %s", o.flag, strings.Join(o.clients, " or "))
			name, _, _ := strings.Cut(strings.TrimPrefix(o.flag, "--"), " ")
			if habit := habits[name]; habit != "" {
				err = fmt.Errorf("%w: %s", err, habit)
			}
			return err
		}
	}
	return nil
}

// words are the flags, as they are typed.
func (f *clientFlags) words() []shell.Flag {
	var flags []shell.Flag
	value := func(flag shell.Flag, given bool) {
		if given {
			flags = append(flags, flag)
		}
	}
	value(shell.Value("--client", f.client), f.name != client.Auto)
	value(shell.Value("--server-side", f.serverSide), f.serverSide != client.Auto && f.serverSide != "")
	value(shell.Value("--release", f.release), f.release != "")
	value(shell.File("--release-manifest", f.releaseManifest), f.releaseManifest != "")
	value(shell.Switch("--take-ownership"), f.takeOwnership)
	for _, name := range f.overridden {
		value(shell.Value("--override-manager", name), true)
	}
	for _, path := range f.ignorePaths {
		value(shell.Value("--ignore-path", path), true)
	}
	return flags
}

func (f *clientFlags) clientSide() bool { return f.serverSide == "false" }

// readManifest reads the manifest of the deployed revision.
func (f *clientFlags) readManifest() (err error) {
	if f.releaseManifest == "" {
		return nil
	}
	if f.manifest, err = bounded.File(f.releaseManifest, manifest.DefaultMaxDocumentBytes); err != nil {
		return fmt.Errorf("--release-manifest: %w", err)
	}
	return nil
}

// spares reports which live objects the client needs besides those that manifests name:
// all where it may delete, else those with its settings.
func (f *clientFlags) spares() func(manifest.Identity) bool {
	switch f.name {
	case client.None, "kubectl":
		return nil
	case client.Auto:
		return isSetting
	}
	return func(manifest.Identity) bool { return true }
}

func isSetting(id manifest.Identity) bool { return client.IsSetting(kindOf(id).GroupKind(), id.Name) }

// settings are the objects of the inputs that clients take settings from.
func (c *cluster) settings() []map[string]any {
	var out []map[string]any
	add := func(d manifest.Document) {
		if !isSetting(d.Identity) {
			return
		}
		if object, err := jsontree.Decode(d.JSON()); err == nil {
			out = append(out, object)
		}
	}
	for _, d := range slices.Concat(c.manifests, c.definitions) {
		add(d)
	}
	for _, o := range c.live.Spare() {
		if isSetting(o.Identity) {
			if object, err := o.Decode(); err == nil {
				out = append(out, object)
			}
		}
	}
	return out
}

// clientOf is the client of a run: the one that is named, or that the field manager is
// the name of and the live objects show; nil for none.
func (c *cluster) clientOf(f *requestFlags) (*client.Client, error) {
	name := f.name
	switch {
	case name == client.None:
		return nil, nil
	case name == client.Auto && f.named && f.manager != client.KubectlManager:
		name = c.shown(f.manager)
	case name == client.Auto && f.clientSide():
		name = "kubectl"
	case name == client.Auto:
		return nil, nil
	}
	return c.makeClient(f, name)
}

// byManager is the client of the field manager, once that is known.
func (c *cluster) byManager(f *requestFlags) *client.Client {
	if f.name != client.Auto || f.manager != client.KubectlManager {
		return nil
	}
	made, _ := c.makeClient(f, "kubectl")
	return made
}

// shown is the client that a field manager is the name of, where the inputs show that it is
// at work: its settings are among them. Else there is none.
func (c *cluster) shown(manager string) string {
	for _, about := range client.Abouts() {
		if about.Manager == manager && slices.ContainsFunc(c.settings(), func(o map[string]any) bool { return about.IsSetting(o) }) {
			return about.Name
		}
	}
	return client.None
}

func (c *cluster) makeClient(f *requestFlags, name string) (*client.Client, error) {
	if name == client.None {
		return nil, nil
	}
	version := f.version
	if version == "" {
		version = aboutOf(name).Versions[0].Name
	}
	var made *client.Client
	var err error
	switch name {
	case "helm":
		made, err = client.NewHelm(version, client.HelmSettings{
			ServerSide: f.serverSide, Release: f.release, Namespace: c.scope.namespace, ForceConflicts: f.forced,
			TakeOwnership: f.takeOwnership, ForceReplace: f.forceReplace, Manifest: f.manifest, Objects: c.settings(),
		})
	case "argocd":
		made = client.NewArgoCD(version, client.ArgoCDSettings{ServerSide: f.serverSide, Prune: f.prune, Objects: c.settings()})
	case "flux":
		made = client.NewFlux(version, client.FluxSettings{Prune: f.prune, Force: f.force, Overridden: f.overridden, Ignored: f.ignorePaths, Objects: c.settings()})
	default:
		made = client.NewKubectl(version, client.KubectlSettings{ClientSide: f.clientSide()})
		made.Force = f.forced
	}
	return made, err
}

// planClient lets the client see all manifests before the first is sent.
func (c *cluster) planClient(ctx context.Context, f *requestFlags, pairs []pair) {
	c.app.sender = f.words()
	if c.client == nil {
		return
	}
	if c.client.Plans() {
		var writes []engine.Write
		for _, p := range pairs {
			if p.err == nil && p.document.Name != "" {
				w := c.apply(p)
				f.fill(&w)
				writes = append(writes, w)
			}
		}
		c.client.Plan(ctx, c.server, writes)
	}
	c.app.noteClient(f.name != client.Auto || f.clientSide(), c.client)
	c.notices = append(c.notices, c.client.Notices...)
}

// deletions are the live objects that the client deletes behind the manifests.
func (o *applyOptions) deletions(c *cluster) []pair {
	wanted := map[live.Key]bool{}
	for _, d := range c.manifests {
		wanted[c.scope.key(d.Identity)] = true
	}
	var out []pair
	for _, object := range slices.Concat(c.live.Spare(), c.live.Kept()) {
		key := c.scope.key(object.Identity)
		if wanted[key] {
			continue
		}
		asked := client.Key{Group: key.Group, Kind: key.Kind, Namespace: key.Namespace, Name: key.Name}
		policy, prune := c.client.Prunes(asked, func() map[string]any {
			decoded, _ := object.Metadata()
			return decoded
		})
		if prune {
			out = append(out, pair{document: object.Document, key: key, live: object, propagation: policy})
		}
	}
	return out
}

// deletion is the delete of a live object.
func (c *cluster) deletion(p pair) engine.Write {
	w := engine.Write{
		Verb: api.Delete, Kind: kindOf(p.document.Identity), Namespace: p.key.Namespace, Name: p.document.Name,
		PropagationPolicy: p.propagation, Manager: c.client.Manager, Now: c.now, DryRun: c.dryRun, Detail: c.detail, Schema: c.schema,
	}
	c.setLive(&w, p.live)
	return w
}

// noteClient keeps what the first line says of the client, where that is more than the
// name of the field manager.
func (a *app) noteClient(explicit bool, c *client.Client) {
	if c != nil && (explicit || c.Name != "kubectl") {
		a.client = c.Said()
	}
}

func aboutOf(name string) client.About {
	all := client.Abouts()
	return all[slices.IndexFunc(all, func(a client.About) bool { return a.Name == name })]
}
