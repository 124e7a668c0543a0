package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/run/app"
)

// newClientsCmd prints what the clients send.
func newClientsCmd(a *app.App) *cobra.Command {
	var names []string
	for _, about := range client.Abouts() {
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
			for _, about := range client.Abouts() {
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
func pageOf(about client.About) string {
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

func section(b *strings.Builder, title string, items []client.Told) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n", title)
	for _, item := range items {
		fmt.Fprintf(b, "- **%s**: %s\n", item.Term, item.Text)
	}
}
