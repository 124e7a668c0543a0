package parity

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/server/api"
)

// Diff reports how an answer differs from the recorded one, a line each; it is
// empty when they are the same: code, Status or object, managedFields,
// warnings.
//
// What only a server can give (uid, resourceVersion, creationTimestamp,
// allocated addresses) may be absent from the answer. Of the answers that a server
// gives by chance (Step.Others), each is right. Where it could not reach a webhook,
// naming that webhook is; and it may name none that was not called.
func Diff(step Step, got api.Response) string {
	if names(got, failedWebhook(step)) {
		return ""
	}
	diff := diffAnswer(step, got)
	for _, other := range step.Others {
		if diff == "" {
			break
		}
		again := step
		again.Status, again.Warnings, again.Response = other.Status, other.Warnings, other.Response
		if diffAnswer(again, got) == "" {
			return ""
		}
	}
	return diff
}

func diffAnswer(step Step, got api.Response) string {
	d := newDiffer(step)
	if step.Status != got.Code {
		d.add("code", step.Status, got.Code)
	}
	d.documents("", step.Response, got.Body)
	d.values("warnings", anySlice(d.inOrder(warningTexts(step.Warnings))), anySlice(d.inOrder(got.Warnings)))
	if webhook := needless(step, got); webhook != "" {
		d.lines = append(d.lines, fmt.Sprintf("the webhook %s is named, which the server did not call", webhook))
	}
	return d.String()
}

// DiffStored reports how the object after the call differs from the recorded one.
// It compares nothing for refused and dry-run requests, whose recordings only say that
// the object did not change.
func DiffStored(step Step, got api.Response) string {
	if step.Status >= 300 || len(step.Request.Query["dryRun"]) > 0 {
		return ""
	}
	d := newDiffer(step)
	d.documents("", step.LiveAfter, got.Stored)
	return d.String()
}

// differ collects the differences of one step.
type differ struct {
	step  Step
	known known
	lines []string
}

func newDiffer(step Step) *differ {
	return &differ{step: step, known: newKnown(step)}
}

func (d *differ) String() string {
	if len(d.lines) == 0 {
		return ""
	}
	return strings.Join(d.lines, "\n") + "\n"
}

// documents compares two JSON documents, each an object or a Status.
func (d *differ) documents(path string, want, got []byte) {
	wantValue, err := decode(d.withoutGeneratedName(want))
	if err != nil {
		d.lines = append(d.lines, fmt.Sprintf("parse the recorded answer: %v", err))
		return
	}
	gotValue, err := decode(d.withoutGeneratedName(got))
	if err != nil {
		d.lines = append(d.lines, fmt.Sprintf("parse the answer: %v", err))
		return
	}
	if text, ok := wantValue.(string); ok && quotes(gotValue, text) {
		return
	}
	d.normalize(wantValue, gotValue)
	d.values(path, wantValue, gotValue)
}

// quotes reports whether a Status is what client-go makes of an answer in plain
// text: what no route serves is answered so.
func quotes(status any, text string) bool {
	object, _ := status.(map[string]any)
	details, _ := object["details"].(map[string]any)
	causes, _ := details["causes"].([]any)
	if len(causes) != 1 {
		return false
	}
	cause, _ := causes[0].(map[string]any)
	return cause["reason"] == "UnexpectedServerResponse" && cause["message"] == strings.TrimSpace(text)
}

// values compares two JSON values below a path.
func (d *differ) values(path string, want, got any) {
	switch want := want.(type) {
	case map[string]any:
		if got, ok := got.(map[string]any); ok {
			d.maps(path, want, got)
			return
		}
	case []any:
		if got, ok := got.([]any); ok {
			d.slices(path, want, got)
			return
		}
	case string:
		if got, ok := got.(string); ok && (want == got || d.known.sameStamp(want, got)) {
			return
		}
	default:
		if !isContainer(got) && want == got {
			return
		}
	}
	d.add(path, want, got)
}

func (d *differ) maps(path string, want, got map[string]any) {
	for _, key := range unionKeys(want, got) {
		at := path + "." + key
		wantValue, inWant := want[key]
		gotValue, inGot := got[key]
		switch {
		case !inWant:
			d.lines = append(d.lines, fmt.Sprintf("%s: not recorded, got %s", at, compact(gotValue)))
		case !inGot && isGenerated(wantValue):
		case !inGot:
			d.lines = append(d.lines, fmt.Sprintf("%s: recorded %s, got nothing", at, compact(wantValue)))
		default:
			d.values(at, wantValue, gotValue)
		}
	}
}

func (d *differ) slices(path string, want, got []any) {
	if len(want) != len(got) {
		d.add(path, want, got)
		return
	}
	for i := range want {
		d.values(fmt.Sprintf("%s[%d]", path, i), want[i], got[i])
	}
}

func (d *differ) add(path string, want, got any) {
	if path == "" {
		path = "."
	}
	d.lines = append(d.lines, fmt.Sprintf("%s: recorded %s, got %s", path, compact(want), compact(got)))
}
