package text

// Role is what a piece of text is; formats give it its look.
type Role uint8

// The roles. Good, Bad and Changed are verdicts: accepted, refused, and accepted
// with an effect.
const (
	Plain Role = iota
	Strong
	Faint
	Field
	Manager
	Value
	Good
	Bad
	Changed
	Code
)

// Span is a piece of text of one role. A newline in it is no line break: it
// comes from an input, and formats escape it.
type Span struct {
	Role Role
	Text string
}

// Of is a span of this role.
func (r Role) Of(text string) Span { return Span{r, text} }
