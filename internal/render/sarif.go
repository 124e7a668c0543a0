package render

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// The identity of the SARIF format.
const (
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	sarifVersion = "2.1.0"
)

// newSARIF writes the findings for code scanning: a rule for each kind, and the
// place in the manifest of each.
func newSARIF(w io.Writer, _ Options) Stream { return newSARIFOf(w, rules, rules) }

// newSARIFOf is for findings of these rules, of which documented has each id
// once.
func newSARIFOf(w io.Writer, rules, documented []rule) *sarifStream {
	return &sarifStream{newFindings(rules, 0), sink{w}, documented}
}

type sarifStream struct {
	*findings
	sink
	documented []rule
}

// End implements Stream.
func (s *sarifStream) End(e Ending) error {
	report := e.Report
	results := []sarifResult{}
	for _, f := range s.list() {
		results = append(results, s.result(f))
	}
	doc := sarifLog{Schema: sarifSchema, Version: sarifVersion, Runs: []sarifRun{{
		Tool: sarifTool{Driver: sarifDriver{
			Name:           "ssactl",
			InformationURI: "https://github.com/ssactl/ssactl",
			Rules:          sarifRules(s.documented),
		}},
		ColumnKind:  "unicodeCodePoints",
		Results:     results,
		Invocations: []sarifInvocation{{ExecutionSuccessful: report.Interrupted == nil}},
		Properties:  map[string]any{"kubernetesVersion": report.Server.Version},
	}}}
	text, err := encodeJSON(doc, "  ")
	if err != nil {
		return err
	}
	return s.write(text + "\n")
}

func indexOf(rules []rule, want rule) int {
	return slices.IndexFunc(rules, func(r rule) bool { return r.id == want.id })
}

func sarifRules(rules []rule) []sarifRule {
	out := make([]sarifRule, len(rules))
	for i, r := range rules {
		out[i] = sarifRule{
			ID: r.id, Name: r.name,
			Short: sarifText{Text: r.short}, Full: sarifText{Text: r.help},
			Help:    sarifText{Text: r.help, Markdown: r.help},
			Default: sarifDefault{Level: r.level.sarif()},
		}
	}
	return out
}

func (l level) sarif() string { return [...]string{"error", "warning", "note"}[l] }

func (s *sarifStream) result(f finding) sarifResult {
	r := sarifResult{
		RuleID: f.rule.id, RuleIndex: indexOf(s.documented, f.rule), Level: f.rule.level.sarif(),
		Message:      sarifText{Text: sarifMessage(f.title + ": " + f.message)},
		Fingerprints: map[string]string{"ssactlFinding/v1": fingerprint(f)},
	}
	var l sarifLocation
	if uri := sarifURI(f.source.File); uri != "" {
		l.Physical = &sarifPhysical{Artifact: sarifArtifact{URI: uri}}
		if f.source.Line > 0 {
			l.Physical.Region = &sarifRegion{StartLine: f.source.Line}
		}
	}
	if f.target.Name != "" || f.field != "" {
		name := objectName(f.target)
		if f.target.Namespace != "" {
			name = visible(f.target.Namespace) + "/" + name
		}
		l.Logical = []sarifLogical{{Name: visible(f.field), FullyQualifiedName: name + visible(f.field), Kind: "member"}}
		if f.field == "" {
			l.Logical = []sarifLogical{{Name: visible(f.target.Name), FullyQualifiedName: name, Kind: "object"}}
		}
	}
	if l.Physical != nil || l.Logical != nil {
		r.Locations = []sarifLocation{l}
	}
	return r
}

var (
	sarifPlaceholder = regexp.MustCompile(`\{(\d+)\}`)
	sarifLink        = regexp.MustCompile(`\]\(`)
)

// sarifMessage keeps a value from being read as a placeholder or a link. Other
// brackets and braces stay as they are, as viewers show escapes.
func sarifMessage(s string) string {
	s = visibleLines(s)
	s = sarifPlaceholder.ReplaceAllString(s, "{{$1}}")
	return sarifLink.ReplaceAllString(s, `\](`)
}

// sarifURI is a file as a relative or file: reference; empty for standard
// input.
func sarifURI(file string) string {
	if file == "" || file == "-" {
		return ""
	}
	p := path.Clean(filepath.ToSlash(strings.ToValidUTF8(file, "\ufffd")))
	u := url.URL{Path: p}
	if strings.HasPrefix(p, "/") {
		u.Scheme = "file"
	}
	return u.String()
}

// fingerprint tells findings apart by what they are about, and not by lines
// and values, which change.
func fingerprint(f finding) string {
	parts := []string{f.rule.id, f.target.APIVersion, f.target.Kind, f.target.Namespace, f.target.Name, f.target.Subresource, f.field, f.manager}
	switch {
	case f.field == "":
		parts = append(parts, f.source.File, f.message)
	case f.rule.id == ruleInvalid.id:
		// Of labels, say, all that is wrong is told under one field.
		parts = append(parts, f.message)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}
