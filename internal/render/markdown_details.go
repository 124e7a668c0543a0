package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// refusal tells why an object is refused: the conflicts as a table, and the
// server's words.
func (m *comment) refusal(r report.Result) string {
	var b strings.Builder
	if len(r.Conflicts) > 0 {
		b.WriteString("| Field | Manifest | Live | Held by | Asked in |\n|---|---|---|---|---|\n")
		for _, c := range r.Conflicts {
			fmt.Fprintf(&b, "| %s | %s | %s | %s, %s | %s |\n", mdCode(c.Field),
				m.cell(c.Applied, c.AppliedMissing), m.cell(c.Live, c.LiveMissing),
				mdCode(writer(c.Writer)), mdProse(since(c.Time, m.o.Now)), mdProse(place(c.Source)))
		}
		b.WriteString("\n")
	}
	b.WriteString(m.causes(r.Causes))
	b.WriteString(m.remarks(r))
	if r.Error != "" {
		b.WriteString(mdFence("", visibleLines(r.Error)))
	}
	if r.Status != nil {
		text, _ := shortAnswer(r, m.o)
		answer := fmt.Sprintf("The API server would answer %s:\n\n%s", mdProse(strings.TrimSpace(fmt.Sprintf("%d %s", r.Code, r.Status.Reason))),
			mdFence("", text))
		if len(r.Conflicts) > 0 {
			answer = "<details><summary>The answer of the API server</summary>\n\n" + answer + "\n</details>\n"
		}
		b.WriteString(answer)
	}
	if r.Outcome == report.Conflicted {
		b.WriteString(m.ways(r))
	}
	return b.String()
}

// causes are what is wrong, as a table.
func (m *comment) causes(list []report.Cause) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| Field | What is wrong | Asked in |\n|---|---|---|\n")
	for i, c := range list {
		if i == shownFaults {
			fmt.Fprintf(&b, "| … | %s more |  |\n", count(len(list)-i, "field"))
			break
		}
		field := ""
		if c.Field != "" {
			field = mdCode(c.Field)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", field, mdProse(faultText(c)), mdProse(place(c.Source)))
	}
	return b.String() + "\n"
}

// shownCell is how much of a value a table shows.
const shownCell = 80

func (m *comment) cell(v any, missing bool) string {
	if missing {
		return "(not set)"
	}
	return mdCode(cut(scalar(v), shownCell))
}

// ways are the ways out of a conflict, as the text format tells them.
func (m *comment) ways(r report.Result) string {
	return "\nWays out: give the field up (remove it from the manifest), share it (write the live value into the manifest), " +
		"or take it (`--force-conflicts`; who held it may set it back). Each of them simulated:\n\n" +
		mdFence("sh", explainCommand(r, m.o))
}

// taken lists what a forced apply takes from others.
func (m *comment) taken(r report.Result) string {
	var b strings.Builder
	for _, t := range r.Transfers {
		if t.Kind == report.Overridden {
			b.WriteString("- Taken from " + mdCode(t.Manager) + ": " + mdCode(t.Field) + "\n")
		}
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

// minDiff is the least of a diff that is worth showing.
const minDiff = 500

// fit puts the blocks together as long as there is room: in full, with as
// many lines of their diff as fit, by their title, or by name in the sentence
// at the end.
func (m *comment) fit(head string, blocks []block) string {
	var out strings.Builder
	out.WriteString(head)
	for _, b := range blocks {
		out.WriteString(b.full)
	}
	complete := !slices.ContainsFunc(blocks, func(b block) bool { return b.dropped })
	if m.limit == 0 || complete && out.Len() <= m.limit {
		return out.String()
	}
	out.Reset()
	out.WriteString(head)
	room := func() int { return m.limit - cutReserve - out.Len() }
	var lost []string
	for _, b := range blocks {
		part, complete := b.within(room())
		out.WriteString(part)
		if !complete {
			lost = append(lost, b.name)
		}
	}
	out.WriteString(cutSentence(m.limit, lost))
	return out.String()
}

// within is the block in the longest form that fits.
func (b block) within(room int) (text string, complete bool) {
	if !b.dropped && len(b.full) <= room {
		return b.full, true
	}
	if b.diff != "" && room-len(b.open)-len(b.close) > minDiff {
		return b.open + cutDiff(b.diff, room-len(b.open)-len(b.close)) + b.close, false
	}
	if len(b.short) <= room {
		return b.short, false
	}
	return "", false
}

// cutDiff is the start of a diff, fenced, with the number of lines left out.
func cutDiff(diff string, room int) string {
	lines := strings.SplitAfter(strings.TrimSuffix(diff, "\n"), "\n")
	// The fence of the whole diff is at least as long as that of its start.
	used, n := len(mdFence("diff", diff))-len(diff)+len("\n… 1000000 more lines of the diff\n"), 0
	for n < len(lines) && used+len(lines[n]) <= room {
		used += len(lines[n])
		n++
	}
	if n == 0 {
		return ""
	}
	return mdFence("diff", strings.Join(lines[:n], "")) + "\n… " + count(len(lines)-n, "more line") + " of the diff\n"
}

// cutSentence names what was cut, as far as there is room for names.
func cutSentence(limit int, lost []string) string {
	const intro = "\n---\n\nThis comment was cut at %d characters. Left out, at least in part, are the details of "
	s := fmt.Sprintf(intro, limit)
	budget := cutReserve - len(s) - len(" and 1000000 more.\n")
	var names []string
	for _, name := range lost {
		code := mdCode(cut(name, 60))
		if budget -= len(code) + len(", "); budget < 0 {
			break
		}
		names = append(names, code)
	}
	s += strings.Join(names, ", ")
	switch rest := len(lost) - len(names); {
	case len(names) == 0:
		return s + count(rest, "object") + ".\n"
	case rest > 0:
		return s + fmt.Sprintf(" and %d more.\n", rest)
	}
	return s + ".\n"
}
