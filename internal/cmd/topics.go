package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/docs"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/render/topic"
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
