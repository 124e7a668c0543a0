//go:build unix

package cmd

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/term"
)

// player is somebody at a terminal on which the command runs.
type player struct {
	t        *testing.T
	dir      string
	cmd      *exec.Cmd
	terminal *os.File
	// before is how the terminal was set.
	before *term.State
	shown  lockedBuffer
	// seen is how much of it was looked at.
	seen int
	read chan struct{}
}

// lockedBuffer is what the terminal has got.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case b.more <- struct{}{}:
	default:
	}
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

const (
	shop     = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\n# ours\ndata:\n  a: mine # by hand\n  b: mine\n"
	shopLive = `apiVersion: v1
kind: ConfigMap
metadata:
  name: shop
  namespace: default
  managedFields:
  - {manager: other, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data":{"f:a":{},"f:b":{}}}}
data: {a: theirs, b: "theirs\u001b[2J"}
`
)

// shopDir is a folder with a manifest that conflicts in two fields.
func shopDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"shop.yaml": shop, "live.yaml": shopLive})
	return dir
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// play begins a session in a folder.
func play(t *testing.T, dir string, env ...string) *player {
	t.Helper()
	p := &player{t: t, dir: dir, read: make(chan struct{})}
	p.shown.more = make(chan struct{}, 1)
	p.cmd = exec.Command(
		filepath.Join(binaries(t), "ssactl"),
		"resolve", "-i", "-f", "shop.yaml", "--live", "live.yaml", "--field-manager", "mine",
	)
	p.cmd.Dir = dir
	p.cmd.Env = append(
		os.Environ(),
		append([]string{"TERM=xterm-256color", "XDG_STATE_HOME=" + filepath.Join(dir, "state")}, env...)...)
	terminal, theirs, err := pty.Open()
	if err != nil {
		t.Fatalf("no pseudo terminal: %v", err)
	}
	if err := pty.Setsize(terminal, &pty.Winsize{Rows: 40, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	if p.before, err = term.GetState(int(terminal.Fd())); err != nil {
		t.Fatal(err)
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirs, theirs, theirs
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close()
	p.terminal = terminal
	go func() {
		defer close(p.read)
		_, _ = io.Copy(&p.shown, terminal)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = terminal.Close()
	})
	return p
}

// sees waits until the terminal gets a text, behind what it has seen before.
func (p *player) sees(text string) {
	p.t.Helper()
	for open := true; ; {
		shown := p.shown.String()[p.seen:]
		if at := strings.Index(shown, text); at >= 0 {
			p.seen += at + len(text)
			return
		}
		if !open {
			p.t.Fatalf("the terminal does not show %q:\n%q", text, shown)
		}
		select {
		case <-p.shown.more:
		case <-p.read:
			open = false
		}
	}
}

func (p *player) presses(keys string) {
	p.t.Helper()
	if _, err := io.WriteString(p.terminal, keys); err != nil {
		p.t.Fatal(err)
	}
}

// ends waits for the exit code. The terminal is as it was.
func (p *player) ends(code int) {
	p.t.Helper()
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	<-p.read
	if got := p.cmd.ProcessState.ExitCode(); got != code {
		p.t.Errorf("exit code %d, want %d:\n%s", got, code, p.shown.String())
	}
	if after, err := term.GetState(int(p.terminal.Fd())); err != nil || !reflect.DeepEqual(after, p.before) {
		p.t.Errorf("the terminal is set otherwise than before: %v", err)
	}
	on, off := strings.LastIndex(p.shown.String(), "\x1b[?1049h"), strings.LastIndex(p.shown.String(), "\x1b[?1049l")
	if on < 0 || off < on {
		p.t.Errorf("the other screen is left on: %q", p.shown.String())
	}
}

func (p *player) has(name, want string) {
	p.t.Helper()
	got, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	if string(got) != want {
		p.t.Errorf("%s:\n%s", name, got)
	}
}

// states are the files in which decisions are kept.
func (p *player) states() []string {
	files, err := filepath.Glob(filepath.Join(p.dir, "state", "ssactl", "resolve", "*"))
	if err != nil {
		p.t.Fatal(err)
	}
	return files
}

// TestInteractive: keys decide, the edit is shown and written, and the rest of the
// file stays as it was. What a value does to a terminal is not done.
func TestInteractive(t *testing.T) {
	p := play(t, shopDir(t))
	p.sees("1 of 2")
	p.presses("sl")
	p.sees("Review")
	p.presses("y")
	p.ends(0)
	p.has(
		"shop.yaml",
		strings.Replace(strings.Replace(shop, "  a: mine # by hand\n", "", 1), "b: mine", `b: "theirs\e[2J"`, 1),
	)
	if strings.Contains(p.shown.String(), "theirs\x1b[2J") {
		t.Error("a value acts on the terminal")
	}
	if left := p.states(); left != nil {
		t.Errorf("left: %v", left)
	}
}

// TestInteractiveInterrupted: Ctrl-C leaves the files as they were; the next session
// goes on.
func TestInteractiveInterrupted(t *testing.T) {
	dir := shopDir(t)
	p := play(t, dir)
	p.sees("1 of 2")
	p.presses("s\x03")
	p.ends(2)
	p.has("shop.yaml", shop)
	p.sees("goes on where you left")
	states := p.states()
	if len(states) != 1 {
		t.Fatalf("decisions are in %v", states)
	}
	text, err := os.ReadFile(states[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"shop", "mine", "theirs", "data"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%q is kept:\n%s", secret, text)
		}
	}
	p = play(t, dir)
	p.sees("2 of 2")
	p.presses("sy")
	p.ends(0)
	p.has("shop.yaml", strings.Replace(shop, "# ours\ndata:\n  a: mine # by hand\n  b: mine\n", "", 1))
}

// TestInteractiveEdit: an editor gets a copy, and what it made of it is shown before
// it is written; then the session goes on.
func TestInteractiveEdit(t *testing.T) {
	dir := shopDir(t)
	editor := filepath.Join(dir, "my editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nsed -i.bak 's/a: mine/a: theirs/' \"$1\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	temporary := t.TempDir()
	p := play(t, dir, "KUBE_EDITOR='"+editor+"'", "EDITOR=false", "TMPDIR="+temporary)
	p.sees("1 of 2")
	p.presses("e")
	p.sees("leave the file as it was")
	p.presses("y")
	p.sees("1 of 1")
	p.presses("q")
	p.ends(1)
	p.has("shop.yaml", strings.Replace(shop, "a: mine", "a: theirs", 1))
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("the editor's files are left: %v %v", left, err)
	}
}

// TestInteractiveForgets: if decisions cannot be kept, the session says so, does not
// offer to go on later, and follows them until it ends.
func TestInteractiveForgets(t *testing.T) {
	dir := shopDir(t)
	writeFiles(t, dir, map[string]string{"state": ""})
	p := play(t, dir)
	p.sees("1 of 2")
	p.presses("s\x03")
	p.ends(2)
	p.sees("the decisions are not kept for the next session")
	if strings.Contains(p.shown.String(), "goes on where you left") {
		t.Error("it is said that the next session goes on")
	}
}

// TestInteractiveHangup: a terminal that goes takes the session with it.
func TestInteractiveHangup(t *testing.T) {
	// What is started here would ignore hangups where they are ignored here, as under nohup.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	p := play(t, shopDir(t))
	p.sees("1 of 2")
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	p.ends(2)
	p.has("shop.yaml", shop)
}

// TestInteractiveEditorFails: nothing is written, and what was decided is kept.
func TestInteractiveEditorFails(t *testing.T) {
	dir := shopDir(t)
	p := play(t, dir, "KUBE_EDITOR=false")
	p.sees("1 of 2")
	p.presses("se")
	p.ends(2)
	p.sees("name another editor in KUBE_EDITOR or EDITOR")
	p.has("shop.yaml", shop)
	p = play(t, dir)
	p.sees("2 of 2")
	p.presses("q")
	p.ends(1)
}

// TestInteractiveSecret: no value of a Secret is on the screen, in the review or in
// the diff of an edit.
func TestInteractiveSecret(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"shop.yaml": manifestOf("data: {password: " + marked("-new") + "}\n"),
		"live.yaml": liveSecret(claimed(claims), plainBody()),
		"editor":    "#!/bin/sh\necho '# " + marker + "' >> \"$1\"\n",
	})
	p := play(t, dir, "EDITOR=sh "+filepath.Join(dir, "editor"))
	p.sees("1 of 1")
	p.presses("e")
	p.sees("leave the file as it was")
	p.presses("n")
	p.sees("--share-secrets")
	p.presses("lsy")
	p.ends(0)
	for _, secret := range []string{marker, marked(""), marked("-new")} {
		if strings.Contains(p.shown.String(), secret) {
			t.Errorf("%s is shown:\n%q", secret, p.shown.String())
		}
	}
}

// TestInteractiveLostUpdate: a file that somebody else changes during the session is
// not overwritten.
func TestInteractiveLostUpdate(t *testing.T) {
	p := play(t, shopDir(t))
	p.sees("1 of 2")
	theirs := shop + "  c: theirs\n"
	writeFiles(t, p.dir, map[string]string{"shop.yaml": theirs})
	p.presses("ssy")
	p.ends(2)
	p.has("shop.yaml", theirs)
	p.sees("nothing was written")
}

// TestInteractiveRisk: what is accepted and risky is asked about too, with what comes
// of it when the manifest stops managing the field.
func TestInteractiveRisk(t *testing.T) {
	const manifest = `apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  replicas: 3 # as in spring
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec: {containers: [{name: main, image: "nginx:1.29"}]}
`
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"shop.yaml": manifest, "live.yaml": manifest + `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: shop, namespace: default}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: shop}, maxReplicas: 5}
`})
	p := play(t, dir)
	p.sees("replicas-autoscaled")
	p.presses("sy")
	p.sees("1 field no longer managed")
	p.ends(0)
	p.has("shop.yaml", strings.Replace(manifest, "  replicas: 3 # as in spring\n", "", 1))
}
