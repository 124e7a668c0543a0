package show

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/render/safetext"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/test/golden"
)

// TestTextIsNoCommand shows every attack in the formats for people.
func TestTextIsNoCommand(t *testing.T) {
	for _, s := range attacks {
		for _, o := range []Options{{Now: golden.Now}, {Now: golden.Now, Verbose: true, Owners: true}} {
			var out bytes.Buffer
			shown := safetext.NewWriter(&out, safetext.Plain)
			for _, format := range []stream.Stream{in("text", shown, o), in("structured", shown, o), in("markdown", shown, o)} {
				if err := stream.Play(format, attacked(s)); err != nil {
					t.Fatal(err)
				}
			}
			for _, l := range strings.Split(out.String(), "\n") {
				if strings.HasPrefix(strings.TrimSpace(l), "::") || strings.Contains(l, "##[") {
					t.Errorf("a runner takes this for a command: %q", l)
				}
			}
		}
	}
}
