package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/docs"
	"github.com/ssactl/ssactl/internal/program"
)

// topics are the pages of the documentation that 'ssactl help' shows without a network,
// in the order of the help. A page about a command that has its name has another one.
var topics = []struct{ name, page, short string }{
	{"concepts", "concepts.md", "Field managers, managed fields and conflicts on one page"},
	{"conflicts", "conflicts.md", "What a conflict says, and how to resolve it"},
	{"clients", "clients.md", "A conflict in the words of Argo CD, Flux, Helm, Terraform and Pulumi"},
	{"live", "snapshot.md", "Live objects, Secrets and snapshots, and how they get into CI"},
	{"settings", "settings.md", "What a repository sets once; namespaces, labels"},
	{"exit-codes", "exit-codes.md", "What exit codes mean"},
	{"security", "security.md", "What hostile input cannot do"},
}

// newTopics are commands that only have a help text, as cobra lists them.
func newTopics() []*cobra.Command {
	var cmds []*cobra.Command
	for _, t := range topics {
		text, err := docs.Pages.ReadFile(t.page)
		if err != nil {
			panic(err)
		}
		cmds = append(cmds, &cobra.Command{Use: t.name, Short: t.short, Long: plainPage(string(text))})
	}
	return cmds
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
			return fmt.Errorf("%w\n'%s help' lists commands and topics", err, program.Called())
		}
		shown(cmd, args)
		return nil
	}
}

var (
	pageComment = regexp.MustCompile(`(?s)<!--.*?-->\n?`)
	pagePicture = regexp.MustCompile(`(?m)^!\[[^\]]*\]\([^)]*\)\n?`)
	pageLink    = regexp.MustCompile(`(?s)\[([^\]]*)\]\([^)\s]*\)`)
	pageHeading = regexp.MustCompile(`^#+ (.*)$`)
)

// plainPage is a page as a terminal shows it: headings as lines of their own, examples
// indented, and links as their texts. The words are the page's.
func plainPage(page string) string {
	var out []string
	inside := false
	page = pagePicture.ReplaceAllString(pageComment.ReplaceAllString(page, ""), "")
	for i, part := range strings.Split(page, "```") {
		if inside = i%2 == 1; inside {
			_, example, _ := strings.Cut(part, "\n")
			out = append(out, "  "+strings.ReplaceAll(strings.TrimRight(example, "\n"), "\n", "\n  "))
			continue
		}
		out = append(out, plainProse(part))
	}
	return strings.TrimSpace(strings.Join(out, "")) + "\n"
}

func plainProse(text string) string {
	text = strings.ReplaceAll(pageLink.ReplaceAllString(text, "$1"), "**", "")
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if heading := pageHeading.FindStringSubmatch(line); heading != nil {
			lines[i] = strings.ToUpper(strings.ReplaceAll(heading[1], "`", ""))
		}
	}
	return strings.Join(lines, "\n")
}
