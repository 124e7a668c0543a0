package interactive

import (
	"context"
	"errors"
	"io"

	tea "charm.land/bubbletea/v2"
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
	p := tea.NewProgram(program[S]{s, t.Color}, tea.WithContext(ctx), tea.WithInput(t.In), tea.WithOutput(t.Out), tea.WithoutSignalHandler())
	last, err := p.Run()
	if ctx.Err() != nil {
		return s, ctx.Err()
	}
	if err != nil {
		return s, err
	}
	ended, ok := last.(program[S])
	if !ok || !ended.state.ended() {
		return s, errors.New("the terminal was closed")
	}
	return ended.state, nil
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
