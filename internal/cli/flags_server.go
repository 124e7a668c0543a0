package cli

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/shell"
)

// serverFlags say which server is simulated, and when, and how many objects it
// answers at once.
type serverFlags struct {
	kubernetesVersion string
	clusterVersion    string
	preset            string
	apiServer         []string
	now               string
	jobs              int
	fullPath          bool
	requireSchema     bool
}

func (f *serverFlags) add(cmd *cobra.Command) {
	f.addSimulated(cmd)
	cmd.Flags().StringVar(&f.now, "now", "", "fix the clock at a `time` (RFC 3339)")
	cmd.Flags().IntVar(&f.jobs, "jobs", runtime.GOMAXPROCS(0), "`number` of objects to answer in parallel")
	cmd.Flags().BoolVar(&f.requireSchema, "require-schema", false, "fail for a custom resource without its CustomResourceDefinition instead of assuming a schema")
	// For finding out whether a shortcut has changed an answer.
	cmd.Flags().BoolVar(&f.fullPath, "full-path", false, "answer without any shortcut")
	if err := cmd.Flags().MarkHidden("full-path"); err != nil {
		panic(err)
	}
}

// addSimulated adds which server is simulated.
func (f *serverFlags) addSimulated(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.kubernetesVersion, "kubernetes-version", "", "Kubernetes `version` to simulate: "+strings.Join(server.Versions(), ", ")+" (default the newest)")
	flags.StringVar(&f.clusterVersion, "server-version", "", "`version` that the cluster runs, such as "+server.Releases()[0]+": its minor version is simulated, and answers say what its patch release does differently")
	flags.StringVar(&f.preset, "server-preset", "", "simulate the servers of a `distribution`: "+strings.Join(presetNames(), ", "))
	flags.StringArrayVar(&f.apiServer, "server-flag", nil, "flag of kube-apiserver to simulate, as `name=value`; 'ssactl version -v' lists them (repeatable)")
	mustComplete(cmd, "server-preset", presetNames())
	mustComplete(cmd, "kubernetes-version", server.Versions())
	var names []string
	for _, known := range server.Flags() {
		names = append(names, known.Name+"=\t"+known.Usage)
	}
	complete(cmd, "server-flag", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
}

func (f *serverFlags) schemaPolicy() engine.SchemaPolicy {
	if f.requireSchema {
		return engine.RequireSchema
	}
	return engine.AssumeSchema
}

func presetNames() []string {
	var names []string
	for _, p := range server.Presets() {
		names = append(names, p.Name)
	}
	return names
}

// words are the flags, as they are typed, that decide what is answered.
func (f *serverFlags) words() []shell.Flag {
	var flags []shell.Flag
	if f.kubernetesVersion != "" {
		flags = append(flags, shell.Value("--kubernetes-version", f.kubernetesVersion))
	}
	if f.clusterVersion != "" {
		flags = append(flags, shell.Value("--server-version", f.clusterVersion))
	}
	if f.preset != "" {
		flags = append(flags, shell.Value("--server-preset", f.preset))
	}
	for _, flag := range f.apiServer {
		flags = append(flags, shell.Value("--server-flag", flag))
	}
	return flags
}

// options are those of the simulated server.
func (f *serverFlags) options() server.Options {
	return server.Options{KubernetesVersion: f.kubernetesVersion, ClusterVersion: f.clusterVersion, Preset: f.preset, Flags: f.apiServer, Path: f.path()}
}

// path is that of the answers.
func (f *serverFlags) path() server.Path {
	if f.fullPath {
		return server.FullPath
	}
	return server.ShortPath
}

// timeNow is what the clock says where --now says nothing; tests stop it.
var timeNow = time.Now

// clock gives the time of answering; zero when it is not fixed.
func (f *serverFlags) clock() (time.Time, error) {
	if f.now == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, f.now)
	if err != nil {
		return t, fmt.Errorf("--now %q is no RFC 3339 time, such as 2026-01-31T12:00:00Z", f.now)
	}
	return t, nil
}
