package interactive

import "strings"

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
	case w.reviewing():
		return w.pressInReview(key)
	}
	return w.pressAtQuestion(key)
}

func (w Walk) pressInReview(key string) Walk {
	if key == "y" && w.review.Writes {
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
		return w.recommended(q)
	}
	for _, o := range q.Options {
		if choiceKeys[o.Choice] == key {
			return w.choose(o)
		}
	}
	return w
}

// recommended takes what is recommended.
func (w Walk) recommended(q Question) Walk {
	for _, o := range q.Options {
		if o.Recommended {
			return w.choose(o)
		}
	}
	w.said = "Nothing is recommended here: choose one of the options."
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
