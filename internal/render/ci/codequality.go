package ci

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/objects"
)

// Issue is an item of a Code Quality report, with the keys that GitLab reads.
type Issue struct {
	Description string        `json:"description"`
	CheckName   string        `json:"check_name"`
	Fingerprint string        `json:"fingerprint"`
	Severity    string        `json:"severity"`
	Location    issueLocation `json:"location"`
}

type issueLocation struct {
	Path  string     `json:"path"`
	Lines issueLines `json:"lines"`
}

type issueLines struct {
	Begin int `json:"begin"`
}

// CodeQuality writes the findings as a report of Code Quality: the widget of a merge request
// shows those that its target branch does not have, by their fingerprints. What an accepted
// write changes is no fault, and left out.
type CodeQuality struct {
	findings
	w io.Writer
}

// NewCodeQuality gives a writer of the codequality format.
func NewCodeQuality(w io.Writer) *CodeQuality { return &CodeQuality{w: w} }

// ruleChange is the rule of what an accepted write changes.
const ruleChange = "ssactl/change"

// End writes the report.
func (q *CodeQuality) End(tail model.Tail) error {
	issues, seen := []Issue{}, map[string]int{}
	for _, s := range slices.Concat(q.head.Settings, tail.Settings) {
		issues = append(issues, issueOf(model.Finding{Rule: "settings", Level: model.Warning, Title: "Settings",
			Message: s.Text, File: s.File, Line: s.Line, Identity: []string{"settings", s.File, s.Text}}))
	}
	for _, k := range q.kinds() {
		for _, f := range q.byKind[k] {
			if f.Rule == ruleChange {
				continue
			}
			i := issueOf(f)
			// Findings that nothing distinguishes are counted.
			if seen[i.Fingerprint]++; seen[i.Fingerprint] > 1 {
				i.Fingerprint = digest(i.Fingerprint, fmt.Sprint(seen[i.Fingerprint]))
			}
			issues = append(issues, i)
		}
	}
	if of := tail.Interrupted; of != "" {
		issues = append(issues, issueOf(model.Finding{Rule: "interrupted", Title: q.head.Title, Message: of}))
	}
	text, err := objects.JSON(issues, "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(q.w, text+"\n")
	return err
}

// issueOf is a finding as GitLab reads it: each has a place, that of no file is the repository.
func issueOf(f model.Finding) Issue {
	severity := [...]string{model.Error: "critical", model.Warning: "major", model.Note: "info"}[f.Level]
	if f.Enforced {
		severity = "blocker"
	}
	file := "."
	if f.File != "" && f.File != "-" {
		file = path.Clean(filepath.ToSlash(strings.ToValidUTF8(f.File, "\ufffd")))
	}
	return Issue{
		Description: glyph.Visible(strings.Join(strings.Fields(f.Title+": "+f.Message), " ")),
		CheckName:   strings.TrimPrefix(f.Rule, "ssactl/"),
		Fingerprint: digest(lasting(f)...),
		Severity:    severity,
		Location:    issueLocation{Path: file, Lines: issueLines{Begin: max(1, f.Line)}},
	}
}

// number is one in a message: a line, a count, or a part of a value.
var number = regexp.MustCompile(`\d+`)

// identifying is how much of an identity is the rule and the object.
const identifying = 6

// lasting is what distinguishes a finding and outlasts changes that are not about it: not its
// file, where the object has a name, nor numbers in its message.
func lasting(f model.Finding) []string {
	out := slices.Clone(f.Identity)
	for i, part := range out {
		switch {
		case f.Name != "" && i >= identifying && part == f.File:
			out[i] = ""
		case f.Field == "" && i == len(out)-1:
			out[i] = number.ReplaceAllString(part, "#")
		}
	}
	return out
}

// digest is a fingerprint of parts, in their order.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}
