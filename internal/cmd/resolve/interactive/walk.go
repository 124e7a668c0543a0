package interactive

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
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
		if choice, ok := decided[ID(q)]; ok && w.open(q, choice) {
			w.decided[ID(q)] = choice
		}
	}
	return w.to(w.undecided(0))
}

// open reports whether a question has such an option, and it can be chosen.
func (w Walk) open(q Question, choice Choice) bool {
	for _, o := range q.Options {
		if o.Choice == choice {
			return !o.Off
		}
	}
	return false
}

// undecided is the first question without a decision, from one on; behind the last
// one where all are decided.
func (w Walk) undecided(from int) int {
	for i := from; i < len(w.questions); i++ {
		if w.decided[ID(w.questions[i])] == "" {
			return i
		}
	}
	return len(w.questions)
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
