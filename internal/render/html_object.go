package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// objectView is what the page says of one object.
type objectView struct {
	r    *report.Result
	o    Options
	cast *cast
	// Sign is that of the outcome.
	Sign string
}

// Name is the name as kubectl prints it.
func (v *objectView) Name() string { return objectName(v.r.Target) }

// Where is the namespace and the subresource; may be empty.
func (v *objectView) Where() string {
	var parts []string
	if v.r.Target.Namespace != "" {
		parts = append(parts, visible(v.r.Target.Namespace))
	}
	if v.r.Target.Subresource != "" {
		parts = append(parts, visible(v.r.Target.Subresource)+" subresource")
	}
	return strings.Join(parts, ", ")
}

// Place is where the manifest stands.
func (v *objectView) Place() string { return place(&v.r.Source) }

// Outcome is the verdict.
func (v *objectView) Outcome() report.Outcome { return v.r.Outcome }

// Refused tells whether the write is refused.
func (v *objectView) Refused() bool { return v.r.Outcome.Refused() }

// Gist is what the verdict comes down to.
func (v *objectView) Gist() string {
	switch {
	case v.Refused():
		return gist(*v.r)
	case v.r.Deleted:
		return "deleted"
	case v.r.Operation == report.Delete:
		return "deletion has begun"
	case v.r.Outcome == report.Created:
		return count(len(v.r.Changes), "field")
	case v.r.Outcome == report.Configured && len(v.r.Changes) > 0:
		return count(len(v.r.Changes), "field") + changeTally(v.r.Changes)
	case v.r.Outcome == report.Configured:
		return "managed fields only"
	}
	return ""
}

// changeTally counts changes by kind, as "+1 ~2 −1".
func changeTally(changes []report.Change) string {
	n := map[report.ChangeKind]int{}
	for _, c := range changes {
		n[c.Kind]++
	}
	var b strings.Builder
	for _, kind := range []report.ChangeKind{report.Added, report.Modified, report.Removed} {
		if n[kind] > 0 {
			fmt.Fprintf(&b, " %s%d", signs[kind], n[kind])
		}
	}
	return b.String()
}

// Writer is the manager of the write.
func (v *objectView) Writer() look { return v.cast.of(v.r.Manager) }

// Operation is the write in words.
func (v *objectView) Operation() string {
	s := visible(string(v.r.Operation))
	if v.r.Force {
		s += " with force"
	}
	return s
}

// LivePlace is where the live object was read; empty when there was none.
func (v *objectView) LivePlace() string { return place(v.r.LiveSource) }

// Warnings are the server's.
func (v *objectView) Warnings() []string { return visibleAll(v.r.Warnings) }

// Notices are the risks, and remarks on the input.
func (v *objectView) Notices() []string {
	var out []string
	for _, risk := range v.r.Risks {
		out = append(out, riskWord(risk)+": "+riskLine(risk))
	}
	return visibleAll(append(out, v.r.Notices...))
}

// Notes say what was not simulated.
func (v *objectView) Notes() []string {
	var notes []string
	for _, c := range inFront(*v.r) {
		notes = append(notes, sentence(c))
	}
	return visibleAll(append(notes, report.Sentences(behind(v.r.Confidence.Doubts()))...))
}

// Answer is the status line of the API server; empty where it gave none.
func (v *objectView) Answer() string {
	if v.r.Code == 0 {
		return ""
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", v.r.Code, reason(*v.r)))
}

// Message is what the API server says to a refusal, word for word, or why no
// answer could be given.
func (v *objectView) Message() string {
	if v.r.Status != nil {
		return visibleLines(v.r.Status.Message)
	}
	return visibleLines(v.r.Error)
}

// causeView is one thing that is wrong.
type causeView struct{ Field, Message, Place string }

// Causes are what is wrong, field by field.
func (v *objectView) Causes() []causeView {
	var out []causeView
	for _, c := range v.r.Causes {
		out = append(out, causeView{visible(c.Field), visible(faultText(c)), place(c.Source)})
	}
	return out
}

func visibleAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = visible(s)
	}
	return out
}
