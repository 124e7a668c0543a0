package view

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

var inCapitals = regexp.MustCompile(`[A-Z]{2,}`)

// fill is a sentence in which its words in capitals are replaced by what they stand for.
// A word that stands for nothing, such as API, is to be given back.
func fill(sentence string, meaning func(word string) string) string {
	return inCapitals.ReplaceAllStringFunc(sentence, meaning)
}

// ofFact is what a word in capitals stands for of a fact; others stand for themselves.
func ofFact(f report.Fact, word string) string {
	switch word {
	case "MANAGER":
		return f.Manager
	case "WRITER":
		return writersText(f.By)
	case "OTHERS":
		return strings.Join(f.Others, " and ")
	case "LIST":
		return strings.Join(f.Fields, ", ")
	case "VERSION":
		return f.Version
	case "AT":
		return f.At
	case "BEFORE":
		return jsonText(f.Before, "none")
	case "AFTER":
		return jsonText(f.After, "none")
	case "COUNT":
		return strconv.Itoa(f.Count)
	case "ALL":
		return strconv.Itoa(f.All)
	case "KEYS":
		return words.Count(f.Count, "key")
	case "DATE":
		return f.By[0].Time.Format(time.DateOnly)
	case "TEXT":
		return f.Text
	case "NAME":
		return f.Is
	case "NAMESPACE":
		return f.In
	case "SAID":
		return tail(": ", f.Text)
	case "ANSWER":
		return strconv.Itoa(f.Count) + tail(" ", f.Is) + tail(": ", f.Text)
	case "OFSUBRESOURCE":
		return tail(" of ", f.By[0].Subresource)
	}
	return word
}

// tail is a text behind a mark; nothing without a text.
func tail(mark, text string) string {
	if text == "" {
		return ""
	}
	return mark + text
}

// writersText names managed fields entries without their API versions.
func writersText(list []report.Writer) string {
	list = slices.Clone(list)
	for i, w := range list {
		list[i].Manager = cmp.Or(w.Manager, "a manager without name")
	}
	return words.Writers(list)
}
