package interactive

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/render/model"
)

// Decisions are what was decided, by the ID of the question. What is left for later
// is not among them.
type Decisions map[string]Choice

// ID is the key of a question among decisions. It gives away neither names nor
// values.
func ID(q Question) string {
	sum := sha256.Sum256([]byte(strings.Join(q.Identity, "\x00")))
	return hex.EncodeToString(sum[:])
}

// Review is the result of the decisions, shown before anything is written.
type Review struct {
	Blocks []model.Block
	// Writes is true where a file would change.
	Writes bool
}

// Walk is the state of a session: at a question, or at the review behind the last
// one. It is a value: a key gives another Walk.
type Walk struct {
	questions []Question
	decided   Decisions
	preview   func(Decisions) Review
	// at is the question; behind the last one is the review.
	at     int
	review Review
	size   Size
	// top is the first line of the body that is shown, said a remark on the last
	// key.
	top    int
	said   string
	ending *Ending
}

// NewWalk begins at the first question that is not decided. Preview simulates what
// decisions make of the manifests.
func NewWalk(questions []Question, decided Decisions, preview func(Decisions) Review) Walk {
	w := Walk{questions: questions, decided: Decisions{}, preview: preview, size: Size{Width: 80, Height: 24}}
	for _, q := range questions {
		choice, ok := decided[ID(q)]
		open := func(o Option) bool { return o.Choice == choice && !o.Off }
		if ok && slices.ContainsFunc(q.Options, open) {
			w.decided[ID(q)] = choice
		}
	}
	first := slices.IndexFunc(questions, func(q Question) bool { return w.decided[ID(q)] == "" })
	if first < 0 {
		first = len(questions)
	}
	return w.to(first)
}

// to goes to a question, or to the review.
func (w Walk) to(at int) Walk {
	w.at, w.top, w.said = max(0, min(at, len(w.questions))), 0, ""
	if w.reviewing() {
		w.review = w.preview(maps.Clone(w.decided))
	}
	return w
}

func (w Walk) reviewing() bool { return w.at == len(w.questions) }

// decide takes a choice for the question, and goes on.
func (w Walk) decide(choice Choice) Walk {
	id := ID(w.questions[w.at])
	w.decided = maps.Clone(w.decided)
	if delete(w.decided, id); choice != Later {
		w.decided[id] = choice
	}
	return w.to(w.at + 1)
}

// EndingKind is how a session ends.
type EndingKind int

// The endings. Quit and Interrupted write nothing, Edit opens the file of the
// question in an editor, Write does what was reviewed.
const (
	Quit EndingKind = iota
	Interrupted
	Edit
	Write
)

// Ending is how a session ended, and what was decided until then.
type Ending struct {
	Kind EndingKind
	// File is what is to be edited.
	File    string
	Decided Decisions
}

// Ending gives how the session ended; nil while it goes on.
func (w Walk) Ending() *Ending { return w.ending }

func (w Walk) ended() bool { return w.ending != nil }

func (w Walk) end(kind EndingKind) Walk {
	w.ending = &Ending{Kind: kind, Decided: w.decided}
	if kind == Edit {
		w.ending.File = w.questions[w.at].File
	}
	return w
}

// choiceKeys are the keys of the choices.
var choiceKeys = map[Choice]string{
	StopManaging: "s", UseLiveValue: "l", Force: "f", Keep: "k", Later: "a",
}

// Press gives the state after a key, named as "s", "enter" or "ctrl+c". Keys that
// mean nothing change nothing.
func (w Walk) Press(key string) Walk {
	w.said = ""
	switch {
	case key == "ctrl+c":
		return w.end(Interrupted)
	case key == "q":
		return w.end(Quit)
	case key == "b" || key == "left":
		return w.to(w.at - 1)
	case scrolls(key):
		w.top = w.screen().scrolled(key)
		return w
	case !w.reviewing():
		return w.pressAtQuestion(key)
	case key == "y" && w.review.Writes:
		return w.end(Write)
	}
	return w
}

func (w Walk) pressAtQuestion(key string) Walk {
	q := w.questions[w.at]
	switch key {
	case "e":
		return w.end(Edit)
	case "a":
		return w.decide(Later)
	case "w":
		return w.to(len(w.questions))
	case "n", "right":
		return w.to(w.at + 1)
	case "enter":
		for _, o := range q.Options {
			if o.Recommended {
				return w.choose(o)
			}
		}
		w.said = "Nothing is recommended here: choose one of the options."
		return w
	}
	for _, o := range q.Options {
		if choiceKeys[o.Choice] == key {
			return w.choose(o)
		}
	}
	return w
}

func (w Walk) choose(o Option) Walk {
	if o.Off {
		w.said = o.Name + ": " + strings.TrimPrefix(o.Text.String(), "not possible: ") + "."
		return w
	}
	return w.decide(o.Choice)
}

// scrolls reports whether a key moves the body.
func scrolls(key string) bool {
	switch key {
	case "up", "down", "pgup", "pgdown", "space", "home", "end":
		return true
	}
	return false
}

// scrolled is the first line of the body after a key.
func (s screen) scrolled(key string) int {
	to := map[string]int{
		"up": s.top - 1, "down": s.top + 1, "home": 0, "end": s.last(),
		"pgup": s.top - s.room(), "pgdown": s.top + s.room(), "space": s.top + s.room(),
	}[key]
	return max(0, min(to, s.last()))
}
