package causes

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// Quoted is a refusal of an apply that a text quotes: what a client printed, or a log.
type Quoted struct {
	// Line is where it begins in the text, from 1.
	Line int
	// Before is what the text says ahead of it on the same line, such as the client's own
	// words with the object.
	Before string
	// Target is the object as far as the message names it.
	Target report.Target
	// Conflicts are those with other field managers; Causes are what is wrong with fields
	// otherwise, without the values that the server quotes. One of the two is empty.
	Conflicts []Conflict
	Causes    []report.Cause
}

// The messages that Quotes finds. Each is followed by what is read field by field.
var (
	conflictStart = regexp.MustCompile(regexp.QuoteMeta(applyFailed) + `\d+ conflicts?: `)
	invalidStart  = regexp.MustCompile(`\b([A-Z]\w*)(?:\.([a-z0-9.-]+))? "([^"\s]+)"` + regexp.QuoteMeta(isInvalid))
	typedStart    = regexp.MustCompile(
		regexp.QuoteMeta(typedPatch) + `(?:([^/;\s)]*)/)?([^;\s)]*); ([^,\s)]+)` + nameOfKind + `(\w+)\): `,
	)
	// argoStart is of Argo CD, which compares before it applies (gitops-engine, pkg/diff).
	argoStart     = regexp.MustCompile(`error building typed value from (?:config|live) resource: `)
	strictStart   = regexp.MustCompile(regexp.QuoteMeta(strictErrors))
	nilStart      = regexp.MustCompile(regexp.QuoteMeta(managedNil))
	modifiedStart = regexp.MustCompile(regexp.QuoteMeta(modified))
)

// Quotes finds the refusals in a text, in its order. Line ends and quotes may be escaped, as
// in logs. It keeps no value that the server quotes: a text may have those of Secrets.
func Quotes(text string) []Quoted {
	var out []Quoted
	lines := plainLines(text)
	for i := 0; i < len(lines); i++ {
		q, used, found := quotedAt(lines[i:])
		if !found {
			continue
		}
		out = append(out, q...)
		i += used - 1
	}
	return out
}

// logLine is a line of a text without colors, escapes and the time ahead of it.
type logLine struct {
	number int
	text   string
}

var (
	colors    = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")
	timestamp = regexp.MustCompile(`^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.,\d]*(?:Z|[+-]\d\d:?\d\d)? `)
	escapes   = strings.NewReplacer(
		`\\`, `\`, `\"`, `"`, `\n`, "\n", `\t`, " ", `\u003c`, "<", `\u003e`, ">", `\u0026`, "&",
	)
)

// escapedDeep is how often a text may be quoted in another one.
const escapedDeep = 3

func plainLines(text string) []logLine {
	var out []logLine
	number := 0
	for raw := range strings.Lines(text) {
		number++
		plain := timestamp.ReplaceAllString(colors.ReplaceAllString(strings.TrimRight(raw, "\r\n"), ""), "")
		for range escapedDeep {
			if !strings.Contains(plain, `\"`) && !strings.Contains(plain, `\n`) {
				break
			}
			plain = escapes.Replace(plain)
		}
		for _, line := range strings.Split(plain, "\n") {
			out = append(out, logLine{number, line})
		}
	}
	return out
}

// quotedAt reads the refusals that begin on the first line, and says how many lines they
// take.
func quotedAt(lines []logLine) (out []Quoted, used int, found bool) {
	line, used := lines[0].text, 1
	add := func(at []int, q Quoted) {
		q.Line, q.Before = lines[0].number, line[:at[0]]
		out = append(out, q)
	}
	for _, at := range conflictStart.FindAllStringIndex(line, -1) {
		conflicts, n := conflictsAfter(line[at[1]:], lines[1:])
		used = max(used, n+1)
		add(at, Quoted{Conflicts: conflicts})
	}
	for _, at := range invalidStart.FindAllStringSubmatchIndex(line, -1) {
		q := Quoted{Causes: invalidCauses(line[at[1]:])}
		q.Target = report.Target{Kind: line[at[2]:at[3]], Name: line[at[6]:at[7]]}
		if at[4] >= 0 {
			q.Target.APIVersion = line[at[4]:at[5]] + "/"
		}
		add(at, q)
	}
	for _, at := range typedStart.FindAllStringSubmatchIndex(line, -1) {
		causes, n := typedCauses(line[at[1]:], lines[1:])
		used = max(used, n+1)
		q := Quoted{
			Causes: causes,
			Target: report.Target{Name: line[at[4]:at[5]], APIVersion: line[at[6]:at[7]], Kind: line[at[8]:at[9]]},
		}
		if at[2] >= 0 {
			q.Target.Namespace = line[at[2]:at[3]]
		}
		add(at, q)
	}
	for _, at := range argoStart.FindAllStringIndex(line, -1) {
		causes, n := typedCauses(line[at[1]:], lines[1:])
		used = max(used, n+1)
		add(at, Quoted{Causes: causes})
	}
	for _, at := range strictStart.FindAllStringIndex(line, -1) {
		causes := strictCauses(endOfQuotes(line[at[0]:]))
		if causes != nil {
			add(at, Quoted{Causes: causes})
		}
	}
	for _, whole := range []*regexp.Regexp{nilStart, modifiedStart} {
		for _, at := range whole.FindAllStringIndex(line, -1) {
			add(at, Quoted{Causes: []report.Cause{{Message: line[at[0]:at[1]]}}})
		}
	}
	return out, used, out != nil
}

var owned = regexp.MustCompile(
	`conflicts? with ("(?:[^"\\]|\\.)*"(?: with subresource "[^"]*")?(?: using [^\s:]+(?: at \d{4}-\d\d-\d\dT[\d:]+Z)?)?):`,
)

// conflictsAfter reads what follows the head of a conflict, on its line and the next ones, by
// owner and field; n is how many of the next lines belong to it.
//
//	conflict with "m" using apps/v1: .spec.a
//	conflicts with "m" using apps/v1:
//	- .spec.a
//	conflicts with "n":
//	- .spec.b
func conflictsAfter(rest string, next []logLine) (out []Conflict, n int) {
	var owner Conflict
	for {
		if at := owned.FindStringSubmatchIndex(rest); at != nil {
			owner = parseConflict(conflictWith + rest[at[2]:at[3]])
			rest = rest[at[1]:]
		}
		if field := fieldAt(strings.TrimPrefix(strings.TrimSpace(rest), "- ")); field != "" {
			owner.Field = field
			out = append(out, owner)
		}
		if n == len(next) {
			return out, n
		}
		rest = strings.TrimSpace(next[n].text)
		if !strings.HasPrefix(rest, "- .") && !strings.HasPrefix(rest, conflictsIn) &&
			!strings.HasPrefix(rest, conflictWith) {
			return out, n
		}
		n++
	}
}

// fieldAt is the field path that a text begins with, as the server writes it; empty for none.
func fieldAt(text string) string {
	end, brackets, quotes := 0, 0, false
	for ; end < len(text); end++ {
		c := text[end]
		switch {
		case quotes && c == '\\':
			end++
		case c == '"' && brackets > 0:
			quotes = !quotes
		case quotes:
		case c == '[':
			brackets++
		case c == ']':
			brackets--
		case brackets == 0 && !strings.ContainsRune("._-/~$", rune(c)) && !isAlphanumeric(c):
			return closed(text[:end])
		}
	}
	return closed(text)
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// closed is a field path without what ends its sentence; empty for none.
func closed(text string) string {
	if text = strings.TrimRight(text, ".,"); !strings.HasPrefix(text, ".") {
		return ""
	}
	return text
}

// typedCauses are the faults of an applied configuration, on its line or the next ones.
func typedCauses(rest string, next []logLine) (out []report.Cause, n int) {
	add := func(line string) bool {
		field, fault, ok := cutPath(strings.TrimSpace(line))
		if ok {
			out = append(out, report.Cause{Field: field, Message: withoutValues(fault)})
		}
		return ok
	}
	if strings.TrimSpace(rest) != severalFault {
		add(rest)
		return out, 0
	}
	for n < len(next) && add(next[n].text) {
		n++
	}
	return out, n
}

// endOfQuotes cuts a list of quoted names after its last one.
func endOfQuotes(text string) string {
	if end := strings.LastIndexByte(text, '"'); end >= 0 {
		return text[:end+1]
	}
	return text
}

// fault is a field with what is wrong with it, as validation writes it (apimachinery,
// util/validation/field/errors.go).
var fault = regexp.MustCompile(`(?:^\[?|, )((?:[A-Za-z_][\w-]*|<nil>)(?:\.[\w-]+|\[[^\]]*\])*): ` +
	`(Invalid value|Required value|Duplicate value|Not found|Unsupported value|Forbidden|Too long|Too many|Too few|Internal error)\b`)

// invalidCauses are the faults of an object that is invalid, each once.
func invalidCauses(rest string) []report.Cause {
	all := fault.FindAllStringSubmatchIndex(rest, -1)
	var out []report.Cause
	for i, at := range all {
		end := len(rest)
		if i+1 < len(all) {
			end = all[i+1][0]
		}
		c := report.Cause{Field: rest[at[2]:at[3]], Message: rest[at[4]:at[5]]}
		if c.Field == noField {
			continue
		}
		if why := reason(c.Message, rest[at[1]:end]); why != "" {
			c.Message += ": " + why
		}
		same := func(other report.Cause) bool { return other.Field == c.Field && other.Message == c.Message }
		if !slices.ContainsFunc(out, same) {
			out = append(out, c)
		}
	}
	return out
}

// mostReason is how long the reason of a fault may be.
const mostReason = 300

// reason is what follows the value that the server quotes, which may be a secret.
func reason(kind, rest string) string {
	rest = strings.Trim(strings.TrimSpace(rest), `]": `)
	if kind != "Forbidden" && kind != "Required value" && kind != "Too many" {
		end := strings.LastIndex(rest, ": ")
		if end < 0 {
			return ""
		}
		rest = rest[end+2:]
	}
	if len(rest) > mostReason || strings.ContainsAny(rest, `"{}`) {
		return ""
	}
	return rest
}

// withoutValues is a fault of a type without the value that it quotes.
func withoutValues(fault string) string {
	if want, _, ok := strings.Cut(fault, gotValue); ok && strings.HasPrefix(want, expectedType) {
		return want + gotValue + "another type"
	}
	if strings.HasPrefix(fault, repeatedItem) || fault == notDeclared {
		return fault
	}
	before, _, _ := strings.Cut(fault, `"`)
	return strings.TrimRight(before, ": ")
}
