package cli

import (
	"encoding/json"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/server"
)

// versionInfo is what 'ssactl version -o json' prints.
type versionInfo struct {
	// Version is that of ssactl, from the build information.
	Version string `json:"version"`
	// Revision is the commit it was built from; empty when it is not known.
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	// Server is the API server that is simulated by default.
	Server string `json:"server"`
	// KubernetesVersions are those that --kubernetes-version takes, newest
	// first.
	KubernetesVersions []string `json:"kubernetesVersions"`
}

func newVersionCmd(a *app) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Tell the version of ssactl and of the API server that it simulates",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return runVersion(a, output)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "output `format`: text, json")
	mustComplete(cmd, "output", []string{"text", "json"})
	return cmd
}

func runVersion(a *app, output string) error {
	info := readVersion()
	switch output {
	case "json":
		encoder := json.NewEncoder(a.streams.Out)
		encoder.SetIndent("", "    ")
		return encoder.Encode(info)
	case "text", "":
		_, err := fmt.Fprintf(a.streams.Out, "ssactl %s\nsimulates kube-apiserver %s\n", info.Version, info.Server)
		return err
	}
	return fmt.Errorf("--output %q: use text or json", output)
}

func readVersion() versionInfo {
	info := versionInfo{
		Version:            "(unknown)",
		Server:             server.Newest(),
		KubernetesVersions: server.Versions(),
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return info
	}
	info.Version, info.Go = build.Main.Version, build.GoVersion
	for _, setting := range build.Settings {
		if setting.Key == "vcs.revision" {
			info.Revision = setting.Value
		}
	}
	return info
}
