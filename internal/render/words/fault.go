package words

import (
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// Fault is what is wrong, as a message says it, with what may be meant, or what to
// do about a common mistake.
func Fault(message string, c report.Cause) string {
	if len(c.Nearest) > 0 {
		return message + "; did you mean " + strings.Join(c.Nearest, " or ") + "?"
	}
	if cure := cures[c.Mistake]; cure != "" {
		return message + ": " + cure
	}
	return message
}

var cures = map[report.Mistake]string{
	report.UnquotedBoolean: "put it in quotes; YAML reads yes, no, on, off, y and n as booleans",
	report.UnquotedNumber:  "put it in quotes",
	report.Quoted:          "leave out the quotes",
	report.Empty:           `nothing after the colon is null; write "" for an empty text`,
	report.FromLive:        "the manifest is a live object; remove what the server writes: metadata.managedFields, resourceVersion, uid, creationTimestamp and generation, and status",
	report.OtherObject:     "the manifest was copied from a live object, and asks for that one; remove the line, which an apply does not need",
}
