//go:build unix

package cmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
)

// stopped is how many the runs below answer: their reports are many times what
// a pipe and the window of the workers hold, so that a run whose output nobody
// reads cannot come to its end.
const stopped = 1000

// running is a run of the built command.
type running struct {
	t       *testing.T
	dir     string
	cmd     *exec.Cmd
	in, out *os.File // of the test
	err     bytes.Buffer
}

// start runs the command in a folder with many manifests.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	r := &running{t: t, dir: t.TempDir()}
	if err := os.WriteFile(filepath.Join(r.dir, "cm.yaml"), []byte(configMaps(stopped)), 0o644); err != nil {
		t.Fatal(err)
	}
	r.cmd = exec.Command(filepath.Join(binaries(t), "ssactl"), args...)
	r.cmd.Dir = r.dir
	r.cmd.Stderr = &r.err
	var err error
	var theirIn, theirOut *os.File
	if theirIn, r.in, err = os.Pipe(); err != nil {
		t.Fatal(err)
	}
	if r.out, theirOut, err = os.Pipe(); err != nil {
		t.Fatal(err)
	}
	r.cmd.Stdin, r.cmd.Stdout = theirIn, theirOut
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirIn.Close()
	_ = theirOut.Close()
	t.Cleanup(func() {
		_ = r.cmd.Process.Kill()
		_ = r.in.Close()
		_ = r.out.Close()
	})
	return r
}

func configMaps(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(
			&b,
			"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm-%d}\ndata: {k: %q}\n",
			i,
			strings.Repeat("v", 500),
		)
	}
	return b.String()
}

// first reads the first bytes of the output.
func (r *running) first() []byte {
	r.t.Helper()
	buf := make([]byte, 512)
	if _, err := io.ReadFull(r.out, buf); err != nil {
		r.t.Fatalf("%v\n%s", err, r.err.String())
	}
	return buf
}

func (r *running) interrupt() {
	r.t.Helper()
	if err := r.cmd.Process.Signal(os.Interrupt); err != nil {
		r.t.Fatal(err)
	}
}

// ends waits for the end of the run, and asks for its exit code.
func (r *running) ends(code int) {
	r.t.Helper()
	_ = r.cmd.Wait()
	if got := r.cmd.ProcessState.ExitCode(); got != code {
		r.t.Errorf("exit code %d, want %d\n%s", got, code, r.err.String())
	}
}

// leftovers are the files of the folder that nobody asked for.
func (r *running) leftovers(asked ...string) {
	r.t.Helper()
	entries, err := os.ReadDir(r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	want, got := append([]string{"cm.yaml"}, asked...), []string{}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.t.Errorf("files: (-want +got)\n%s", diff)
	}
}

// An interrupt ends the run with what is known: the outputs are whole, and say
// how far it came.
func TestInterrupt(t *testing.T) {
	r := start(
		t, "apply", "-f", "cm.yaml", "--field-manager", "x", "-o", "report", "-o", "text=t.txt", "-o",
		"yaml=o.yaml",
	)
	before := r.first()
	r.interrupt()
	rest, err := io.ReadAll(r.out)
	if err != nil {
		t.Fatal(err)
	}
	r.ends(app.ExitTrouble)
	r.leftovers("o.yaml", "t.txt")

	var doc report.Report
	if err := json.Unmarshal(append(before, rest...), &doc); err != nil {
		t.Fatal(err)
	}
	n := len(doc.Results)
	if n == 0 || n >= stopped {
		t.Errorf("%d objects were answered", n)
	}
	if diff := cmp.Diff(&report.Interruption{Answered: n, Total: stopped}, doc.Interrupted); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	told := fmt.Sprintf("interrupted after %d of %d objects", n, stopped)
	if want := "note: " + cluster.WithoutLive + "\nerror: " + told + "\n"; r.err.String() != want {
		t.Errorf("standard error: %q, want %q", r.err.String(), want)
	}
	text, err := os.ReadFile(filepath.Join(r.dir, "t.txt"))
	if err != nil || !strings.Contains(string(text), told) ||
		!strings.Contains(string(text), fmt.Sprintf(": %d created. ", n)) {
		t.Errorf("text: %v\n%s", err, text)
	}
	list, err := os.ReadFile(filepath.Join(r.dir, "o.yaml"))
	if err != nil || strings.Count(string(list), "\n- apiVersion") != n ||
		!strings.HasSuffix(string(list), "kind: List\nmetadata: {}\n") {
		t.Errorf("yaml: %v\n%s", err, list)
	}
}

// An interrupted run that cannot be stopped, because it opens a pipe without a reader,
// still ends, and leaves no file half written.
func TestInterruptEndsWhatIsStuck(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		pipes := t.TempDir()
		first, stuck := filepath.Join(pipes, "first"), filepath.Join(pipes, "stuck")
		if err := errors.Join(syscall.Mkfifo(first, 0o600), syscall.Mkfifo(stuck, 0o600)); err != nil {
			t.Fatal(err)
		}
		r := start(t, "apply", "-f", "cm.yaml", "-o", "text="+first, "-o", "yaml=o.yaml", "-o", "report="+stuck)
		// It opens when the run opens it, before the other one.
		reader, err := os.Open(first)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		r.ends(app.ExitTrouble)
		_ = reader.Close()
		r.leftovers()
		if want := "error: interrupted\n"; r.err.String() != want {
			t.Errorf("standard error: %q, want %q", r.err.String(), want)
		}
	}
}

// A second interrupt ends the run at once, whatever it is doing: by the signal,
// unless the run has ended cleanly by the first one before.
func TestSecondInterrupt(t *testing.T) {
	r := start(t, "apply", "-f", "cm.yaml", "--field-manager", "x", "-o", "report")
	r.first()
	done := make(chan error, 1)
	go func() { done <- r.cmd.Wait() }()
	for {
		select {
		case <-done:
			status, _ := r.cmd.ProcessState.Sys().(syscall.WaitStatus)
			bySignal := status.Signaled() && status.Signal() == syscall.SIGINT
			if !bySignal && status.ExitStatus() != app.ExitTrouble {
				t.Errorf("ended with %s", r.cmd.ProcessState)
			}
			return
		default:
			_ = r.cmd.Process.Signal(os.Interrupt)
			time.Sleep(time.Millisecond)
		}
	}
}

// While inputs are read, a pipe that gives no more does not hold an interrupt
// up.
func TestInterruptWhileReading(t *testing.T) {
	cases := []struct {
		args []string
		want string
	}{
		{[]string{"apply", "-f", "-"}, "error: interrupted while the manifests were read, "},
		{
			[]string{"apply", "-f", "cm.yaml", "--live", "-"},
			"error: interrupted while the live objects were read; none of 1000 manifests was answered\n",
		},
		{
			[]string{"apply", "-f", "cm.yaml", "--live", "/dev/stdin"},
			"error: interrupted while the live objects were read; none of 1000 manifests was answered\n",
		},
		{
			[]string{"resolve", "-f", "-", "--live", "cm.yaml"},
			"error: interrupted while the manifests were read; nothing was answered\n",
		},
		{[]string{"owners", "-f", "-"}, "error: interrupted while the live objects were read; nothing was answered\n"},
	}
	for _, c := range cases {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			r := start(t, c.args...)
			// More than a pipe holds: the command is reading.
			if _, err := io.WriteString(r.in, configMaps(stopped)); err != nil {
				t.Fatal(err)
			}
			r.interrupt()
			rest, err := io.ReadAll(r.out)
			if err != nil || len(rest) > 0 && !strings.Contains(string(rest), "nterrupted") {
				t.Errorf("output %q, %v", rest, err)
			}
			r.ends(app.ExitTrouble)
			if i := strings.Index(r.err.String(), c.want); i < 0 || strings.Count(r.err.String()[i:], "\n") != 1 {
				t.Errorf("standard error: %q, want %q", r.err.String(), c.want)
			}
		})
	}
}

// An interrupt while inputs are read ends every output: a file of an earlier run is not to be
// taken for the answer of this one.
func TestInterruptWhileReadingEndsOutputs(t *testing.T) {
	for _, args := range [][]string{
		{"apply", "-f", "cm.yaml", "--live", "-"}, {"diff", "-f", "cm.yaml", "--live", "-"}, {"explain", "-f", "cm.yaml", "--live", "-"},
		{"lint", "-f", "-"}, {"audit", "-f", "-"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			outputs := map[string]string{"report=r.json": `"interrupted"`, "markdown=m.md": "nterrupted"}
			if args[0] != "explain" {
				outputs["junit=j.xml"], outputs["sarif=s.sarif"] = "nterrupted", `"executionSuccessful": false`
			}
			for output := range outputs {
				args = append(args, "-o", output)
			}
			r := start(t, args...)
			for output := range outputs {
				_, file, _ := strings.Cut(output, "=")
				if err := os.WriteFile(filepath.Join(r.dir, file), []byte("an earlier run"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := io.WriteString(r.in, configMaps(stopped)); err != nil {
				t.Fatal(err)
			}
			r.interrupt()
			_, _ = io.ReadAll(r.out)
			r.ends(app.ExitTrouble)
			for output, want := range outputs {
				_, file, _ := strings.Cut(output, "=")
				if text, err := os.ReadFile(filepath.Join(r.dir, file)); err != nil || !strings.Contains(string(text), want) {
					t.Errorf("%s: %.300s, %v", output, text, err)
				}
			}
		})
	}
}

// A reader that goes away ends the run, without a word and without a file half
// written; other outputs are whole.
func TestReaderGoesAway(t *testing.T) {
	r := start(t, "apply", "-f", "cm.yaml", "-o", "report")
	r.first()
	_ = r.out.Close()
	r.ends(app.ExitTrouble)
	r.leftovers()
	if r.err.String() != "note: "+cluster.WithoutLive+"\n" {
		t.Errorf("standard error: %s", r.err.String())
	}

	r = start(t, "apply", "-f", "cm.yaml", "-o", "report", "-o", "name=names")
	r.first()
	_ = r.out.Close()
	r.ends(app.ExitTrouble)
	r.leftovers("names")
	names, err := os.ReadFile(filepath.Join(r.dir, "names"))
	if err != nil || bytes.Count(names, []byte("\n")) != stopped {
		t.Errorf("%d names, %v", bytes.Count(names, []byte("\n")), err)
	}
}

// A file that could not be written whole is as it was.
func TestFullDisk(t *testing.T) {
	r := start(t, "version")
	r.ends(app.ExitDone)
	before := []byte("kept\n")
	if err := os.WriteFile(filepath.Join(r.dir, "r.json"), before, 0o644); err != nil {
		t.Fatal(err)
	}
	script := "ulimit -f 100; exec ssactl apply -f cm.yaml -o report=r.json -o name"
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "PATH="+binaries(t)+string(os.PathListSeparator)+os.Getenv("PATH"))
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != app.ExitTrouble {
		t.Errorf("ended with %v", err)
	}
	if got := bytes.Count(out.Bytes(), []byte("\n")); got != stopped {
		t.Errorf("%d names on standard output, want %d", got, stopped)
	}
	if want := "note: " + cluster.WithoutLive + "\nerror: write report: "; !strings.HasPrefix(stderr.String(), want) {
		t.Errorf("standard error: %q, want %q", stderr.String(), want)
	}
	after, err := os.ReadFile(filepath.Join(r.dir, "r.json"))
	if diff := cmp.Diff(string(before), string(after)); diff != "" || err != nil {
		t.Errorf("%v, (-want +got)\n%s", err, diff)
	}
	r.leftovers("r.json")
}
