package cmd

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/run/settings"
	"github.com/ssactl/ssactl/internal/suggest"
)

// The groups of commands, in the order of the help.
const (
	groupApply  = "apply"
	groupOwners = "owners"
	groupCheck  = "check"
	groupWrites = "writes"
)

// groups are the commands of the help by what they are for.
func groups() []*cobra.Group {
	return []*cobra.Group{
		{ID: groupApply, Title: "Preview an apply, and resolve its conflicts:"},
		{ID: groupOwners, Title: "Understand and move ownership:"},
		{ID: groupCheck, Title: "Check manifests, schemas and policies:"},
		{ID: groupWrites, Title: "Preview other writes:"},
	}
}

// grouped gives commands their group.
func grouped(id string, cmds ...*cobra.Command) []*cobra.Command {
	for _, cmd := range cmds {
		cmd.GroupID = id
	}
	return cmds
}

// advanced are the flags that few runs need: --help-all lists them, --help does not.
var advanced = strings.Fields(`
	applyset assume-absent color config create-namespace dry-run force force-replace grace-period
	ignore-field ignore-path jobs kubernetes-version max-bytes max-depth
	max-document-bytes max-input-bytes max-objects max-values namespace-strict now
	override-manager policy prune quiet release release-manifest require-schema
	rollback-on-failure selector
	server-flag server-preset server-side server-version share-secrets
	show-managed-fields show-secrets show-server-fields snapshot-key subresource
	take-ownership unmatched user-agent validate verbose write-new`)

// help prints the usage of commands, flags in two lists.
type help struct {
	streams *iostreams.IOStreams
}

// allOf is the flag that asks for all of the help, which it also is for cobra.
type allOf struct {
	cmd *cobra.Command
	on  bool
}

const helpAll = "help-all"

// addConfig gives each command that takes settings the flag that says where they are.
func addConfig(a *app.App, cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		addConfig(a, sub)
	}
	takes := func(flag string) bool { return cmd.Flags().Lookup(flag) != nil }
	if cmd.Name() == "fn" || slices.ContainsFunc(settings.Flags(), takes) {
		cmd.Flags().StringVar(&a.Config, "config", "",
			"`file` with settings in place of "+settings.FileName+"; "+app.NoConfig+" for no file")
	}
}

// addHelpAll gives each command without others below it the flag --help-all.
func addHelpAll(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		addHelpAll(sub)
	}
	if cmd.Runnable() && !cmd.HasSubCommands() {
		cmd.Flags().VarPF(&allOf{cmd: cmd}, helpAll, "", "all of the help, with every flag").NoOptDefVal = "true"
	}
}

func (a *allOf) Set(s string) error {
	a.on = s == "true"
	return a.cmd.Flags().Set("help", s)
}

func (a *allOf) String() string { return fmt.Sprint(a.on) }

func (a *allOf) Type() string { return "bool" }

// IsBoolFlag has pflag take no argument for the value.
func (a *allOf) IsBoolFlag() bool { return true }

// show implements cobra's help function: a sentence, an example and the flags that most
// runs need. All of it is shown for --help-all, and for commands with others below them.
func (h help) show(cmd *cobra.Command, _ []string) {
	flag := cmd.Flags().Lookup(helpAll)
	w := cmd.OutOrStdout()
	if flag == nil || flag.Value.String() == "true" {
		fmt.Fprintf(w, "%s\n\n", strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short)))
		if cmd.Runnable() || cmd.HasSubCommands() {
			_ = h.usage(cmd)
		}
		return
	}
	fmt.Fprintf(w, "%s.\n\nUsage:\n  %s\n", cmd.Short, cmd.UseLine())
	if cmd.HasExample() {
		first, _, _ := strings.Cut(cmd.Example, "\n\n")
		lines := strings.Split(first, "\n")
		fmt.Fprintf(w, "\nExample:\n%s\n", strings.Join(lines[:min(len(lines), exampleLines)], "\n"))
	}
	common, _ := divided(cmd.Flags())
	fmt.Fprintf(w, "\nFlags:\n%s\n%s --help-all says more, and lists every flag.\n", inShort(common), cmd.CommandPath())
}

// exampleLines is how much of the examples the short help has.
const exampleLines = 3

// inShort are flags, each with the first phrase of its usage.
func inShort(flags *pflag.FlagSet) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == helpAll {
			return
		}
		name, usage := pflag.UnquoteUsage(f)
		if end := phrase.FindStringIndex(usage); end != nil {
			usage = usage[:end[0]]
		}
		letter := "   "
		if f.Shorthand != "" {
			letter = "-" + f.Shorthand + ","
		}
		fmt.Fprintf(w, "  %s --%s\t%s\n", letter, strings.TrimSpace(f.Name+" "+name), usage)
	})
	w.Flush()
	return b.String()
}

// phrase is what ends the first phrase of a usage.
var phrase = regexp.MustCompile(`[,:;] | \(`)

// usage implements cobra's usage function.
func (h help) usage(cmd *cobra.Command) error {
	if cmd.HasAvailableSubCommands() {
		return (&cobra.Command{}).UsageFunc()(cmd) // the library's: there is nothing to divide
	}
	w := cmd.OutOrStderr()
	fmt.Fprintf(w, "Usage:\n  %s\n", cmd.UseLine())
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	common, rare := divided(cmd.Flags())
	h.flags(w, "Flags", common)
	h.flags(w, "Advanced flags", rare)
	return nil
}

// divided gives the flags that most runs need, and the others.
func divided(all *pflag.FlagSet) (common, rare *pflag.FlagSet) {
	common, rare = pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	all.VisitAll(func(f *pflag.Flag) {
		if slices.Contains(advanced, f.Name) {
			rare.AddFlag(f)
		} else {
			common.AddFlag(f)
		}
	})
	return common, rare
}

func (h help) flags(w io.Writer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	width := 0 // does not wrap, where lines are searched
	if h.streams.Fits() {
		width = h.streams.Width()
	}
	fmt.Fprintf(w, "\n%s:\n%s\n", title, strings.TrimRight(flags.FlagUsagesWrapped(width), "\n"))
}

// callByName has the commands that the help shows as they are typed by who runs the
// program: as a plug-in of kubectl they begin with kubectl.
func callByName(cmd *cobra.Command) {
	cmd.Short, cmd.Long, cmd.Example = program.In(cmd.Short), program.In(cmd.Long), program.In(cmd.Example)
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = program.In(f.Usage) })
	for _, below := range cmd.Commands() {
		callByName(below)
	}
}

var unknownFlag = regexp.MustCompile(`^unknown flag: --([\w-]+)`)

// flagError explains a flag that a command does not have.
func flagError(cmd *cobra.Command, err error) error {
	see := fmt.Sprintf("See '%s --help'", cmd.CommandPath())
	if strings.HasPrefix(err.Error(), "unknown shorthand flag: 'k'") {
		return fmt.Errorf("%w: %s\n%s", err, input.Habits["kustomize"], see)
	}
	if strings.HasPrefix(err.Error(), "unknown shorthand flag: 'A'") {
		return fmt.Errorf("%w: %s\n%s", err, input.Habits["all-namespaces"], see)
	}
	if err.Error() == "flag needs an argument: --dry-run" {
		return fmt.Errorf(
			"%w: every run is dry, and files are written only with --write; --dry-run=server answers as kubectl's dry run does\n%s",
			err,
			see,
		)
	}
	if found := unknownFlag.FindStringSubmatch(err.Error()); found != nil {
		if habit := input.Habits[found[1]]; habit != "" {
			return fmt.Errorf("%w: %s\n%s", err, program.In(habit), see)
		}
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := suggest.Likeliest(found[1], names); near != "" {
			return fmt.Errorf("%w: did you mean --%s?\n%s", err, near, see)
		}
	}
	return fmt.Errorf("%w\n%s", err, see)
}

// acceptShown has commands whose answers always have managed fields take the flag
// that asks others for them.
func acceptShown(root *cobra.Command) {
	const name = "show-managed-fields"
	for _, cmd := range root.Commands() {
		if flags := cmd.Flags(); flags.Lookup("filename") != nil && flags.Lookup(name) == nil {
			flags.Bool(name, true, "no-op: the answer has them")
			if err := flags.MarkHidden(name); err != nil {
				panic(err)
			}
		}
	}
}
