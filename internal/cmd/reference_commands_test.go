package cmd

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// commonIn is how many commands have a flag that is described once, at the end.
const commonIn = 6

// commandsPage describes each command: what it does, its examples and its flags. Flags
// that many commands have alike are in one table.
func commandsPage(*testing.T) string {
	root := newRootCmd(
		&app.App{Streams: iostreams.New(strings.NewReader(""), io.Discard, io.Discard, nil), Secrets: redact.New()},
	)
	commands := described(root)
	common := commonFlags(commands)
	var out strings.Builder
	out.WriteString(generated("Commands", "the commands"))
	out.WriteString(
		"Flags that many commands have are [at the end](#common-flags). Exit codes are on\n[a page of their own](../exit-codes.md).\n\n" + header(
			"command",
			"what it does",
		),
	)
	for _, c := range commands {
		out.WriteString(
			row(
				fmt.Sprintf("[`%s`](#%s)", c.CommandPath(), strings.ReplaceAll(c.CommandPath(), " ", "-")),
				escapeMarkdown(c.Short),
			),
		)
	}
	for _, c := range commands {
		out.WriteString(commandSection(c, common))
	}
	out.WriteString("\n## Common flags\n\n" + header("flag", "default", "what it does", "commands"))
	common.VisitAll(func(f *pflag.Flag) {
		out.WriteString(strings.TrimSuffix(flagRow(f), "\n") + " " + takers(commands, f) + " |\n")
	})
	return out.String()
}

// described are the commands of the page, in the order of their names.
func described(cmd *cobra.Command) []*cobra.Command {
	var out []*cobra.Command
	for _, c := range cmd.Commands() {
		shells := cmd.Name() == "completion" && c.Name() != "install"
		if c.Name() == "help" || shells || !c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			continue
		}
		out = append(append(out, c), described(c)...)
	}
	return out
}

// commonFlags are those that many commands have, with the same meaning.
func commonFlags(commands []*cobra.Command) *pflag.FlagSet {
	had := map[string]int{}
	common := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, c := range commands {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if had[flagRow(f)]++; !f.Hidden && had[flagRow(f)] == commonIn && common.Lookup(f.Name) == nil {
				common.AddFlag(f)
			}
		})
	}
	return common
}

// takers names the commands that have a flag, where they are few.
func takers(commands []*cobra.Command, flag *pflag.Flag) string {
	var names []string
	for _, c := range commands {
		if f := c.Flags().Lookup(flag.Name); f != nil && flagRow(f) == flagRow(flag) {
			names = append(names, strings.TrimPrefix(c.CommandPath(), "ssactl "))
		}
	}
	if len(names) > len(commands)/2 {
		return "most"
	}
	return strings.Join(names, ", ")
}

func commandSection(c *cobra.Command, common *pflag.FlagSet) string {
	var out strings.Builder
	fmt.Fprintf(&out, "\n## %s\n\n```text\n%s\n```\n", c.CommandPath(), c.UseLine())
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	for part := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		out.WriteString("\n" + helpParagraph(part) + "\n")
	}
	if c.HasExample() {
		fmt.Fprintf(&out, "\n```sh\n%s\n```\n", dedented(c.Example))
	}
	return out.String() + flagsOf(c, common)
}

// flagsOf are the flags that only this command has so.
func flagsOf(c *cobra.Command, common *pflag.FlagSet) string {
	var own strings.Builder
	c.Flags().VisitAll(func(f *pflag.Flag) {
		alike := common.Lookup(f.Name)
		if !f.Hidden && f.Name != "help" && (alike == nil || flagRow(alike) != flagRow(f)) {
			own.WriteString(flagRow(f))
		}
	})
	if own.Len() == 0 {
		return ""
	}
	return "\n" + header("flag", "default", "what it does") + own.String()
}

// helpParagraph is prose, or an indented list as it is in the help.
func helpParagraph(text string) string {
	if strings.HasPrefix(text, "  ") || strings.Contains(text, "\n  ") {
		return "```text\n" + dedented(text) + "\n```"
	}
	return escapeMarkdown(text)
}

func dedented(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(strings.Trim(text, "\n"), "  "), "\n  ", "\n")
}

func flagRow(f *pflag.Flag) string {
	name, usage := pflag.UnquoteUsage(f)
	flag := strings.TrimSpace("--" + f.Name + " " + name)
	if f.Shorthand != "" {
		flag = "-" + f.Shorthand + ", " + flag
	}
	return row("`"+flag+"`", defaultOf(f), escapeMarkdown(usage))
}

// defaultOf is the default of a flag, unless it is nothing, or what the machine has.
func defaultOf(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "[]", "false", "0":
		return ""
	}
	if f.Name == "jobs" {
		return "the number of processors"
	}
	return "`" + f.DefValue + "`"
}
