package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/run/progress"
	"github.com/ssactl/ssactl/test/sampled"
)

// interruptible is how many objects the runs below are asked for.
const interruptible = 100

// tripwire is a context that is interrupted while something is answered, of
// which the server asks it for values.
type tripwire struct {
	context.Context
	left atomic.Int32
	trip context.CancelFunc
}

func (w *tripwire) Value(key any) any {
	if w.left.Add(-1) == 0 {
		w.trip()
	}
	return w.Context.Value(key)
}

// runInterrupted runs a command line on live ConfigMaps and manifests, and interrupts it in
// the midst of the answers: when so many values were asked for.
func runInterrupted(t *testing.T, after int32, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := &tripwire{Context: ctx, trip: cancel}
	w.left.Store(after)
	return runOn(t, w, &app.App{}, args...)
}

// runOn runs a command line on live ConfigMaps and manifests.
func runOn(t *testing.T, ctx context.Context, a *app.App, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	items := listed(interruptible, "", "", "", func(i int) string {
		return fmt.Sprintf(`---
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm-%03d
  namespace: shop
  uid: 00000000-0000-4000-8000-%012d
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cm-%03d","namespace":"shop"},"data":{"k":"v"}}'
  managedFields:
  - {manager: kubectl-client-side-apply, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {".": {}, "f:k": {}}}}
data: {k: v}
`, i, i, i)
	})
	if err := os.WriteFile("live.yaml", []byte(items), 0o644); err != nil {
		t.Fatal(err)
	}
	manifests := listed(interruptible, "", "", "", func(i int) string {
		return fmt.Sprintf(
			"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm-%03d, namespace: shop}\ndata: {k: w}\n",
			i,
		)
	})
	if err := os.WriteFile("manifests.yaml", []byte(manifests), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	a.Streams = iostreams.New(strings.NewReader(""), &out, &errs, nil)
	root := newRootCmd(a)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil {
		fmt.Fprintf(&errs, "error: %v\n", err)
	}
	return app.ExitCode(err), out.String(), errs.String()
}

// An interrupt ends a run with what is known. What is being answered then is
// answered, and not told as refused.
func TestInterruptedInTheMidst(t *testing.T) {
	cases := []struct {
		args []string
		// answers is the key of what is answered, each with good as its state.
		answers, state, good string
	}{
		{[]string{"migrate", "-f", "live.yaml", "-o", "report"}, "objects", "verdict", "Migrates"},
		{[]string{"transfer", "-f", "live.yaml", ".data.k", "--to", "me", "-o", "json"}, "plans", "outcome", "Configured"},
		{
			[]string{"explain", "-f", "manifests.yaml", "--live", "live.yaml", "--field-manager", "me", "-o", "json"},
			"objects",
			"outcome",
			"Conflicted",
		},
		{[]string{"owners", "-f", "live.yaml", "data.k", "-o", "json"}, "answers", "origin", "Owned"},
		{[]string{"clear", "-f", "live.yaml", "--all", "-o", "report"}, "objects", "outcome", "Configured"},
	}
	for _, c := range cases {
		for after := range int32(10 / sampled.Every(t, 5)) {
			t.Run(fmt.Sprint(c.args[0], after), func(t *testing.T) {
				code, out, stderr := runInterrupted(t, 1000+after, c.args...)
				if code != app.ExitTrouble {
					t.Errorf("exit code %d", code)
				}
				var document map[string]json.RawMessage
				if err := json.Unmarshal([]byte(out), &document); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				var answers []map[string]any
				if err := json.Unmarshal(document[c.answers], &answers); err != nil {
					t.Fatal(err)
				}
				for _, a := range answers {
					if a[c.state] != c.good {
						t.Errorf("%s: %v %v", c.state, a[c.state], a["message"])
					}
				}
				if strings.Contains(out, "context canceled") || strings.Contains(out, `"code": 504`) {
					t.Errorf("something was cut off:\n%s", out)
				}
				n := len(answers)
				if n == 0 || n >= interruptible {
					t.Errorf("%d objects were answered", n)
				}
				var told report.Interruption
				if err := json.Unmarshal(document["interrupted"], &told); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(report.Interruption{Answered: n, Total: interruptible}, told); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				if want := fmt.Sprintf("error: interrupted after %d of %d objects\n", n, interruptible); !strings.HasSuffix(
					stderr,
					want,
				) {
					t.Errorf("standard error: %q, want %q", stderr, want)
				}
			})
		}
	}
}

// watcher is a terminal that interrupts the run when the progress bar was drawn so
// often while something was answered.
type watcher struct {
	verb string
	left int
	trip context.CancelFunc
}

func (w *watcher) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.verb) {
		if w.left--; w.left == 0 {
			w.trip()
		}
	}
	return len(p), nil
}

// Owners asks no server, and stops between two objects.
func TestInterruptedOwners(t *testing.T) {
	for _, format := range []string{"json", "yaml", "text"} {
		t.Run(format, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			now := time.Now()
			clock := func() time.Time { now = now.Add(time.Second); return now }
			bar := progress.New(&watcher{"attributing", 20, cancel}, 80, clock)
			code, out, stderr := runOn(t, ctx, &app.App{Bar: bar}, "owners", "-f", "live.yaml", "-o", format)
			if code != app.ExitTrouble {
				t.Errorf("exit code %d", code)
			}
			var n, total int
			if _, err := fmt.Sscanf(stderr, "error: interrupted after %d of %d objects\n", &n, &total); err != nil {
				t.Fatalf("%v: %q", err, stderr)
			}
			if n == 0 || n >= total || total != interruptible {
				t.Errorf("%d of %d objects were answered", n, total)
			}
			last, next := fmt.Sprintf("cm-%03d", n-1), fmt.Sprintf("cm-%03d", n)
			if !strings.Contains(out, last) || strings.Contains(out, next) {
				t.Errorf("%s should be the last one:\n%s", last, out)
			}
			if !strings.Contains(out, "interrupted") {
				t.Errorf("the output says nothing:\n%s", out)
			}
		})
	}
}

// Resolve changes all that it is asked for or nothing.
func TestInterruptedResolve(t *testing.T) {
	code, out, stderr := runInterrupted(
		t, 1000, "resolve", "-f", "manifests.yaml", "--live", "live.yaml", "--field-manager", "me",
		"--all-use-live-value",
	)
	want := fmt.Sprintf("error: interrupted while %d manifests were resolved; nothing was changed\n", interruptible)
	if code != app.ExitTrouble || out != "" || stderr != want {
		t.Errorf("exit code %d, standard output %q, standard error %q", code, out, stderr)
	}
}

// An interrupted audit reports what is known.
func TestInterruptedAudit(t *testing.T) {
	code, out, stderr := runInterrupted(
		t, 200, "audit", "-f", "live.yaml", "-f", "manifests.yaml", "-o", "json", "-o", "text=text",
	)
	if code != app.ExitTrouble {
		t.Errorf("exit code %d", code)
	}
	var doc finding.Report
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	n := doc.Summary.Objects
	if n == 0 || n >= interruptible || len(doc.Problems) > 0 {
		t.Errorf("%d objects were examined, %v", n, doc.Problems)
	}
	if diff := cmp.Diff(&report.Interruption{Answered: n, Total: interruptible}, doc.Interrupted); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	told := fmt.Sprintf("interrupted after %d of %d objects\n", n, interruptible)
	if text, err := os.ReadFile("text"); err != nil || !strings.Contains(string(text), "\n"+told) {
		t.Errorf("%v\n%s", err, text)
	}
	if !strings.HasSuffix(stderr, "error: "+told) {
		t.Errorf("standard error: %q", stderr)
	}
}
