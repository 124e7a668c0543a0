package interactive

import "github.com/ssactl/ssactl/internal/render/model"

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
