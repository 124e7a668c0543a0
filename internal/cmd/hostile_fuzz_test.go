package cmd

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/test/sampled"
)

// FuzzCommands puts a text anywhere into the files or flags of any command. The
// law is that of hostileRun.check.
func FuzzCommands(f *testing.F) {
	seeds, lines := hostileSeeds(f), hostileLines()
	for i := range lines {
		f.Add(uint16(i), uint8(i), uint8(i), uint16(7*i), []string{"A%", "x.y/{"}[i%2])
	}
	f.Fuzz(func(t *testing.T, line uint16, seed, file uint8, place uint16, text string) {
		// Size is another test's.
		text = text[:min(len(text), 1000)]
		s := seeds[int(seed)%len(seeds)]
		h := s.run(lines[int(line)%len(lines)], int(file)%4, func(places []hostilePlace) hostilePlace {
			return places[int(place)%len(places)]
		}, text)
		h.check(t, h.run(t, t.TempDir()))
	})
}

// TestHostileLines checks that each command that reads objects has lines here.
func TestHostileLines(t *testing.T) {
	lines := hostileLines()
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, below := range cmd.Commands() {
			visit(below)
		}
		_, name, _ := strings.Cut(cmd.CommandPath(), " ")
		asks := func(line string) bool { return strings.HasPrefix(line, name+" ") }
		if cmd.Flags().Lookup("max-input-bytes") != nil && !slices.ContainsFunc(lines, asks) {
			t.Errorf("no line asks ssactl %s", name)
		}
	}
	visit(newRootCmd(&app.App{Streams: iostreams.New(nil, nil, nil, nil)}))
}

// A kind or an API version that no server has is no panic in any command.
func TestHostileKinds(t *testing.T) {
	s, dir := hostileSeeds(t)[0], t.TempDir()
	bad := []struct{ field, text string }{{"kind", "A%"}, {"apiVersion", "x.y/{"}}
	for i, line := range sampled.Of(t, 7, hostileLines()) {
		b := bad[i%len(bad)]
		h := s.run(line, 3, func([]hostilePlace) hostilePlace { return hostilePlace{path: []any{b.field}} }, b.text)
		h.check(t, h.run(t, dir))
	}
}
