package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
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

// clientFlags say who applies the manifests: the field manager, the client whose requests
// are simulated, and the options of the clients, by their own names.
type clientFlags struct {
	manager string
	// named reports whether the field manager was given, or is derived from --user-agent.
	named bool
	// sender is the field manager that the requests name; empty for that of the user agent.
	sender          string
	client          string
	settings        client.Settings
	releaseManifest string
	// name and version are what check made of client, words the flags as they are typed.
	name, version string
	words         []shell.Flag
}

// managerFlag is the flag of most commands that says who the field manager is.
const managerFlag = "field-manager"

// addManager adds the field manager.
func (f *clientFlags) addManager(cmd *cobra.Command, usage string) {
	cmd.Flags().StringVar(&f.manager, managerFlag, defaultManager, usage)
	mustCompleteManagers(cmd)
}

// infer has the client or the live objects say who the field manager is where none is
// given.
func (f *clientFlags) infer(cmd *cobra.Command) {
	flag := cmd.Flags().Lookup(managerFlag)
	flag.Usage, flag.DefValue = "`name` of the field manager (default that of --client, else the one that applies all of the live objects, else kubectl)", ""
	f.addClient(cmd)
}

// addClient adds whose requests are simulated, with the options of the clients.
func (f *clientFlags) addClient(cmd *cobra.Command) {
	flags, s := cmd.Flags(), &f.settings
	flags.StringVar(&f.client, "client", client.Auto, "`client` whose requests are simulated: "+strings.Join(client.Names(), ", ")+", with @VERSION; none is the one bare request ('ssactl clients' describes them)")
	mustComplete(cmd, "client", client.Names())
	flags.StringVar(&s.ServerSide, "server-side", client.Auto, "how the client applies: auto, true, or false for client-side apply (kubectl, helm, argocd)")
	flags.Lookup("server-side").NoOptDefVal = "true"
	mustComplete(cmd, "server-side", []string{client.Auto, "true", "false"})
	flags.StringVar(&s.Release, "release", "", "`name` of the release (helm; default that of the inputs)")
	flags.StringVar(&f.releaseManifest, "release-manifest", "", "`file` with the manifest of the deployed revision, as 'helm get manifest' prints it (helm; default from its Secret among the live objects)")
	flags.BoolVar(&s.TakeOwnership, "take-ownership", false, "take objects that are of no or of another release (helm)")
	flags.BoolVar(&s.ForceReplace, "force-replace", false, "replace objects (helm, client-side)")
	flags.BoolVar(&s.CreateNamespace, "create-namespace", false, "create the namespace of the release at an install (helm)")
	flags.BoolVar(&s.Prune, "prune", false, "delete what the client would: live objects that it applied and no manifest names (argocd, flux)")
	flags.BoolVar(&s.Force, "force", false, "recreate objects with immutable fields, as spec.force (flux)")
	flags.StringArrayVar(&s.OverrideManagers, "override-manager", nil, "`manager` whose entries are taken over, as the flag of kustomize-controller (flux; repeatable)")
	flags.StringArrayVar(&s.IgnorePaths, "ignore-path", nil, "JSON `pointer` of a field that is left as it is, as spec.ignore (flux; repeatable)")
}

// check finds wrong flags, where the field manager is that of a flag.
func (f *clientFlags) check(cmd *cobra.Command, manager string) (err error) {
	f.sender, f.named = f.manager, cmd.Flags().Changed(manager)
	if f.client == "" {
		f.client, f.name = client.None, client.None
		return nil
	}
	if f.name, f.version, err = client.Parse(f.client); err != nil {
		return fmt.Errorf("--client %q: %w", f.client, err)
	}
	if f.name != client.Auto {
		f.words = append(f.words, shell.Value("--client", f.client))
	}
	if !slices.Contains([]string{client.Auto, "true", "false"}, f.settings.ServerSide) {
		return fmt.Errorf("--server-side %q: use auto, true, or false", f.settings.ServerSide)
	}
	for _, o := range f.options() {
		if err := f.misplaced(o.name); err != nil {
			return err
		}
		f.words = append(f.words, o.flag)
	}
	if f.releaseManifest == "" {
		return nil
	}
	if f.settings.ReleaseManifest, err = bounded.File(f.releaseManifest, manifest.DefaultMaxDocumentBytes); err != nil {
		return fmt.Errorf("--release-manifest: %w", err)
	}
	return nil
}

// misplaced is the error of an option that the client does not have. Each may be told to
// apply server-side, and kubectl is meant by auto.
func (f *clientFlags) misplaced(option string) error {
	name := f.name
	if option == "server-side" && (f.settings.ServerSide == "true" || name == client.Auto) {
		return nil
	}
	clients := client.With(option)
	if slices.Contains(clients, name) {
		return nil
	}
	err := fmt.Errorf("--%s works with --client %s", option, strings.Join(clients, " or "))
	if habit := habits[option]; habit != "" {
		err = fmt.Errorf("%w: %s", err, habit)
	}
	return err
}

// option is one of a client that is given, as it is typed.
type option struct {
	name string
	flag shell.Flag
}

// options are those that are given.
func (f *clientFlags) options() []option {
	s, out := f.settings, []option{}
	add := func(given bool, name string, flag shell.Flag) {
		if given {
			out = append(out, option{name, flag})
		}
	}
	add(s.ServerSide != client.Auto, "server-side", shell.Value("--server-side", s.ServerSide))
	add(s.Release != "", "release", shell.Value("--release", s.Release))
	add(f.releaseManifest != "", "release-manifest", shell.File("--release-manifest", f.releaseManifest))
	add(s.TakeOwnership, "take-ownership", shell.Switch("--take-ownership"))
	add(s.ForceReplace, "force-replace", shell.Switch("--force-replace"))
	add(s.CreateNamespace, "create-namespace", shell.Switch("--create-namespace"))
	add(s.Prune, "prune", shell.Switch("--prune"))
	add(s.Force, "force", shell.Switch("--force"))
	for _, name := range s.OverrideManagers {
		add(true, "override-manager", shell.Value("--override-manager", name))
	}
	for _, path := range s.IgnorePaths {
		add(true, "ignore-path", shell.Value("--ignore-path", path))
	}
	return out
}

func (f *clientFlags) clientSide() bool { return f.settings.ServerSide == "false" }

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
	c.findSettings.Do(func() { c.foundSettings = c.settingObjects() })
	return c.foundSettings
}

func (c *cluster) settingObjects() []map[string]any {
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
	for _, o := range c.spare() {
		if isSetting(o.Identity) {
			if object, err := o.Decode(); err == nil {
				out = append(out, object)
			}
		}
	}
	return out
}

// spare are the live objects that no manifest names, as far as they were kept.
func (c *cluster) spare() []*live.Object {
	if len(c.live.Spare()) == 0 {
		// Where the inputs are mixed, all are kept.
		return c.live.Objects()
	}
	return c.live.Spare()
}

// clientOf is the client of a run: the one that is named, or that the field manager is
// the name of and the live objects show; nil for none.
func (c *cluster) clientOf(f *clientFlags, pairs []pair) (*client.Client, error) {
	name := f.name
	switch {
	case name == client.Auto && f.named && f.manager != client.KubectlManager:
		name = c.shown(f.manager)
	case name == client.Auto && f.clientSide():
		name = "kubectl"
	}
	return c.makeClient(f, name, metadataOfLive(pairs))
}

// sendsFor finds the client of a run that asks for the next apply of a manager.
func (c *cluster) sendsFor(ctx context.Context, f *clientFlags) (err error) {
	c.none = f.name == client.None
	pairs := c.allPairs()
	if c.client, err = c.clientOf(f, pairs); err != nil || c.client == nil {
		return err
	}
	if !f.named {
		f.sender = c.client.Manager
	}
	c.planClient(ctx, f, pairs)
	return nil
}

// byManager is the client of the field manager, once that is known.
func (c *cluster) byManager(f *clientFlags) *client.Client {
	if f.name != client.Auto || f.manager != client.KubectlManager {
		return nil
	}
	made, _ := c.makeClient(f, "kubectl", nil)
	return made
}

// shown is the client that a field manager is the name of, where the inputs show that it is
// at work: its settings are among them. Else there is none.
func (c *cluster) shown(manager string) string {
	for _, about := range client.Abouts() {
		if about.Manager == manager && slices.ContainsFunc(c.settings(), about.IsSetting) {
			return about.Name
		}
	}
	return client.None
}

// makeClient is the client of a name; nil for none.
func (c *cluster) makeClient(f *clientFlags, name string, live iter.Seq[map[string]any]) (*client.Client, error) {
	s := f.settings
	s.Namespace, s.Objects, s.Live = c.scope.namespace, c.settings(), live
	return client.New(name, f.version, s)
}

// metadataOfLive are the live objects of pairs, with no more than their metadata.
func metadataOfLive(pairs []pair) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		for _, p := range pairs {
			if p.live == nil {
				continue
			}
			if object, err := p.live.Metadata(); err == nil && !yield(object) {
				return
			}
		}
	}
}

// planClient lets the client see all manifests before the first is sent.
func (c *cluster) planClient(ctx context.Context, f *clientFlags, pairs []pair) {
	c.app.sender = f.words
	if c.client == nil {
		return
	}
	if c.client.Plans() {
		var writes []engine.Write
		for _, p := range pairs {
			if p.err == nil && p.document.Name != "" {
				w := c.apply(p)
				w.Manager = f.sender
				writes = append(writes, w)
			}
		}
		c.client.Plan(ctx, c.server, writes)
	}
	c.notices = append(c.notices, c.client.Notices...)
}

// namespacePair is the namespace that the client creates before the manifests, where none of
// that name is live; nil for none.
func (c *cluster) namespacePair() []pair {
	if c.client == nil || c.client.Creates() == nil {
		return nil
	}
	text, _ := json.Marshal(c.client.Creates())
	documents, _ := manifest.Load([]string{"-"}, manifest.Options{Stdin: bytes.NewReader(text)})
	if len(documents) == 0 {
		return nil
	}
	p := pair{document: documents[0], key: c.scope.key(documents[0].Identity)}
	p.document.Source = manifest.Source{File: "the namespace that " + c.client.Title + " creates"}
	is := func(o *live.Object) bool { return c.scope.key(o.Identity) == p.key }
	if slices.ContainsFunc(slices.Concat(c.spare(), c.live.Kept()), is) {
		return nil
	}
	c.judgeAbsence(&p)
	return []pair{p}
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

// said is what the first line says of the client, where that is more than the name of the
// field manager.
func (f *clientFlags) said(c *client.Client) string {
	forces := "does not force"
	if f.settings.ForceConflicts {
		forces = "forces"
	}
	switch {
	case c != nil && (f.name != client.Auto || f.clientSide() || c.Name != "kubectl"):
		return c.Said()
	case f.name == client.None:
		return "no client, " + forces
	}
	return ""
}
