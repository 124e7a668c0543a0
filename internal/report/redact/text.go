package redact

import (
	"regexp"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// The server's messages can quote values that no object of the report holds,
// those of a refused manifest. These are the places where it does.
var quotes = []*regexp.Regexp{
	regexp.MustCompile(`(?m)(expected s[a-z ]*, got ).*`),
	// Where no string is expected, the value is told with its line ends.
	regexp.MustCompile(`(?s)(expected [a-rt-z][a-z ]*, got ).*`),
	regexp.MustCompile(`(?s)(\b(?:data|stringData|last-applied-configuration)[^\s:]*: (?:Invalid|Duplicate|Unsupported|Too long) value: )"(?:[^"\\]|\\.)*"`),
	regexp.MustCompile(`(?s)(error decoding versioned set from|unable to parse|cannot unmarshal|Object 'Kind' is missing in|error found in #\d+ byte of|bigger context) .*`),
}

// text masks every value that the text quotes.
func (m *masks) text(s string) string {
	if s == "" {
		return s
	}
	for i, q := range quotes {
		with := "${1}***"
		if i == len(quotes)-1 {
			with = "${1} ***"
		}
		s = q.ReplaceAllString(s, with)
	}
	return m.replace(s)
}

// replace goes through the text once, so that masks are never masked.
func (m *masks) replace(s string) string {
	spellings := m.order()
	if len(spellings) == 0 {
		return s
	}
	pairs := make([]string, 0, 2*len(spellings))
	for _, spelling := range spellings {
		if strings.Contains(s, spelling) {
			pairs = append(pairs, spelling, m.quoted[spelling])
		}
	}
	return strings.NewReplacer(pairs...).Replace(s)
}

func (m *masks) texts(list []string) []string {
	if list == nil {
		return nil
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = m.text(s)
	}
	return out
}

// causes masks their messages.
func (m *masks) causes(list []report.Cause) []report.Cause {
	if list == nil {
		return nil
	}
	out := make([]report.Cause, len(list))
	for i, c := range list {
		c.Message = m.fault(c.Field, c.Message)
		out[i] = c
	}
	return out
}

// fault masks what is said of a field, as m.text does where the field is told in
// front of it.
func (m *masks) fault(field, message string) string {
	head := field + ": "
	return strings.TrimPrefix(m.text(head+message), m.text(head))
}

// status masks the message and the messages of the causes.
func (m *masks) status(s *report.Status) *report.Status {
	if s == nil {
		return nil
	}
	raw, _ := m.statusValue(s.Raw).(map[string]any)
	return &report.Status{Raw: raw, Message: m.text(s.Message), Reason: s.Reason}
}

func (m *masks) statusValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if v == nil {
			return v
		}
		out := make(map[string]any, len(v))
		field, _ := v["field"].(string)
		for k, item := range v {
			if s, ok := item.(string); ok && k == "message" && field != "" {
				out[k] = m.fault(field, s)
				continue
			}
			if s, ok := item.(string); ok && k != "message" {
				out[k] = s
				continue
			}
			out[k] = m.statusValue(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = m.statusValue(item)
		}
		return out
	case string:
		return m.text(v)
	}
	return v
}
