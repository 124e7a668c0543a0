package engine

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/engine/causes"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// mostUnreadable is how many wrong values of a live object are named.
const mostUnreadable = 3

// located is an error with the values of the live object that it is about, where no API
// server can have stored that: the file says something else than the cluster.
func (s *simulation) located(err error) error {
	var live *api.LiveError
	if !errors.As(err, &live) {
		return err
	}
	found := causes.Of(&report.Status{Message: live.Err.Error()}, causes.Question{
		Verb: api.Create, Kind: s.write.Kind, Body: s.write.LiveObject, Shape: managedfields.ShapeOf(s.kind.ParseableType), Locator: s.write.LiveLocator,
	})
	var wrong []string
	for _, c := range found[:min(len(found), mostUnreadable)] {
		wrong = append(wrong, fault(c))
	}
	if more := len(found) - len(wrong); more > 0 {
		wrong = append(wrong, fmt.Sprintf("and %d more", more))
	}
	if wrong == nil {
		wrong = []string{live.Err.Error()}
	}
	at := ""
	if s.write.LiveSource != nil {
		at = " at " + place(*s.write.LiveSource)
	}
	return fmt.Errorf("the live object%s is not as an API server stores it: %s", at, strings.Join(wrong, "; "))
}

// fault says what is wrong with a value, and where it stands.
func fault(c report.Cause) string {
	text := c.Field + ": " + c.Message
	if got, want, ok := strings.Cut(strings.TrimPrefix(c.Message, "cannot unmarshal "), " into type "); ok {
		text = fmt.Sprintf("%s is a %s, expected %s", c.Field, got, want)
	}
	if c.Mistake == report.UnquotedBoolean || c.Mistake == report.UnquotedNumber {
		text += ": put it in quotes"
	}
	if c.Source != nil {
		text = place(*c.Source) + ": " + text
	}
	return text
}

func place(s report.Source) string {
	if s.File == "-" {
		s.File = "standard input"
	}
	if s.Line == 0 {
		return s.File
	}
	return fmt.Sprintf("%s:%d", s.File, s.Line)
}
