package conflict

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/test/widget"
)

func TestFilled(t *testing.T) {
	asked := widget.Tree(t, `{"v":[{"ports":[{"port":80}],"to":[]},{"ports":[]}]}`)["v"]
	stored := widget.Tree(t, `{"v":[{"ports":[{"port":80,"protocol":"TCP"}],"to":[],"x":null},{"ports":[]}]}`)["v"]
	if !ownership.Extends(stored, asked, sameJSON) || ownership.Extends(asked, stored, sameJSON) {
		t.Error("the stored value is the one asked for and more, not the other way round")
	}
	if diff := cmp.Diff([]string{"[0].ports[0].protocol", "[0].x"}, filled("", asked, stored)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// FuzzLineEdit: an edit put back into the lines gives the other text.
func FuzzLineEdit(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\n")
	f.Add("a", "a\n")
	f.Add("", "x")
	f.Add("a\na\na", "a\na")
	f.Fuzz(func(t *testing.T, before, after string) {
		e := lineEdit(before, after)
		lines := strings.Split(before, "\n")
		end := e.Line - 1 + len(e.Removed)
		if diff := cmp.Diff(lines[e.Line-1:end], e.Removed); diff != "" && len(e.Removed) > 0 {
			t.Errorf("removed lines (-want +got)\n%s", diff)
		}
		got := append(append(append([]string{}, lines[:e.Line-1]...), e.Added...), lines[end:]...)
		if diff := cmp.Diff(after, strings.Join(got, "\n")); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}
