package lint

import (
	"net/http"

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
		s.find(Refused, nil, report.Fact{Kind: ServerAnswers, Count: r.Code, Text: r.Status.Message})
		return
	}
	for _, c := range r.Causes {
		s.cause(c)
	}
}

// unserved is a kind that the server does not have at the version.
func (s *subject) unserved() {
	s.find(UnknownKind, nil, report.Fact{Kind: NotServed, At: s.ServedAs})
}

// toldWhy reports whether a rule has told already why a manifest is refused.
func (s *subject) toldWhy() bool {
	return s.has(DuplicateKeys) || s.has(MissingKey)
}

// cause is one thing that the server names.
func (s *subject) cause(c report.Cause) {
	text, fields := c.Message, []string{}
	if c.Field != "" {
		text, fields = c.Field+": "+c.Message, []string{c.Field}
	}
	find := func(rule string, kind FactKind) {
		s.find(rule, c.Source, report.Fact{Kind: kind, Text: text}, fields...)
	}
	switch causes.KindOf(c) {
	case causes.Unknown:
		s.find(UnknownField, c.Source, report.Fact{Kind: NoSuchField, Text: c.Field, Others: c.Nearest}, fields...)
	case causes.Mistyped:
		find(WrongType, Mistyped)
	case causes.TwiceWritten:
		find(WrittenTwice, KeyTwice)
	case causes.Repeated:
		if !s.has(DuplicateKeys) {
			find(DuplicateKeys, SameItem)
		}
	case causes.Keyless:
		if !s.has(MissingKey) {
			find(MissingKey, Keyless)
		}
	default:
		if !s.lacking["."+c.Field] {
			find(Refused, Faulty)
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
