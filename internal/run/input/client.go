package input

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/run/bounded"
	"github.com/ssactl/ssactl/internal/shell"
)

// ClientFlags say who applies the manifests: the field manager, the client whose requests
// are simulated, and the options of the clients, by their own names.
type ClientFlags struct {
	Manager string
	// Named reports whether the field manager was given, or is derived from --user-agent.
	Named bool
	// Sender is the field manager that the requests name; empty for that of the user agent.
	Sender          string
	client          string
	Settings        client.Settings
	releaseManifest string
	// Name and version are what check made of client, words the flags as they are typed.
	Name, Version string
	Words         []shell.Flag
}

// AddManager adds the field manager.
func (f *ClientFlags) AddManager(cmd *cobra.Command, usage string) {
	cmd.Flags().StringVar(&f.Manager, ManagerFlag, DefaultManager, usage)
	Complete(cmd, ManagerFlag, func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		// Those that the live files name.
		paths, _ := cmd.Flags().GetStringArray("live")
		return ManagersIn(paths), cobra.ShellCompDirectiveNoFileComp
	})
}

// Infer has the client or the live objects say who the field manager is where none is
// given.
func (f *ClientFlags) Infer(cmd *cobra.Command) {
	flag := cmd.Flags().Lookup(ManagerFlag)
	flag.Usage, flag.DefValue = "`name` of the field manager (default that of --client, else the one that applies all live objects, else kubectl)", ""
	f.AddClient(cmd)
}

// AddClient adds whose requests are simulated, with the options of the clients.
func (f *ClientFlags) AddClient(cmd *cobra.Command) {
	flags, s := cmd.Flags(), &f.Settings
	flags.StringVar(
		&f.client,
		"client",
		about.Auto,
		"`client` whose requests are simulated: "+strings.Join(
			about.Names(),
			", ",
		)+", with @VERSION; none is the one bare request, and "+
			strings.Join(
				about.Unsimulated(),
				", ",
			)+" that of its field manager ('ssactl clients' describes them)",
	)
	MustComplete(cmd, "client", append(about.Names(), about.Unsimulated()...))
	flags.StringVar(
		&s.ServerSide,
		"server-side",
		about.Auto,
		"how the client applies: auto, true, or false for client-side apply (kubectl, helm, argocd)",
	)
	flags.Lookup("server-side").NoOptDefVal = "true"
	MustComplete(cmd, "server-side", []string{about.Auto, "true", "false"})
	flags.StringVar(&s.Release, "release", "", "`name` of the release (helm; default that of the inputs)")
	flags.StringVar(
		&f.releaseManifest,
		"release-manifest",
		"",
		"`file` with the manifest of the deployed revision, as 'helm get manifest' prints it (helm; default from its Secret among the live objects)",
	)
	flags.BoolVar(&s.TakeOwnership, "take-ownership", false, "take objects that are of no or of another release (helm)")
	flags.BoolVar(&s.ForceReplace, "force-replace", false, "replace objects (helm, client-side)")
	flags.BoolVar(
		&s.CreateNamespace,
		"create-namespace",
		false,
		"create the namespace of the release at an install (helm)",
	)
	flags.BoolVar(
		&s.RollbackOnFailure,
		"rollback-on-failure",
		false,
		"take back what was written if the run is refused (helm; the answer says that it is not simulated)",
	)
	flags.BoolVar(
		&s.Prune,
		"prune",
		false,
		"delete what the client would: live objects that it applied and no manifest names (kubectl, with -l; argocd; flux)",
	)
	flags.StringVar(
		&s.ApplySet,
		"applyset",
		"",
		"`name` of the ApplySet by which kubectl prunes (kubectl; the answer says that it is not simulated)",
	)
	flags.BoolVar(&s.Force, "force", false, "recreate objects with immutable fields, as spec.force (flux)")
	flags.StringArrayVar(
		&s.OverrideManagers,
		"override-manager",
		nil,
		"`manager` whose entries are taken over, as the flag of kustomize-controller (flux; repeatable)",
	)
	flags.StringArrayVar(
		&s.IgnorePaths,
		"ignore-path",
		nil,
		"JSON `pointer` of a field that is left as it is, as spec.ignore (flux; repeatable)",
	)
}

// Check finds wrong flags, where the field manager is that of a flag.
func (f *ClientFlags) Check(cmd *cobra.Command, manager string) (err error) {
	f.Sender, f.Named = f.Manager, cmd.Flags().Changed(manager)
	if f.client == "" {
		f.client, f.Name = about.None, about.None
		return nil
	}
	if f.Name, f.Version, err = about.Parse(f.client); err != nil {
		return fmt.Errorf("--client %q: %w", f.client, err)
	}
	if manager, is := about.ManagerOf(f.client); is && !f.Named {
		f.Manager, f.Sender, f.Named = manager, manager, true
	}
	if f.Name != about.Auto {
		f.Words = append(f.Words, shell.Value("--client", f.client))
	}
	if !slices.Contains([]string{about.Auto, "true", "false"}, f.Settings.ServerSide) {
		return fmt.Errorf("--server-side %q: use auto, true, or false", f.Settings.ServerSide)
	}
	for _, o := range f.options() {
		if err := f.misplaced(o.name); err != nil {
			return err
		}
		f.Words = append(f.Words, o.flag)
	}
	if f.releaseManifest == "" {
		return nil
	}
	if f.Settings.ReleaseManifest, err = bounded.File(f.releaseManifest, manifest.DefaultMaxDocumentBytes); err == nil {
		err = checkRelease(f.releaseManifest)
	}
	if err != nil {
		return fmt.Errorf("--release-manifest: %w", err)
	}
	return nil
}

// checkRelease finds what cannot be read of the manifest of a release, and one that has
// nothing: Helm fails where it cannot build the deployed revision, and of what leaves the
// chart nothing would be seen.
func checkRelease(file string) error {
	var errs []error
	_, problems := manifest.Load([]string{file}, manifest.Options{})
	for _, p := range problems {
		errs = append(errs, fmt.Errorf("%s:%d: %s", file, max(p.Source.Line, 1), p.Message()))
	}
	if errs != nil {
		errs = append(
			errs,
			errors.New("what leaves the chart is not known without it: give what 'helm get manifest RELEASE' prints"),
		)
	}
	return errors.Join(errs...)
}

// misplaced is the error of an option that the client does not have. Each may be told to
// apply server-side, and kubectl is meant by auto.
func (f *ClientFlags) misplaced(option string) error {
	name := f.Name
	if option == "server-side" && (f.Settings.ServerSide == "true" || name == about.Auto) {
		return nil
	}
	clients := about.With(option)
	if slices.Contains(clients, name) {
		return nil
	}
	err := fmt.Errorf("--%s works with --client %s", option, strings.Join(clients, " or "))
	if habit := Habits[option]; habit != "" {
		err = fmt.Errorf("%w: %s", err, habit)
	}
	return err
}

// options are those that are given.
func (f *ClientFlags) options() []option {
	s, out := f.Settings, []option{}
	add := func(given bool, name string, flag shell.Flag) {
		if given {
			out = append(out, option{name, flag})
		}
	}
	add(s.ServerSide != about.Auto, "server-side", shell.Value("--server-side", s.ServerSide))
	add(s.Release != "", "release", shell.Value("--release", s.Release))
	add(f.releaseManifest != "", "release-manifest", shell.File("--release-manifest", f.releaseManifest))
	add(s.TakeOwnership, "take-ownership", shell.Switch("--take-ownership"))
	add(s.ForceReplace, "force-replace", shell.Switch("--force-replace"))
	add(s.CreateNamespace, "create-namespace", shell.Switch("--create-namespace"))
	add(s.RollbackOnFailure, "rollback-on-failure", shell.Switch("--rollback-on-failure"))
	add(s.Prune, "prune", shell.Switch("--prune"))
	add(s.ApplySet != "", "applyset", shell.Value("--applyset", s.ApplySet))
	add(s.Force, "force", shell.Switch("--force"))
	for _, name := range s.OverrideManagers {
		add(true, "override-manager", shell.Value("--override-manager", name))
	}
	for _, path := range s.IgnorePaths {
		add(true, "ignore-path", shell.Value("--ignore-path", path))
	}
	return out
}

// ClientSide reports whether client-side apply is asked for.
func (f *ClientFlags) ClientSide() bool { return f.Settings.ServerSide == "false" }

// Spares reports which live objects the client needs besides those that manifests name:
// all where it may delete, else those with its settings. Where no flag names a client, these
// show whether there is one, and files are read again for the others; live is where they are
// read from.
func (f *ClientFlags) Spares(live []string) func(manifest.Identity) bool {
	switch f.Name {
	case about.None:
		return nil
	case "kubectl":
		if !f.Settings.Prune {
			return nil
		}
	case about.Auto:
		if _, is := about.Managing(f.Manager); f.Named && !is || !slices.Contains(live, "-") {
			return IsSetting
		}
	}
	return func(manifest.Identity) bool { return true }
}

// IsSetting reports whether clients take settings from an object.
func IsSetting(id manifest.Identity) bool { return client.IsSetting(KindOf(id).GroupKind(), id.Name) }

// Said is what the first line says of the client, and whether it forces, where that is more
// than the name of the field manager. kubectl has the name of its own.
func (f *ClientFlags) Said(c *client.Client) string {
	forces := "does not force"
	if f.Settings.ForceConflicts {
		forces = "forces"
	}
	program, known := about.Managing(f.Manager)
	switch {
	case c != nil && (f.Name != about.Auto || f.ClientSide() || c.Name != "kubectl"):
		return c.Said()
	case c != nil:
		return ""
	case f.Name == about.None:
		return "no client, " + forces
	case known:
		return fmt.Sprintf("no client, %s; see --client %s", forces, program.Name)
	}
	return "no known client, " + forces
}

// ManagerFlag is the flag of most commands that says who the field manager is.
const ManagerFlag = "field-manager"

// option is one of a client that is given, as it is typed.
type option struct {
	name string
	flag shell.Flag
}
