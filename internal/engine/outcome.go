package engine

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ssactl/ssactl/internal/engine/causes"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

func accepted(code int) bool { return code >= 200 && code < 300 }

func (s *simulation) read(resp api.Response) (answer, error) {
	a := answer{Response: resp}
	if !accepted(resp.Code) {
		a.status, a.outcome = readStatus(resp), report.Invalid
		// A 409 also answers a stale resourceVersion.
		if resp.Code == http.StatusConflict && len(causes.Conflicts(a.status)) > 0 {
			a.outcome = report.Conflicted
		}
		return a, nil
	}
	if resp.Deleted {
		a.outcome = report.Configured
		return a, nil
	}
	stored, err := s.write.stored(resp)
	if err != nil {
		return answer{}, err
	}
	a.stored = stored
	a.outcome = acceptance(s.live, stored)
	return a, nil
}

// stored is the object after the call, at the request's version. A server that writes
// nothing may return the live object at its own version; then the body has the requested
// one.
func (w Write) stored(resp api.Response) (map[string]any, error) {
	if resp.Object != nil {
		return resp.Object, nil
	}
	b := resp.Stored
	if b == nil {
		b = resp.Body
	}
	stored, err := jsontree.Decode(b)
	if err != nil {
		return nil, fmt.Errorf("parse the answer of the API server: %w", err)
	}
	if w.isOfKind(stored) {
		return stored, nil
	}
	if body, err := jsontree.Decode(resp.Body); err == nil && w.isOfKind(body) {
		return body, nil
	}
	return stored, nil
}

func (w Write) isOfKind(object map[string]any) bool {
	apiVersion, kind := w.Kind.ToAPIVersionAndKind()
	return object["apiVersion"] == apiVersion && object["kind"] == kind
}

// readStatus keeps the Status as it is. A refusal that is no Status, as a
// proxy's would be, becomes one with its text as message.
func readStatus(resp api.Response) *report.Status {
	st := &report.Status{}
	if err := st.UnmarshalJSON(resp.Body); err != nil || st.Raw == nil {
		st.Message = string(resp.Body)
		st.Raw = map[string]any{
			"apiVersion": "v1", "kind": "Status", "status": metav1.StatusFailure,
			"code": int64(resp.Code), "message": st.Message,
		}
	}
	return st
}

// causes is what is wrong with what was asked for; nil for all but a refusal of the
// request itself.
func (s *simulation) causes(a answer) []report.Cause {
	if a.outcome != report.Invalid {
		return nil
	}
	if len(a.Denials) > 1 {
		var out []report.Cause
		for _, message := range a.Denials {
			out = append(out, report.Cause{Message: message})
		}
		return out
	}
	return causes.Of(a.status, causes.Question{
		Verb: s.write.Verb, Kind: s.write.Kind, Body: s.write.Decoded, Live: s.live, Shape: s.shape, Locator: s.write.Locator,
	})
}

func acceptance(live, stored map[string]any) report.Outcome {
	switch {
	case live == nil:
		return report.Created
	case equal(withoutNullTime(live), withoutNullTime(stored)):
		return report.Unchanged
	default:
		return report.Configured
	}
}

// withoutNullTime takes a creationTimestamp of null, which is how Go clients write one,
// as none.
func withoutNullTime(object map[string]any) map[string]any {
	m, ok := object["metadata"].(map[string]any)
	if !ok {
		return object
	}
	if t, has := m["creationTimestamp"]; !has || t != nil {
		return object
	}
	return withoutMetadata(object, m, "creationTimestamp")
}

// withoutMetadata is a copy of an object without a key of its metadata.
func withoutMetadata(object, metadata map[string]any, key string) map[string]any {
	object, metadata = maps.Clone(object), maps.Clone(metadata)
	delete(metadata, key)
	object["metadata"] = metadata
	return object
}

// mostUnreadable is how many wrong values of a live object are named.
const mostUnreadable = 3

// located is an error with the values of the live object that it is about, where no API
// server can have stored that: the file says something else than the cluster.
func (w Write) located(err error, kind api.Type) error {
	var live *api.LiveError
	if !errors.As(err, &live) {
		return err
	}
	found := causes.Of(&report.Status{Message: live.Err.Error()}, causes.Question{
		Verb: api.Create, Kind: w.Kind, Body: w.LiveObject, Shape: managedfields.ShapeOf(kind.ParseableType),
		Locator: w.LiveLocator,
	})
	var wrong []string
	for _, c := range found[:min(len(found), mostUnreadable)] {
		wrong = append(wrong, fault(c))
	}
	if more := len(found) - len(wrong); more > 0 {
		wrong = append(wrong, fmt.Sprintf("and %d more", more))
	}
	if wrong == nil {
		wrong = []string{live.Err.Error()}
	}
	at := ""
	if w.LiveSource != nil {
		at = " at " + place(*w.LiveSource)
	}
	return fmt.Errorf("the live object%s is not as an API server stores it: %s", at, strings.Join(wrong, "; "))
}

// fault says what is wrong with a value, and where it stands.
func fault(c report.Cause) string {
	text := c.Field + ": " + c.Message
	if got, want, ok := strings.Cut(strings.TrimPrefix(c.Message, "cannot unmarshal "), " into type "); ok {
		text = fmt.Sprintf("%s is a %s, expected %s", c.Field, got, want)
	}
	if c.Mistake == report.UnquotedBoolean || c.Mistake == report.UnquotedNumber {
		text += ": put it in quotes"
	}
	if c.Source != nil {
		text = place(*c.Source) + ": " + text
	}
	return text
}

func place(s report.Source) string {
	if s.File == "-" {
		s.File = "standard input"
	}
	if s.Line == 0 {
		return s.File
	}
	return fmt.Sprintf("%s:%d", s.File, s.Line)
}
