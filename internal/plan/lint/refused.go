package lint

import (
	"net/http"
	"strings"

	"github.com/ssactl/ssactl/internal/engine/causes"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
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
		s.find(Refused, nil, text.New("the API server would answer %v: %v", text.Number(r.Code), text.Said(firstLine(r.Status.Message))), text.Text{})
		return
	}
	for _, c := range r.Causes {
		s.cause(c)
	}
}

// unserved is a kind that the server does not have at the version.
func (s *subject) unserved() {
	fix := text.Text{}
	if s.ServedAs != "" {
		fix = text.New("write apiVersion: %v", text.Name(s.ServedAs))
	}
	s.find(UnknownKind, nil, text.New("%v of %v is not served", text.Name(s.Target.Kind), text.Name(s.Target.APIVersion)), fix)
}

// toldWhy reports whether a rule has told already why a manifest is refused.
func (s *subject) toldWhy() bool {
	return s.has(DuplicateKeys) || s.has(MissingKey)
}

// cause is one thing that the server names.
func (s *subject) cause(c report.Cause) {
	says, fields := text.New("%v", text.Said(c.Message)), []string{}
	if c.Field != "" {
		says, fields = text.New("%v: %v", text.Path(c.Field), text.Said(c.Message)), []string{c.Field}
	}
	find := func(rule string, fix text.Text) { s.find(rule, c.Source, says, fix, fields...) }
	switch causes.KindOf(c) {
	case causes.Unknown:
		s.unknown(c, fields)
	case causes.Mistyped:
		find(WrongType, text.New("write a value of the type that is expected"))
	case causes.TwiceWritten:
		find(WrittenTwice, text.New("keep one of the two"))
	case causes.Repeated:
		if !s.has(DuplicateKeys) {
			find(DuplicateKeys, text.New("keep one of the items"))
		}
	case causes.Keyless:
		if !s.has(MissingKey) {
			find(MissingKey, text.New("write all keys of the item"))
		}
	default:
		if !s.lacking["."+c.Field] {
			find(Refused, text.Text{})
		}
	}
}

// unknown is a field that the schema does not have.
func (s *subject) unknown(c report.Cause, fields []string) {
	says, fix := text.New("%v does not exist", text.Path(c.Field)), text.New("take the field out of the manifest")
	if len(c.Nearest) > 0 {
		nearest := text.Path(c.Nearest[0])
		says, fix = says.And("; ", text.New("%v does", nearest)), text.New("write %v, or %v", nearest, fix)
	}
	s.find(UnknownField, c.Source, says, fix, fields...)
}

func (s *subject) has(rule string) bool {
	for _, f := range s.out {
		if f.Rule == rule {
			return true
		}
	}
	return false
}

// firstLine is a message up to its first line break.
func firstLine(message string) string {
	line, _, _ := strings.Cut(message, "\n")
	return line
}
