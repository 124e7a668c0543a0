package lint

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/ssactl/ssactl/internal/engine/causes"
	"github.com/ssactl/ssactl/internal/report"
)

// refused reads why the server refuses the manifest, cause by cause.
func (s *subject) refused() {
	r := s.Result
	if !r.Outcome.Refused() || r.Outcome == report.Failed || r.Status == nil {
		return
	}
	switch {
	case r.Code == http.StatusNotFound:
		s.unserved()
		return
	case len(r.Causes) == 0 && s.toldWhy():
		return
	case len(r.Causes) == 0:
		s.find(Refused, nil, fmt.Sprintf("the API server would answer %d: %s", r.Code, firstLine(r.Status.Message)), "")
		return
	}
	for _, c := range r.Causes {
		s.cause(c)
	}
}

// unserved is a kind that the server does not have at the version.
func (s *subject) unserved() {
	fix := ""
	if s.ServedAs != "" {
		fix = "write apiVersion: " + s.ServedAs
	}
	s.find(UnknownKind, nil, fmt.Sprintf("%s of %s is not served", s.Target.Kind, s.Target.APIVersion), fix)
}

// toldWhy reports whether a rule has told already why a manifest is refused.
func (s *subject) toldWhy() bool {
	return s.has(DuplicateKeys) || s.has(MissingKey)
}

// cause is one thing that the server names.
func (s *subject) cause(c report.Cause) {
	message := c.Message
	if c.Field != "" {
		message = c.Field + ": " + c.Message
	}
	fields := []string{}
	if c.Field != "" {
		fields = append(fields, c.Field)
	}
	switch causes.KindOf(c) {
	case causes.Unknown:
		s.find(UnknownField, c.Source, c.Field+" does not exist"+meant(c.Nearest), fixUnknown(c.Nearest), fields...)
	case causes.Mistyped:
		s.find(WrongType, c.Source, message, "write a value of the type that is expected", fields...)
	case causes.TwiceWritten:
		s.find(WrittenTwice, c.Source, message, "keep one of the two", fields...)
	case causes.Repeated:
		if !s.has(DuplicateKeys) {
			s.find(DuplicateKeys, c.Source, message, "keep one of the items", fields...)
		}
	case causes.Keyless:
		if !s.has(MissingKey) {
			s.find(MissingKey, c.Source, message, "write all keys of the item", fields...)
		}
	default:
		if !s.lacking["."+c.Field] {
			s.find(Refused, c.Source, message, "", fields...)
		}
	}
}

func (s *subject) has(rule string) bool {
	for _, f := range s.out {
		if f.Rule == rule {
			return true
		}
	}
	return false
}

func meant(nearest []string) string {
	if len(nearest) == 0 {
		return ""
	}
	return "; " + nearest[0] + " does"
}

func fixUnknown(nearest []string) string {
	if len(nearest) == 0 {
		return "take the field out of the manifest"
	}
	return "write " + nearest[0] + ", or take the field out of the manifest"
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
