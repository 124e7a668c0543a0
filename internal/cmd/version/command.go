package version

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server"
)

// Info is what 'ssactl version -o json' prints.
type Info struct {
	// Version is that of ssactl, from the build information.
	Version string `json:"version"`
	// Revision is the commit it was built from; empty when it is not known.
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	// Server is the API server that is simulated, by default the newest.
	Server string `json:"server"`
	// Linked are the Kubernetes release whose code runs, and what it merges with.
	Linked linkedInfo `json:"linked"`
	// Emulated are the other releases, newest first: each is the linked one with its
	// feature gates, and with the definitions of the patch release that is named.
	Emulated []string `json:"emulated"`
	// Flags are those flags of kube-apiserver that are simulated, sorted by
	// name, each with its value.
	Flags []flagInfo `json:"flags"`
	// KubernetesVersions are those that --kubernetes-version takes, newest
	// first.
	KubernetesVersions []string `json:"kubernetesVersions"`
}

// linkedInfo is what is linked.
type linkedInfo struct {
	Kubernetes          string `json:"kubernetes"`
	StructuredMergeDiff string `json:"structuredMergeDiff,omitempty"`
}

// flagInfo is a flag of kube-apiserver.
type flagInfo struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Usage string `json:"usage"`
}

// versionFormats are those of kubectl version, and text.
var versionFormats = []string{"text", "json", "yaml"}

type versionOptions struct {
	input.ServerFlags
	output  string
	verbose bool
}

// New is the command version.
func New(a *app.App) *cobra.Command {
	o := &versionOptions{}
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Show the version of ssactl and of the API server that it simulates",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return runVersion(a, o)
		},
	}
	o.AddSimulated(cmd)
	cmd.Flags().
		BoolVarP(&o.verbose, "verbose", "v", false, "list what is linked, what is emulated, and the flags of kube-apiserver that are simulated")
	cmd.Flags().StringVarP(&o.output, "output", "o", "text", "output `format`: "+strings.Join(versionFormats, ", "))
	input.MustComplete(cmd, "output", versionFormats)
	return cmd
}

func runVersion(a *app.App, o *versionOptions) error {
	info, err := Read(o.Options())
	if err != nil {
		return err
	}
	switch o.output {
	case "json":
		encoder := json.NewEncoder(a.Streams.Out)
		encoder.SetIndent("", "    ")
		return encoder.Encode(info)
	case "yaml":
		text, err := yaml.Marshal(info)
		if err == nil {
			_, err = a.Streams.Out.Write(text)
		}
		return err
	case "text", "":
		_, err := io.WriteString(a.Streams.Out, info.text(o.verbose))
		return err
	}
	return input.UnknownFormat(o.output, versionFormats)
}

func (i Info) text(verbose bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "ssactl %s\nsimulates kube-apiserver %s\n", i.Version, i.Server)
	if verbose {
		fmt.Fprintf(
			&b,
			"\nLinked: kube-apiserver %s\n  structured-merge-diff %s\nEmulated, each with the definitions of this release\n  %s\n",
			i.Linked.Kubernetes,
			cmp.Or(i.Linked.StructuredMergeDiff, "(unknown)"),
			strings.Join(i.Emulated, "\n  "),
		)
		b.WriteString("\nFlags of kube-apiserver, set by --server-flag and --server-preset\n")
		for _, f := range i.Flags {
			fmt.Fprintf(&b, "  %s=%s\n      %s\n", f.Name, f.Value, f.Usage)
		}
		b.WriteString("\nPresets of --server-preset\n")
		for _, p := range server.Presets() {
			fmt.Fprintf(&b, "  %s\n", p.Name)
			for _, f := range p.Flags {
				fmt.Fprintf(&b, "      %s\n", f)
			}
			fmt.Fprintf(&b, "      (%s)\n", p.Source)
		}
	}
	return b.String()
}

// Line is what --version prints: what 'ssactl version' does.
func Line() string {
	info, err := Read(server.Options{})
	if err != nil {
		return err.Error() + "\n"
	}
	return info.text(false)
}

// Read says which version this is, and which server it simulates.
func Read(options server.Options) (Info, error) {
	info := Info{
		Version:            "(unknown)",
		KubernetesVersions: server.Versions(),
		Linked:             linkedInfo{Kubernetes: server.Releases()[0]},
		Emulated:           server.Releases()[1:],
	}
	var err error
	if info.Server, err = server.VersionOf(options); err != nil {
		return info, err
	}
	flags, err := server.FlagsOf(options)
	if err != nil {
		return info, err
	}
	for _, f := range flags {
		info.Flags = append(info.Flags, flagInfo(f))
	}
	info.readBuild()
	return info, nil
}

// readBuild fills in what the binary says of itself.
func (i *Info) readBuild() {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return
	}
	i.Version, i.Go = build.Main.Version, build.GoVersion
	for _, module := range build.Deps {
		if strings.HasPrefix(module.Path, "sigs.k8s.io/structured-merge-diff/") {
			i.Linked.StructuredMergeDiff = module.Version
		}
	}
	for _, setting := range build.Settings {
		if setting.Key == "vcs.revision" {
			i.Revision = setting.Value
		}
	}
}
