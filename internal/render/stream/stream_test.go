package stream

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/report"
)

// recorder notes what it gets, and fails at one of the calls.
type recorder struct {
	told []string
	fail string
}

func (r *recorder) tell(what string) error {
	r.told = append(r.told, what)
	if what == r.fail {
		return errBroken
	}
	return nil
}

var errBroken = errors.New("broken")

func (r *recorder) Begin(s Start) error {
	return r.tell(fmt.Sprintf("begin %d %v", s.Total, s.FailOn.Values))
}
func (r *recorder) Part(result report.Result) (Part, error) {
	return result.Target.Name, r.tell("part " + result.Target.Name)
}
func (r *recorder) Add(p Part) error { return r.tell("add " + p.(string)) }
func (r *recorder) End(e Ending) error {
	return r.tell(fmt.Sprintf("end %d results, overview %v", len(e.Report.Results), e.Report.Overview != nil))
}

// TestPlay: the results come in their order, and an error ends the stream.
func TestPlay(t *testing.T) {
	doc := report.Report{Results: []report.Result{{Target: report.Target{Name: "a"}}, {Target: report.Target{Name: "b"}}}}
	doc.FailOn = &report.FailOn{Values: []string{"error"}}
	all := []string{"begin 2 [error]", "part a", "add a", "part b", "add b", "end 0 results, overview true"}
	for i, fail := range append(all, "") {
		r := &recorder{fail: fail}
		err := Play(r, doc)
		if want := fail != ""; errors.Is(err, errBroken) != want {
			t.Errorf("%q: error %v, want one: %v", fail, err, want)
		}
		if diff := cmp.Diff(all[:min(i+1, len(all))], r.told); diff != "" {
			t.Errorf("%q (-want +got):\n%s", fail, diff)
		}
	}
	if len(doc.Results) != 2 || doc.Overview != nil {
		t.Error("the report that was given is another one now")
	}
	doc.Interrupted = &report.Interruption{Answered: 2, Total: 9}
	r := &recorder{}
	if err := Play(r, doc); err != nil || r.told[0] != "begin 9 [error]" {
		t.Errorf("of a run that was interrupted: %v, %v", r.told, err)
	}
}

// writes counts the calls of a writer.
type writes struct {
	text strings.Builder
	n    int
}

func (w *writes) Write(p []byte) (int, error) {
	w.n++
	return w.text.Write(p)
}

// TestTexts: what separates texts stands between those that are not empty, each in one write.
func TestTexts(t *testing.T) {
	var out writes
	texts := &Texts{Sink: Sink{&out}, Between: "--\n", Text: func(r report.Result) (string, error) {
		if r.Error != "" {
			return "", errBroken
		}
		return r.Target.Name, nil
	}}
	doc := report.Report{}
	for _, name := range []string{"", "a\n", "", "b\n"} {
		doc.Results = append(doc.Results, report.Result{Target: report.Target{Name: name}})
	}
	if err := Play(texts, doc); err != nil || out.text.String() != "a\n--\nb\n" || out.n != 2 {
		t.Errorf("%q in %d writes, %v", out.text.String(), out.n, err)
	}
	doc.Results[1].Error = "no"
	if err := Play(texts, doc); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}
