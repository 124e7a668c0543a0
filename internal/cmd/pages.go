package cmd

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/ssactl/ssactl/docs"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/render/topic"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/suggest"
)

// topics are the pages of the documentation that 'ssactl help' shows without a network,
// in the order of the help. A page about a command that has its name has another one.
var topics = []struct{ name, page, short string }{
	{"concepts", "concepts.md", "Field managers, managed fields and conflicts on one page"},
	{"conflicts", "conflicts.md", "What a conflict says, and how to resolve it"},
	{"gitops", "clients.md", "A conflict in the words of Argo CD, Flux, Helm, Terraform and Pulumi"},
	{"live", "snapshot.md", "Live objects, Secrets and snapshots, and how they get into CI"},
	{"settings", "settings.md", "What a repository sets once; namespaces, labels"},
	{"errors", "troubleshooting.md", "Error messages: what each means, and the command that shows it"},
	{"exit-codes", "exit-codes.md", "What exit codes mean"},
	{"agents", "agents.md", "Rules for agents: which command answers what, and what never to do"},
	{"security", "security.md", "What hostile input cannot do"},
}

// newTopics are commands that only have a help text, as cobra lists them. A page is read
// when it is asked for.
func newTopics(streams *iostreams.IOStreams) []*cobra.Command {
	var cmds []*cobra.Command
	for _, t := range topics {
		cmd := &cobra.Command{Use: t.name, Short: t.short}
		cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
			page, err := docs.Pages.ReadFile(t.page)
			if err != nil {
				panic(err)
			}
			fmt.Fprint(cmd.OutOrStdout(), shownPage(page, streams.Width()))
		})
		cmds = append(cmds, cmd)
	}
	return cmds
}

// mostColumns is how wide prose may be: longer lines are hard to read.
const mostColumns = 100

// shownPage is a page as a terminal shows it, without colors, as all of the help. The
// words are the page's.
func shownPage(page []byte, columns int) string {
	width := min(columns, mostColumns)
	options := text.Options{Width: width}
	var parts []string
	for _, b := range topic.Blocks([]byte(program.In(string(page))), width) {
		parts = append(parts, text.Blocks([]model.Block{b}, options))
	}
	return strings.Join(parts, "\n")
}

// addHelp has help fail for a command or topic that there is none of, as a command line
// does, where cobra's prints all of the usage.
func addHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	show, _, err := root.Find([]string{"help"})
	if err != nil {
		panic(err)
	}
	shown := show.Run
	show.Use, show.Short = "help [command or topic]", "Show the help of a command or topic"
	show.Long = show.Short + "; '" + program.Name + " help' lists both."
	show.Run, show.RunE = nil, func(cmd *cobra.Command, args []string) error {
		if _, _, err := cmd.Root().Find(args); err != nil {
			return unknownTopic(cmd.Root(), args[0])
		}
		shown(cmd, args)
		return nil
	}
}

// unknownTopic names the command or topic that a mistyped one is most like.
func unknownTopic(root *cobra.Command, typed string) error {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	see, meant := fmt.Sprintf("'%s help' lists commands and topics", program.Called()), ""
	if near := suggest.Likeliest(typed, names); near != "" {
		meant = fmt.Sprintf(": did you mean '%s help %s'?", program.Called(), near)
	}
	return fmt.Errorf("unknown command or topic %q%s\n%s", typed, meant, see)
}

// newClientsCmd prints what the clients send.
func newClientsCmd(a *app.App) *cobra.Command {
	var names []string
	for _, about := range about.All() {
		names = append(names, about.Name)
	}
	return &cobra.Command{
		Use:   "clients [NAME]",
		Short: "Show what kubectl, Helm, Argo CD and Flux send",
		Long: `Show what a client sends for an apply, as --client simulates it: its field manager,
its requests in the order of its source, what it reads, and what is not
simulated.`,
		Example:   "  ssactl clients helm",
		ValidArgs: names,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			var pages []string
			for _, about := range about.All() {
				if len(args) == 0 || args[0] == about.Name {
					pages = append(pages, shownPage([]byte(pageOf(about)), a.Streams.Width()))
				}
			}
			_, err := io.WriteString(cmd.OutOrStdout(), strings.Join(pages, "\n"))
			return err
		},
	}
}

// pageOf is a client as a page of the documentation.
func pageOf(about about.Program) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", about.Title)
	fmt.Fprintf(&b, "The field manager is `%s`; it forces %s.\n\n", about.Manager, about.Forces)
	for _, v := range about.Versions {
		fmt.Fprintf(&b, "- `%s@%s` follows %s\n", about.Name, v.Name, v.Source)
	}
	if len(about.Options) > 0 {
		fmt.Fprintf(&b, "\nOptions: `--%s`.\n", strings.Join(about.Options, "`, `--"))
	}
	section(&b, "Requests, in their order", about.Steps)
	section(&b, "What it reads", about.Reads)
	fmt.Fprintf(&b, "\n## Not simulated\n\n")
	for _, text := range about.Not {
		fmt.Fprintf(&b, "- %s\n", text)
	}
	return b.String()
}

func section(b *strings.Builder, title string, items []about.Term) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n", title)
	for _, item := range items {
		fmt.Fprintf(b, "- **%s**: %s\n", item.Term, item.Text)
	}
}

// newManCmd writes the manual pages, for those who make packages: a page a command,
// the same from the same commit.
func newManCmd() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIRECTORY",
		Short:  "Show the commands as manual pages, written into a directory",
		Args:   cobra.ExactArgs(1),
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			source := program.Name + " "
			info, _ := debug.ReadBuildInfo()
			if info != nil {
				source += info.Main.Version
			}
			plainly(root)
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Section: "1", Manual: program.Name, Source: source, Date: committed(info)}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return fmt.Errorf("write the manual pages: %w", err)
			}
			return nil
		},
	}
}

// committed is when the commit was made that the binary was built from, so that its
// pages are the same whenever they are written; nil, which is now, where it is not
// known.
func committed(info *debug.BuildInfo) *time.Time {
	if info == nil {
		return nil
	}
	for _, s := range info.Settings {
		if at, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
			return &at
		}
	}
	return nil
}

// plainly escapes the texts of a command and of those below it: the library takes
// them as Markdown, in which <FILE> is a tag and * an emphasis.
func plainly(cmd *cobra.Command) {
	cmd.Short, cmd.Long = escapeMarkdown(cmd.Short), escapeMarkdown(cmd.Long)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		_, usage := pflag.UnquoteUsage(f)
		f.Usage = escapeMarkdown(usage)
	})
	for _, c := range cmd.Commands() {
		plainly(c)
	}
}

var markdownEscapes = strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "<", "\\<", "`", "\\`", "[", "\\[")

func escapeMarkdown(text string) string { return markdownEscapes.Replace(text) }
