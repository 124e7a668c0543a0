package show

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/markdown"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/golden"
)

// TestMarkdownIsCut checks what is left out where there is no room, and that
// it is named.
func TestMarkdownIsCut(t *testing.T) {
	var results []report.Result
	for i := range 400 {
		r := configured()
		r.Target.Name = fmt.Sprintf("web-%d", i)
		results = append(results, r)
	}
	refused := conflicted()
	refused.Target.Name = "refused"
	whole := report.New(golden.RunOf("v1.36.3"), append(results, refused))
	got := rendered(t, "markdown", whole, Options{MaxBytes: DefaultMaxBytes})
	golden.CheckComment(t, got)
	if n := len(got); n > DefaultMaxBytes || n < DefaultMaxBytes*9/10 {
		t.Errorf("%d bytes", n)
	}
	lines := strings.Split(strings.TrimSpace(strings.TrimPrefix(got, markdown.Marker)), "\n")
	if want := "## Server-Side Apply: 401 objects as <code>helm</code>, which forces: 1 conflicted, 400 change. 2 errors."; lines[0] != want {
		t.Errorf("first line: (-want +got)\n%s", cmp.Diff(want, lines[0]))
	}
	if first := got[strings.Index(got, "\n<details open>"):]; !strings.HasPrefix(
		first,
		"\n<details open><summary><b>deployment.apps/refused</b> <b>conflicted</b>",
	) {
		t.Errorf("the first object is %.80s", first)
	}
	last := regexp.MustCompile(
		`^This comment was cut at 65536 characters\. Left out, at least in part, are the details of <code>.*</code> and \d+ more\.$`,
	)
	if !last.MatchString(lines[len(lines)-1]) {
		t.Errorf("last line: %s", lines[len(lines)-1])
	}
}

// TestMarkdownCutsDiffs has one object that is too long for a comment.
func TestMarkdownCutsDiffs(t *testing.T) {
	r := configured()
	r.Live = map[string]any{"data": map[string]any{"text": ""}}
	r.Object = map[string]any{"data": map[string]any{"text": strings.Repeat("a line ``` with a fence\n", 5000)}}
	got := rendered(t, "markdown", report.New(golden.RunOf("v1.36.3"), []report.Result{r}), Options{MaxBytes: 8192})
	golden.CheckComment(t, got)
	if n := len(got); n > 8192 || n < 6000 {
		t.Errorf("%d bytes", n)
	}
	if !regexp.MustCompile(`(?m)^… \d+ more lines of the diff$`).MatchString(got) {
		t.Errorf("the diff does not say that it is cut:\n%s", got[len(got)-600:])
	}
}
