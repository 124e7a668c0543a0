package words

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/report"
)

// Object is the name as kubectl -o name prints it.
func Object(t report.Target) string {
	kind := strings.ToLower(t.Kind)
	if group, _ := GroupVersion(t.APIVersion); group != "" {
		kind += "." + group
	}
	return glyph.Visible(kind + "/" + t.Name)
}

// FileName is the name that kubectl diff gives an object's file, with what a
// file name or a diff header cannot carry percent-encoded.
func FileName(t report.Target) string {
	group, version := GroupVersion(t.APIVersion)
	if group != "" {
		group += "."
	}
	name := group + version + "." + t.Kind + "." + t.Namespace + "." + t.Name
	if t.Subresource != "" {
		name += "." + t.Subresource
	}
	var b strings.Builder
	for _, c := range []byte(name) {
		if c == '.' || c == '-' || c == ':' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// GroupVersion splits an apiVersion; the core group is empty.
func GroupVersion(apiVersion string) (group, version string) {
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		return group, version
	}
	return "", apiVersion
}

// Place is file:line, or the file with the document where no line is known.
func Place(s *report.Source) string {
	switch {
	case s == nil || s.File == "":
		return ""
	case s.Line > 0:
		return fmt.Sprintf("%s:%d", glyph.Visible(FileOrStdin(s.File)), s.Line)
	case s.Document > 1:
		return fmt.Sprintf("%s, document %d", glyph.Visible(FileOrStdin(s.File)), s.Document)
	}
	return glyph.Visible(FileOrStdin(s.File))
}

// FileOrStdin names a file in a sentence.
func FileOrStdin(file string) string {
	if file == "-" {
		return "standard input"
	}
	return file
}
