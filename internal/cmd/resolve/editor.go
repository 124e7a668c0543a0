package resolve

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/ssactl/ssactl/internal/cmd/resolve/interactive"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/bounded"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// edit opens a copy of a manifest file in an editor, shows how it differs, and
// writes it when that is wished. The session goes on either way.
func (i *interview) edit(ctx context.Context, c *cluster.Cluster) error {
	a, name := c.App, i.ending.File
	file := i.texts.files[name]
	if file == nil {
		return fmt.Errorf("%s is no UTF-8 text, and nothing else is edited", name)
	}
	i.again = true
	for text := file.Former(); ; {
		edited, err := edited(ctx, a, name, text)
		if err != nil {
			return err
		}
		if bytes.Equal(edited, file.Former()) {
			return nil
		}
		switch answer, err := i.confirmed(ctx, c, name, edited); {
		case err != nil:
			return err
		case answer == interactive.Yes:
			i.wrote = true
			return i.texts.rewrite(ctx, a, name, edited)
		case answer == interactive.No:
			return nil
		case answer == interactive.Abort:
			return i.interrupted()
		}
		text = edited
	}
}

// confirmed shows how a text differs from that of the file, and asks.
func (i *interview) confirmed(
	ctx context.Context,
	c *cluster.Cluster,
	name string,
	text []byte,
) (interactive.Answer, error) {
	options := i.texts.options
	options.Stdin = bytes.NewReader(text)
	_, wrong := manifest.Load([]string{"-"}, options)
	diff := Diff(name, i.texts.files[name].Former(), text, i.choice().Masking, nil)
	confirm := interactive.Confirm{
		Title:  model.Textf("%v of %v", model.Strong.Of("Your edit"), name),
		Blocks: []model.Block{unified(redact.Document(c.App.Secrets, diff))},
		Wrong:  len(wrong) > 0,
	}
	for _, problem := range wrong {
		message := model.Textf(
			"%v line %v: %v",
			model.Bad.Of("cannot be read:"),
			problem.Source.Line,
			c.App.Secrets.Text(problem.Message()),
		)
		confirm.Blocks = append([]model.Block{model.Paragraph{Text: message}}, confirm.Blocks...)
	}
	confirm, err := interactive.Run(ctx, terminal(c.App, i.Paint), confirm)
	return confirm.Answer, err
}

// editorEnds is how long an editor may take to end once it is asked to.
const editorEnds = time.Second

// edited is a text after an editor has had it, in a file of its own that nobody else
// may read.
func edited(ctx context.Context, a *app.App, name string, text []byte) ([]byte, error) {
	// What an editor leaves beside the file, such as a backup, goes with the folder.
	folder, err := os.MkdirTemp("", "ssactl-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	file := filepath.Join(folder, filepath.Base(strings.TrimSuffix(name, ".gz")))
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	words := editor(a.Streams.Getenv)
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], file)...)
	// An editor that is asked to end leaves the terminal in order.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = editorEnds
	cmd.Stdin = a.Streams.In
	cmd.Stdout, cmd.Stderr = a.Streams.Program()
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf(
			"edit %s with %s: %w; nothing was written: name another editor in KUBE_EDITOR or EDITOR", name,
			strings.Join(words, " "), err,
		)
	}
	return bounded.File(file, maxManifestText)
}

// editor is the command of the editor, found as kubectl finds it. What a shell would
// read in another way than as words is left to one.
func editor(getenv func(string) string) []string {
	byDefault := "vi"
	if runtime.GOOS == "windows" {
		byDefault = "notepad"
	}
	command := cmp.Or(strings.TrimSpace(getenv("KUBE_EDITOR")), strings.TrimSpace(getenv("EDITOR")), byDefault)
	if strings.ContainsAny(command, `"'\`) && runtime.GOOS != "windows" {
		return []string{"sh", "-c", command + ` "$@"`, "editor"}
	}
	return strings.Fields(command)
}

// terminal is where sessions are held.
func terminal(a *app.App, paint iostreams.Color) interactive.Terminal {
	out, _ := a.Streams.Program()
	return interactive.Terminal{In: a.Streams.In, Out: out, Color: a.Streams.ColorEnabled(paint)}
}
