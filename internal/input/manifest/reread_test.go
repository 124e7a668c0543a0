package manifest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/document/scan"
)

// change is what happens to a file while it is read; inPlace tells that of what was opened.
type change struct {
	name    string
	inPlace bool
	do      func(file, other string) error
}

var changes = []change{
	{"stays", false, func(string, string) error { return nil }},
	{"is removed", false, func(file, _ string) error { return os.Remove(file) }},
	{"is replaced", false, func(file, other string) error {
		return errors.Join(os.WriteFile(file+".new", []byte(other), 0o600), os.Rename(file+".new", file))
	}},
	{"grows", false, func(file, _ string) error {
		f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteString("\n")
		return errors.Join(err, f.Close())
	}},
	{"is written again", true, func(file, other string) error { return os.WriteFile(file, []byte(other), 0o600) }},
	{"is cut off", true, func(file, _ string) error { return os.Truncate(file, 100) }},
}

// doubtful are items that show what they are in their List only.
var doubtful = yamlItem3(
	"    x: &shared y\n- {apiVersion: v1, kind: A, metadata: {name: other, labels: {x: *shared}}}\n",
)

// written is a file of a text.
func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// A List that is read again for something doubtful loses no object, whatever happens to its
// file: all are returned, or an error says that the file changed.
func TestListsOfFilesThatChange(t *testing.T) {
	const head = "kind: List\napiVersion: v1\nitems:\n"
	list := head + filler() + doubtful
	_, behindFirst, _ := strings.Cut(filler(), "\n- ")
	shorter := head + "- " + behindFirst + doubtful
	shorter += "#" + strings.Repeat("x", len(list)-len(shorter)-2) + "\n"
	asIs := func(text string) string { return text }
	for _, form := range []struct {
		name    string
		written func(string) string
	}{
		{"as it is", asIs},
		{"with CR LF, behind a mark and a document", func(text string) string {
			return string(utf8BOM) + strings.ReplaceAll(cm("before")+"---\n"+text, "\n", "\r\n")
		}},
		{"compressed", func(text string) string { return zipped(t, text) }},
	} {
		text, other := form.written(list), form.written(shorter)
		for _, c := range changes {
			t.Run(form.name+" "+c.name, func(t *testing.T) {
				file := written(t, text)
				given, problems := map[string]int{}, []error{}
				for d, err := range Read([]string{file}, Options{}) {
					if err != nil {
						problems = append(problems, err)
						continue
					}
					given[d.Name]++
					if d.Name == "f-1199" {
						if err := c.do(file, other); err != nil {
							t.Fatal(err)
						}
					}
				}
				checkGiven(t, given)
				switch {
				case c.inPlace && (len(problems) != 1 || !errors.Is(problems[0], ErrChanged) || !strings.Contains(problems[0].Error(), file)):
					t.Errorf("%d objects, problems %q", len(given), problems)
				case !c.inPlace && (len(problems) > 0 || given["f-0"]+given["odd"]+given["other"]+given["after"] != 4):
					t.Errorf("%d objects, problems %q", len(given), problems)
				}
			})
		}
	}
}

// The type of the items of a large JSON List, which is looked up behind them, is that of
// their own List, or an error says that the file changed.
func TestKindsOfFilesThatChange(t *testing.T) {
	var items []string
	for i := range 3000 {
		items = append(items, fmt.Sprintf(`{"metadata":{"name":"n-%d"},"data":{"x":"%s"}}`, i, strings.Repeat("x", 1000)))
	}
	list := strings.Replace(indented.list(items...), `"List"`, `"ConfigMapList"`, 1)
	other := strings.Replace(list, `"ConfigMapList"`, `"EndpointsList"`, 1)
	for _, c := range changes {
		file := written(t, list)
		given, problems := 0, []error{}
		for d, err := range Read([]string{file}, Options{}) {
			if err != nil {
				problems = append(problems, err)
				continue
			}
			if given++; d.Kind != "ConfigMap" {
				t.Errorf("%s: %s is a %s", c.name, d.Name, d.Kind)
			}
			if d.Name == "n-0" {
				if err := c.do(file, other); err != nil {
					t.Fatal(err)
				}
			}
		}
		switch {
		case c.inPlace && (len(problems) != 1 || !strings.Contains(problems[0].Error(), file)):
			t.Errorf("%s: %d objects, problems %q", c.name, given, problems)
		case !c.inPlace && (len(problems) > 0 || given != len(items)):
			t.Errorf("%s: %d objects, problems %q", c.name, given, problems)
		}
	}
}

// checkGiven reports what was given more than once, and what of the filler is missing.
func checkGiven(t *testing.T, given map[string]int) {
	t.Helper()
	fill := 0
	for name, n := range given {
		if n != 1 {
			t.Errorf("%s was given %d times", name, n)
		}
		if strings.HasPrefix(name, "f-") {
			fill++
		}
	}
	if fill != strings.Count(filler(), "\n- ")+1 {
		t.Errorf("%d of the filler were given", fill)
	}
}

// counted counts the bytes that are read again.
type counted struct {
	io.ReaderAt
	n int
}

// ReadAt reads a part.
func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, at)
	c.n += n
	return n, err
}

// Of a file with many Lists, each is read again at most once, from its start.
func TestListsAreReadAgainOnce(t *testing.T) {
	text := strings.Repeat("kind: List\napiVersion: v1\nitems:\n"+filler()+doubtful+"---\n", 4)
	again := &counted{ReaderAt: strings.NewReader(text)}
	f := &reader{opts: Options{}.WithDefaults(), lasting: again, stored: true, yield: func(_ Document, err error) bool {
		if err != nil {
			t.Error(err)
		}
		return true
	}}
	w := scan.NewWindow(strings.NewReader(text), 0, len(text))
	f.readYAML(w)
	if again.n == 0 || again.n > len(text) {
		t.Errorf("%d bytes were read again of %d", again.n, len(text))
	}
}
