package input

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/shell"
)

// RequestFlags are those of the request itself.
type RequestFlags struct {
	ClientFlags
	userAgent   string
	Subresource string
	validate    string
	// validation is what check made of validate.
	validation string
}

// DefaultManager is kubectl's user agent, from which the server derives the
// field manager where none is given.
const DefaultManager = "kubectl"

// Add adds the flags of a request.
func (f *RequestFlags) Add(cmd *cobra.Command, subresources ...string) {
	flags := cmd.Flags()
	f.AddManager(cmd, "`name` of the field manager")
	flags.StringVar(
		&f.validate,
		"validate",
		"strict",
		"what to do about unknown and duplicate fields: strict, warn, or ignore",
	)
	if len(subresources) > 0 {
		flags.StringVar(&f.Subresource, "subresource", "", "write to a `subresource`: "+strings.Join(subresources, ", "))
		MustComplete(cmd, "subresource", subresources)
	}
	MustComplete(cmd, "validate", []string{"strict", "warn", "ignore"})
}

// AddUserAgent lets the field manager be derived as the server derives it.
func (f *RequestFlags) AddUserAgent(cmd *cobra.Command) {
	cmd.Flags().
		StringVar(&f.userAgent, "user-agent", "", "user `agent` from which the server derives the field manager when --field-manager is not given")
}

// Check finds wrong flags. Where a user agent stands in, no field manager is sent.
// Validation is as with kubectl, booleans included.
func (f *RequestFlags) Check(cmd *cobra.Command) error {
	if err := f.ClientFlags.Check(cmd, ManagerFlag); err != nil {
		return err
	}
	if f.userAgent != "" && !f.Named {
		f.Sender, f.Named = "", true
	}
	switch f.validate {
	case "strict", "true":
		f.validation = "Strict"
	case "warn":
		f.validation = "Warn"
	case "ignore", "false":
		f.validation = "Ignore"
	default:
		return fmt.Errorf("--validate %q: use strict, warn, or ignore", f.validate)
	}
	return nil
}

// Fill makes a write a request of these flags.
func (f *RequestFlags) Fill(w *engine.Write) {
	w.Subresource, w.Manager, w.UserAgent, w.FieldValidation = f.Subresource, f.Sender, f.userAgent, f.validation
}

// ServerFlags say which server is simulated, and when, and how many objects it
// answers at once.
type ServerFlags struct {
	KubernetesVersion string
	clusterVersion    string
	preset            string
	apiServer         []string
	now               string
	Jobs              int
	fullPath          bool
	requireSchema     bool
}

// Add adds the flags of the server, the clock and the workers.
func (f *ServerFlags) Add(cmd *cobra.Command) {
	f.AddSimulated(cmd)
	cmd.Flags().StringVar(&f.now, "now", "", "fix the clock at a `time` (RFC 3339)")
	cmd.Flags().IntVar(&f.Jobs, "jobs", runtime.GOMAXPROCS(0), "`number` of objects to answer in parallel")
	cmd.Flags().
		BoolVar(&f.requireSchema, "require-schema", false, "fail for a custom resource without its CustomResourceDefinition instead of assuming a schema")
	// For finding out whether a shortcut has changed an answer.
	cmd.Flags().BoolVar(&f.fullPath, "full-path", false, "answer without any shortcut")
	if err := cmd.Flags().MarkHidden("full-path"); err != nil {
		panic(err)
	}
}

// AddSimulated adds which server is simulated.
func (f *ServerFlags) AddSimulated(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(
		&f.KubernetesVersion,
		"kubernetes-version",
		"",
		"Kubernetes `version` to simulate: "+strings.Join(server.Versions(), ", ")+" (default the newest)",
	)
	flags.StringVar(
		&f.clusterVersion,
		"server-version",
		"",
		"`version` that the cluster runs, such as "+server.Releases()[0]+": its minor version is simulated, and answers say what its patch release does differently",
	)
	flags.StringVar(
		&f.preset,
		"server-preset",
		"",
		"simulate the servers of a `distribution`: "+strings.Join(presetNames(), ", "),
	)
	flags.StringArrayVar(
		&f.apiServer,
		"server-flag",
		nil,
		"flag of kube-apiserver to simulate, as `name=value`; 'ssactl version -v' lists them (repeatable)",
	)
	MustComplete(cmd, "server-preset", presetNames())
	MustComplete(cmd, "kubernetes-version", server.Versions())
	var names []string
	for _, known := range server.Flags() {
		names = append(names, known.Name+"=\t"+known.Usage)
	}
	Complete(cmd, "server-flag", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
}

// SchemaPolicy says what is done about kinds that nothing defines.
func (f *ServerFlags) SchemaPolicy() engine.SchemaPolicy {
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

// Words are the flags, as they are typed, that decide what is answered.
func (f *ServerFlags) Words() []shell.Flag {
	var w words
	w.add(f.KubernetesVersion != "", shell.Value("--kubernetes-version", f.KubernetesVersion))
	w.add(f.clusterVersion != "", shell.Value("--server-version", f.clusterVersion))
	w.add(f.preset != "", shell.Value("--server-preset", f.preset))
	for _, flag := range f.apiServer {
		w.add(true, shell.Value("--server-flag", flag))
	}
	return w
}

// Options are those of the simulated server.
func (f *ServerFlags) Options() server.Options {
	path := server.ShortPath
	if f.fullPath {
		path = server.FullPath
	}
	return server.Options{
		KubernetesVersion: f.KubernetesVersion,
		ClusterVersion:    f.clusterVersion,
		Preset:            f.preset,
		Flags:             f.apiServer,
		Path:              path,
	}
}

// TimeNow is what the clock says where --now says nothing; tests stop it.
var TimeNow = time.Now

// Clock gives the time of answering; zero when it is not fixed.
func (f *ServerFlags) Clock() (time.Time, error) {
	if f.now == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, f.now)
	if err != nil {
		return t, fmt.Errorf("--now %q is no RFC 3339 time, such as 2026-01-31T12:00:00Z", f.now)
	}
	return t, nil
}

// ageUnits are those that people count ages in, beside Go's.
var ageUnits = map[byte]time.Duration{
	'd': 24 * time.Hour,
	'w': 7 * 24 * time.Hour,
	'y': 365 * 24 * time.Hour,
}

// ParseAge reads an age: days, weeks or years (180d, 26w, 2y), or a duration
// as Go writes it (36h).
func ParseAge(text string) (time.Duration, error) {
	if n := len(text) - 1; n > 0 {
		if unit, ok := ageUnits[text[n]]; ok {
			count, err := strconv.ParseUint(text[:n], 10, 16)
			if age := time.Duration(count) * unit; err == nil && age > 0 && age/unit == time.Duration(count) {
				return age, nil
			}
		}
	}
	age, err := time.ParseDuration(text)
	if err != nil || age <= 0 {
		return 0, fmt.Errorf("%q is no age, such as 180d, 2y or 36h", text)
	}
	return age, nil
}
