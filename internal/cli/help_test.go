package cli

import (
	"regexp"
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ssactl/ssactl/internal/cli/iostreams"
	"github.com/ssactl/ssactl/internal/report/redact"
)

// TestHelp looks at the help of all commands: each is in a group, its line begins
// with a verb, and each advanced flag is one of some command.
func TestHelp(t *testing.T) {
	streams := iostreams.New(nil, nil, nil, func(string) string { return "" })
	root := newRootCmd(&app{streams: streams, secrets: redact.New()})
	verb := regexp.MustCompile(`^(Preview|Show|Explain|Plan|Find|Edit) `)
	found := map[string]bool{}
	for _, cmd := range root.Commands() {
		if cmd.IsAdditionalHelpTopicCommand() {
			continue
		}
		if cmd.GroupID == "" && !cmd.Hidden && !slices.Contains([]string{"completion", "help", "version"}, cmd.Name()) {
			t.Errorf("%s is in no group of the help", cmd.Name())
		}
		if !verb.MatchString(cmd.Short) {
			t.Errorf("the line of %s begins with no verb of the glossary: %s", cmd.Name(), cmd.Short)
		}
		checkFlags(t, cmd, found)
	}
	for _, name := range advanced {
		if !found[name] {
			t.Errorf("no command has the advanced flag --%s", name)
		}
	}
}

// checkFlags notes the flags of a command, and that each says what it is for.
func checkFlags(t *testing.T, cmd *cobra.Command, found map[string]bool) {
	t.Helper()
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		found[f.Name] = true
		if f.Usage == "" {
			t.Errorf("%s --%s has no usage", cmd.Name(), f.Name)
		}
	})
}
