package redact

import (
	"github.com/ssactl/ssactl/internal/plan/clear"
	"github.com/ssactl/ssactl/internal/report"
)

// withheld stands for a message of the server about a manifest whose values are
// not known here, and so cannot be searched for in it.
const withheld = "the server's message is not shown, as it may quote values of the Secret"

// Clearings gives plans to clear entries in which the values of Secrets are
// masked in all texts. Result is left as it is: it is shown by Report. The
// given ones are not changed.
func Clearings(list []clear.Clearing) []clear.Clearing {
	m := newMasks()
	out := make([]clear.Clearing, len(list))
	for i, c := range list {
		if c.Target.APIVersion == "v1" && c.Target.Kind == "Secret" {
			c = m.clearing(c)
		}
		out[i] = c
	}
	return out
}

// clearing masks the live object first, as it tells what to look for.
func (m *masks) clearing(c clear.Clearing) clear.Clearing {
	if c.Result != nil {
		m.object(c.Result.Live)
	}
	c.Message, c.Findings = m.text(c.Message), m.texts(c.Findings)
	c.Ownerless = pathsOf(c.Ownerless, func(f *string) *string { return f })
	c.Remaining = m.owners(c.Remaining)
	c.Next = append([]clear.Next(nil), c.Next...)
	for i := range c.Next {
		c.Next[i].Message, c.Next[i].Unknown = m.text(c.Next[i].Message), m.text(c.Next[i].Unknown)
	}
	if c.With != nil {
		with := *c.With
		with.Before, with.After = withoutMessage(with.Before), withoutMessage(with.After)
		c.With = &with
	}
	return c
}

// withoutMessage keeps the message of a conflict, which quotes no values.
func withoutMessage(a clear.Answer) clear.Answer {
	if a.Message != "" && a.Outcome != report.Conflicted {
		a.Message = withheld
	}
	return a
}
