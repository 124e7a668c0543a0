// Package comment is the command comment: a report as the comment of a pull request.
//
//	command.go  the command
//	read.go     what it takes of a report
//	page.go     the comment
package comment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/render/markdown"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
)

// limits are the most characters that systems take in a comment.
var limits = map[string]int{"github": markdown.DefaultMaxBytes, "gitlab": 1_000_000, "gitea": markdown.DefaultMaxBytes}

// New is the command comment.
func New(a *app.App) *cobra.Command {
	system, most := "github", 0
	cmd := &cobra.Command{
		Use:   "comment REPORT",
		Short: "Show a report as the comment of a pull request",
		Long: `Show a report (-o report) as the comment of a pull request, in Markdown: a title, the
table of findings, how many objects and fields the change is about, and the details of
each object, folded. If there is nothing to say, nothing is printed: remove the comment
of an earlier run. It begins with an invisible line by which a later run finds it.

The report may come from a job that the change controls, such as that of a fork. No value
in it can act as markup or as a command of the system, and of its commands only those of
ssactl that edit or explain manifests are shown.

The exit code is 0, whatever the report says, and 2 if it cannot be read.`,
		Example: `  ssactl apply -R -f manifests/ --live live.json.gz --base-ref main -o report=report.json
  ssactl comment report.json > comment.md
  ssactl comment report.json --for gitlab`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			limit, known := limits[system]
			switch {
			case !known:
				return fmt.Errorf("--for %q: use one of %s", system, strings.Join(slices.Sorted(maps.Keys(limits)), ", "))
			case most != 0 && most < markdown.MinMaxBytes:
				return fmt.Errorf("--max-bytes %d: no comment fits; use at least %d", most, markdown.MinMaxBytes)
			case most != 0:
				limit = most
			}
			d, err := read(args[0])
			if err != nil {
				return err
			}
			page, says := pageOf(d)
			if !says {
				a.Notice([]string{"there is nothing to say: remove the comment of an earlier run"})
				return nil
			}
			return show.Show(markdown.New(a.Streams.Out, markdown.Options{MaxBytes: limit}), page)
		},
	}
	cmd.Flags().StringVar(&system, "for", system, "`system` that shows the comment: github, gitlab, gitea")
	cmd.Flags().IntVar(&most, "max-bytes", 0, "most characters of the comment (default: what the system takes)")
	input.MustComplete(cmd, "for", slices.Sorted(maps.Keys(limits)))
	return cmd
}
