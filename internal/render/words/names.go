package words

import (
	"fmt"
	"strings"
	"time"

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

// Date is a time as the text format shows it; empty for none.
func Date(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// Age counts from t to now in the largest fitting unit; empty without either,
// and for a time that is still to come.
func Age(t *time.Time, now time.Time) string {
	if t == nil || now.IsZero() || now.Before(*t) {
		return ""
	}
	d := now.Sub(*t)
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	case d < 2*365*24*time.Hour:
		return fmt.Sprintf("%dd", int(d.Hours()/24))
	}
	return fmt.Sprintf("%dy", int(d.Hours()/24/365))
}

// Since is date and age together.
func Since(t *time.Time, now time.Time) string {
	if t == nil {
		return "no time recorded"
	}
	if a := Age(t, now); a != "" {
		return "since " + Date(t) + " (" + a + " ago)"
	}
	return "since " + Date(t)
}
