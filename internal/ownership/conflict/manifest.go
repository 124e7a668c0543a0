package conflict

import (
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/files/edit"
)

// lines show how the manifest reads when it is edited.
type lines struct{ *session }

// editWithout shows how the manifest reads without a field.
func (s lines) editWithout(path fieldpath.Path) (*Edit, string) {
	return s.edited(path, func(d *edit.Doc) error { return d.Remove(path) })
}

// editWith shows how the manifest reads with a value at a path, and without
// what was at the former one where that is another.
func (s lines) editWith(former, path fieldpath.Path, v any) (*Edit, string) {
	return s.edited(former, func(d *edit.Doc) error {
		if !former.Equals(path) {
			if err := d.Remove(former); err != nil {
				return err
			}
		}
		return d.Set(path, v)
	})
}

func (s lines) edited(path fieldpath.Path, change func(*edit.Doc) error) (*Edit, string) {
	if s.unedited {
		return nil, ""
	}
	doc, err := edit.Document(s.Write.Body)
	if err == nil {
		doc.Within(nil, s.Shape)
		err = change(doc)
	}
	if err != nil {
		return nil, err.Error()
	}
	e := lineEdit(string(s.Write.Body), string(doc.Bytes()))
	e.File = s.Write.Source.File
	e.Line = s.lineOf(e.Line, path)
	return &e, ""
}

// lineOf is the line of the file for a line of the body, on which a path is
// edited; 0 where nobody knows.
func (s lines) lineOf(n int, path fieldpath.Path) int {
	if l := s.Write.Locator; l != nil && l.Text(n).Line == 0 {
		// The body is in no file, but the field may be.
		if at := s.Write.Line(s.Shape, path); at != nil {
			return at.Line
		}
		return 0
	}
	return n + s.firstLine() - 1
}

// firstLine is the line of the file that the body's first byte stands on: the
// source names the first line that is neither blank nor a comment.
func (s lines) firstLine() int {
	line := s.Write.Source.Line
	for _, l := range strings.Split(string(s.Write.Body), "\n") {
		text := strings.TrimSpace(l)
		if text != "" && text != "---" && !strings.HasPrefix(text, "#") {
			break
		}
		line--
	}
	return max(line, 1)
}

// lineEdit is the lines that differ between two texts, where one is the
// other with one place changed.
func lineEdit(before, after string) Edit {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	a, b = a[start:], b[start:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return Edit{Line: start + 1, Removed: a, Added: b}
}
