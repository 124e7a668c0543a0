package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/cli/iostreams"
	"github.com/ssactl/ssactl/internal/client"
)

// describeClients makes a command print what the clients send.
func describeClients(cmd *cobra.Command, streams *iostreams.IOStreams) {
	var names []string
	for _, about := range client.Abouts() {
		names = append(names, about.Name)
	}
	cmd.Use, cmd.ValidArgs = "clients [NAME]", names
	cmd.Args = cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		for i, about := range client.Abouts() {
			if len(args) > 0 && args[0] != about.Name {
				continue
			}
			if i > 0 && len(args) == 0 {
				fmt.Fprintln(cmd.OutOrStdout())
			}
			if _, err := io.WriteString(cmd.OutOrStdout(), shownPage([]byte(pageOf(about)), streams.Width())); err != nil {
				return err
			}
		}
		return nil
	}
}

// pageOf is a client as a page of the documentation.
func pageOf(about client.About) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", about.Title)
	fmt.Fprintf(&b, "The field manager is `%s`; it forces %s.\n\n", about.Manager, about.Forces)
	for _, v := range about.Versions {
		fmt.Fprintf(&b, "- `%s@%s` follows %s\n", about.Name, v.Name, v.Source)
	}
	section(&b, "Requests, in their order", about.Steps)
	section(&b, "What it reads", about.Reads)
	fmt.Fprintf(&b, "\n## Not simulated\n\n")
	for _, text := range about.Not {
		fmt.Fprintf(&b, "- %s\n", text)
	}
	return b.String()
}

func section(b *strings.Builder, title string, items []client.Told) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n", title)
	for _, item := range items {
		fmt.Fprintf(b, "- **%s**: %s\n", item.Term, item.Text)
	}
}
