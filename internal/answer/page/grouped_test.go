package page

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
)

// TestGrouped: objects of one verdict are one item, with the names of the first; one alone
// is named before its verdict, and one without a verdict is left out.
func TestGrouped(t *testing.T) {
	list := strings.Fields("a:lost b:kept c:lost d: e:lost f:lost g:lost h:lost i:lost")
	several := func(s string) model.Text {
		if _, says, _ := strings.Cut(s, ":"); says != "" {
			return model.Say(says)
		}
		return nil
	}
	one := func(s string) (report.Target, model.Text) {
		return report.Target{Kind: "Pod", Name: s[:1]}, model.Say(s[2:] + " alone")
	}
	var got []string
	for _, block := range Grouped(list, several, one, func(of []string) []model.Block {
		return []model.Block{Paragraph("of %v", strings.Join(of, " "))}
	}) {
		item := block.(model.List).Items[0]
		got = append(got, item.Text.String())
		for _, b := range item.Blocks {
			got = append(got, "  "+b.(model.Paragraph).Text.String())
		}
	}
	want := []string{
		"7 objects: lost", "  pod/a, pod/c, pod/e, pod/f, pod/g and 2 more", "  of a:lost c:lost e:lost f:lost g:lost h:lost i:lost",
		"pod/b: kept alone", "  of b:kept",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
