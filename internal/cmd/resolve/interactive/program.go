package interactive

import (
	"context"
	"errors"
	"io"

	tea "charm.land/bubbletea/v2"

	"github.com/ssactl/ssactl/internal/render/model"
)

// Terminal is where a session runs.
type Terminal struct {
	In    io.Reader
	Out   io.Writer
	Color bool
}

// state is what a terminal shows, until it ends: a Walk, or a Confirm.
type state[S any] interface {
	Press(key string) S
	Resize(Size) S
	View() string
	ended() bool
}

// Run shows a state on a terminal, and gives the one in which it ended. The
// terminal is left as it was found, also where the context ends first: then the
// error is the context's.
func Run[S state[S]](ctx context.Context, t Terminal, s S) (S, error) {
	open, hangUp := context.WithCancel(ctx)
	defer hangUp()
	p := tea.NewProgram(
		program[S]{s, t.Color},
		tea.WithContext(open),
		tea.WithInput(watch(t.In, hangUp)),
		tea.WithOutput(t.Out),
		tea.WithoutSignalHandler(),
	)
	last, err := p.Run()
	switch ended, ok := last.(program[S]); {
	case ctx.Err() != nil:
		return s, ctx.Err()
	case ok && ended.state.ended():
		return ended.state, nil
	case err != nil && open.Err() == nil:
		return s, err
	}
	return s, errors.New("the terminal was closed")
}

// terminalFile is what the library takes for a terminal.
type terminalFile interface {
	io.ReadWriteCloser
	Fd() uintptr
	Name() string
}

// watched is a terminal that tells when it has gone, which the library does not: it
// would wait for a key for ever.
type watched struct {
	terminalFile
	gone func()
}

// watch watches a terminal; nothing else can be waited for and left.
func watch(in io.Reader, gone func()) io.Reader {
	if file, ok := in.(terminalFile); ok {
		return watched{file, gone}
	}
	return in
}

// Read implements io.Reader.
func (w watched) Read(b []byte) (int, error) {
	n, err := w.terminalFile.Read(b)
	if err != nil {
		w.gone()
	}
	return n, err
}

// program is a state as the library wants it.
type program[S state[S]] struct {
	state S
	color bool
}

// Init implements tea.Model.
func (program[S]) Init() tea.Cmd { return nil }

// Update implements tea.Model.
func (p program[S]) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.state = p.state.Resize(Size{msg.Width, msg.Height, p.color})
	case tea.KeyPressMsg:
		p.state = p.state.Press(msg.String())
	}
	if p.state.ended() {
		return p, tea.Quit
	}
	return p, nil
}

// View implements tea.Model. The alternate screen leaves the former one as it was.
func (p program[S]) View() tea.View {
	v := tea.NewView(p.state.View())
	v.AltScreen = true
	return v
}

// Answer is the answer to a Confirm.
type Answer int

// The answers. Yes writes, No leaves the file as it is, Again edits once more.
const (
	Unanswered Answer = iota
	Yes
	No
	Again
	Abort
)

// Confirm shows how a file changes, and asks whether to write it. It is a value, as
// Walk is.
type Confirm struct {
	Title  model.Text
	Blocks []model.Block
	// Wrong is true for a text that is not to be written.
	Wrong  bool
	Answer Answer
	size   Size
	top    int
}

// Press gives the state after a key.
func (c Confirm) Press(key string) Confirm {
	switch {
	case key == "ctrl+c":
		c.Answer = Abort
	case key == "y" && !c.Wrong:
		c.Answer = Yes
	case key == "n" || key == "q":
		c.Answer = No
	case key == "e":
		c.Answer = Again
	case scrolls(key):
		c.top = c.screen().scrolled(key)
	}
	return c
}

// Resize gives the state on a terminal of another size.
func (c Confirm) Resize(size Size) Confirm {
	c.size = size
	c.top = min(c.top, c.screen().last())
	return c
}

// View is what the terminal shows.
func (c Confirm) View() string { return c.screen().String() }

func (c Confirm) ended() bool { return c.Answer != Unanswered }

func (c Confirm) screen() screen {
	hints := []hint{{"y", "write"}, {"e", "edit again"}, {"n", "leave the file as it was"}}
	if c.Wrong {
		hints = hints[1:]
	}
	return newScreen(c.size, c.top, []model.Block{model.Paragraph{Text: c.Title}}, c.Blocks, foot("", hints))
}
