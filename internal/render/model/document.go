// Package model is what a command's answer looks like, before it is known on
// what: a Document of Sections, each of Blocks, whose texts are Spans with
// roles. The rooms of questions make it of their documents; formats show
// it and know no command (internal/render/text, markdown, html, ci).
//
// The model is inert: it has no colors, widths, escapes or markup. Texts are as
// the inputs have them, and each format makes them safe for its place. Weight
// says what matters, so that formats may order and fold; how, is theirs.
package model

import "strings"

// Document is the answer of a command. Where it is large it comes in parts: the
// Head, one Section after the other, the Tail.
type Document struct {
	Head
	Sections []Section
	Tail
}

// Head is what is known before the first section.
type Head struct {
	// Title names the answer, such as "Clear managed fields".
	Title string
	// Server is the version of the API server that was simulated, or where Sent is true, of the one
	// that answered.
	Server string
	Sent   bool
	// Live says of when the live objects are; empty where that is not known.
	Live string
	// Made is when, as text; empty leaves it out.
	Made string
	// Total is how many sections are to come; fewer do where a run is
	// interrupted.
	Total int
	// Problems are inputs that gave no object.
	Problems []Problem
	// Lead is the answer of the whole, at most three lines, where it is known
	// already; else it is the Tail's.
	Lead []Text
	// Managers are field managers that a format may tell apart by their looks.
	Managers []string
	// Settings rule the answers and may be a part of what is answered for: formats begin
	// with them. Where the Tail may have more, Ruled is true.
	Settings []Setting
	Ruled    bool
	// Rules are those of the findings, the heaviest first, each once.
	Rules []Rule
	// Brief leaves the blocks of several sections to those who ask for them: the
	// titles, what stands under them, and the tail say what matters.
	Brief bool
	// Unfolds: who asks for more gets longer lists in the tail first, and the blocks of the
	// sections when asking twice.
	Unfolds bool
}

// Tail is what is known after the last section.
type Tail struct {
	// Headline is the answer of the whole, at most three lines; empty where it
	// leads, and where the only section's title is the answer.
	Headline []Text
	// Settings are those that are known after the last section.
	Settings []Setting
	// State is the worst of the whole, inputs that gave no object included.
	State State
	// Severity is that of the worst there is to look at, as a Section's.
	Severity string
	// Severities counts what there is to look at by its severity, as the headline does.
	Severities map[string]int
	// Exit says why the exit code is 1 though nothing is refused; empty elsewhere.
	Exit string
	// Code is the exit code, where it is more than what State and Exit come to. Where Decided is true
	// it is the exit code, whatever these come to.
	Code    int
	Decided bool
	// Unanswered counts the objects without an answer, for systems of CI; the headline
	// says it too.
	Unanswered string
	// Interrupted says how far a run came that did not come to its end, for
	// systems of CI; the headline says it too.
	Interrupted string
	// Compared says how a change differs from what was before it, for systems of CI; the
	// headline says it too. Empty where nothing is compared.
	Compared string
	// Findings are those of the whole, for systems of CI that show few.
	Findings []Finding
	// Assumed says what the run assumes, for systems of CI; Blocks say it too.
	Assumed string
	// NotSimulated says what a real server may do in addition, a sentence each, and Lost which
	// fields managers lose by force; nil where that is not known, and empty for nothing.
	NotSimulated []string
	Lost         []string
	// First are the groups in which sections ask for a decision: they come with
	// the headline.
	First []Block
	// Blocks concern no single section.
	Blocks []Block
	// Listed were asked for by themselves: they are there also where only titles
	// are.
	Listed []Block
}

// Setting is a sentence on something that rules the answers, and its place; File is empty
// where it has none.
type Setting struct {
	Text string
	File string
	Line int
}

// Ruling are lines with settings behind the first of them, or as the first where there is
// none.
func Ruling(lines []Text, settings []Setting) []Text {
	if len(settings) == 0 {
		return lines
	}
	var said Text
	for i, s := range settings {
		if i > 0 {
			said = append(said, Plain.Of(" "))
		}
		said = append(said, Changed.Of(s.Text))
	}
	if len(lines) == 0 {
		return []Text{said}
	}
	between := " "
	if !strings.HasSuffix(strings.TrimSpace(lines[0].String()), ".") {
		between = ". "
	}
	first := append(append(append(Text{}, lines[0]...), Plain.Of(between)), said...)
	return append([]Text{first}, lines[1:]...)
}

// State is what came of an object, or of a whole.
type State uint8

// The states, from the best to the worst. Refused is an answer, Failed means
// that there is none.
const (
	Accepted State = iota
	Refused
	Failed
)

// Weight is how much of a section a reader has to see.
type Weight uint8

// The weights. What is Dull has nothing to say, and is left out where there are
// others, unless everything is asked for.
const (
	Detail Weight = iota
	Change
	Decision
	Dull
)

// Section is a title with what stands behind it. Those of a document are about
// one object each, or about one rule; sections in them are parts of it.
type Section struct {
	// Title is one line. Of a document's sections it gives the verdict too.
	Title  Text
	Weight Weight
	// Severity is that of the worst there is to look at: error, warning or note; empty
	// for nothing.
	Severity string
	// Before makes the rest doubtful, and so comes before it: that what was
	// given may not be what the cluster has.
	Before []Block
	// Subject is the object that the section is about; nil for none.
	Subject *Subject
	// Under stands under the title, also where blocks are left out.
	Under  []Block
	Blocks []Block
	// Confidential sections are not for the disk of the machine.
	Confidential bool
	// Notes say beside a format for programs, on standard error, what of the
	// blocks its reader has to know.
	Notes []Text
	// Findings say for systems of CI, each with its place, what the blocks say
	// for people.
	Findings []Finding
}

// Subject is an object as systems of CI know it.
type Subject struct {
	// Name is that of the object, Class is what groups it with others, Kind is
	// its kind.
	Name, Class, Kind string
	// File and Line are where it is asked for; Line is 0 where it is not known.
	File string
	Line int
	// State is what came of it, Reason one word for it, Gist a line.
	State  State
	Reason string
	Gist   string
}

// Problem is an input that gave no object.
type Problem struct {
	// At is the place; empty where the message names it.
	At      string
	File    string
	Line    int
	Message string
}

// Level is how much a finding weighs.
type Level uint8

// The levels, the heaviest first.
const (
	Error Level = iota
	Warning
	Note
)

// Rule is a kind of finding.
type Rule struct {
	// ID is unique, as in ssactl/conflict; Name is the same in camel case.
	ID, Name string
	// Level is that of most findings.
	Level Level
	// Short and Help explain it.
	Short, Help string
}

// Finding is what systems of CI show at a line of a file.
type Finding struct {
	// Rule is the ID of one of the document's rules.
	Rule           string
	Level          Level
	Title, Message string
	// Fix is the command that fixes it best, or what does where no command can. Detail is what formats with room
	// for it say instead.
	Fix, Detail string
	File        string
	Line        int
	// Class groups it with others, as Subject's does. Object is the qualified
	// name, Name the plain one, Field the path in the object; they may be empty.
	Class, Object, Name, Field string
	// Objects is how many objects have it, where it stands for all of them; 0 for one.
	Objects int
	// Identity distinguishes the finding from others of its rule, independent of
	// lines and values.
	Identity []string
	// Fails is true where it makes the run fail.
	Fails bool
	// Enforced is true where somebody asked that it does.
	Enforced bool
}
