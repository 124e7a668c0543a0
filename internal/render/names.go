package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// objectName is the name as kubectl -o name prints it.
func objectName(t report.Target) string {
	kind := strings.ToLower(t.Kind)
	if group, _ := groupVersion(t.APIVersion); group != "" {
		kind += "." + group
	}
	return visible(kind + "/" + t.Name)
}

// fileName is the name that kubectl diff gives an object's file, with what a
// file name or a diff header cannot carry percent-encoded.
func fileName(t report.Target) string {
	group, version := groupVersion(t.APIVersion)
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

func groupVersion(apiVersion string) (group, version string) {
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		return group, version
	}
	return "", apiVersion
}

// place is file:line, or the file with the document where no line is known.
func place(s *report.Source) string {
	switch {
	case s == nil || s.File == "":
		return ""
	case s.Line > 0:
		return fmt.Sprintf("%s:%d", visible(fileOrStdin(s.File)), s.Line)
	case s.Document > 1:
		return fmt.Sprintf("%s, document %d", visible(fileOrStdin(s.File)), s.Document)
	}
	return visible(fileOrStdin(s.File))
}

func fileOrStdin(file string) string {
	if file == "-" {
		return "standard input"
	}
	return file
}
