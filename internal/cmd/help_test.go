package cmd

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// TestShortHelp: that of a command fits a screen.
func TestShortHelp(t *testing.T) {
	for _, cmd := range newRootCmd(&app.App{Streams: iostreams.New(nil, nil, nil, func(string) string { return "" }), Secrets: redact.New()}).Commands() {
		if cmd.HasSubCommands() || !cmd.Runnable() || cmd.Hidden {
			continue
		}
		var out strings.Builder
		code := Main([]string{cmd.Name(), "--help"}, iostreams.New(strings.NewReader(""), &out, &out, nil))
		if n := strings.Count(out.String(), "\n"); code != 0 || n > 30 {
			t.Errorf("%s --help gives %d, in %d lines:\n%s", cmd.Name(), code, n, out.String())
		}
	}
}

// TestHelp looks at the help of all commands: each is in a group, its line begins
// with a verb, and each advanced flag is one of some command.
func TestHelp(t *testing.T) {
	streams := iostreams.New(nil, nil, nil, func(string) string { return "" })
	root := newRootCmd(&app.App{Streams: streams, Secrets: redact.New()})
	verb := regexp.MustCompile(`^(Preview|Show|Explain|Plan|Find|Edit|Test|Serve) `)
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
