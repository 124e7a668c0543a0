package render

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/ssactl/ssactl/internal/render/safetext"
)

// answerCase is what a command answers of hand-written objects, in a format; of
// "remarks" it is what stands on standard error beside a format for programs.
type answerCase[T any] struct {
	name, format string
	options      Options
	objects      []T
}

var pageStyleSheet = regexp.MustCompile(`(?s)<style>.*</style>|<script>.*</script>|sha256-[^']*`)

// checkAnswers compares each, as it is printed, with testdata/NAME.FORMAT. Of
// pages, the style sheet is left out.
func checkAnswers[T any](t *testing.T, answer func([]T) Answer, cases []answerCase[T]) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name+"."+c.format, func(t *testing.T) {
			c.options.Now = now
			var got bytes.Buffer
			a := answer(c.objects)
			err := error(nil)
			if c.format == "remarks" {
				err = a.Remarks(safetext.NewWriter(&got, ReadingOf("text", c.options)), c.options)
			} else {
				err = a.Write(safetext.NewWriter(&got, ReadingOf(c.format, c.options)), c.format, c.options)
			}
			if err != nil {
				t.Fatal(err)
			}
			text := got.String()
			if c.format == "html" {
				text = pageStyleSheet.ReplaceAllString(text, "")
			}
			nothingActs(t, c.options, text)
			checkGolden(t, c.name+"."+c.format, text)
		})
	}
}
