package snapshot

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/shell"
)

// WithCommands is a plan with the command of each fetch.
func WithCommands(d Document, client kubectl.Client) Document {
	d.Fetches = slices.Clone(d.Fetches)
	for i, f := range d.Fetches {
		d.Fetches[i].Command = f.Get().Command(client).String()
	}
	return d
}

// layOut shows what is fetched, or what was. The sender is the client that is asked about.
func layOut(d Document, o page.Options, sender ...shell.Flag) model.Document {
	out := page.Document(o, "Snapshot", d.Head, d.Ending, reasonsOf(d), reason)
	out.Lead = append([]model.Text{snapshotLead(d)}, page.InterruptedLine(d.Interrupted)...)
	if n := d.Summary.Missing; n > 0 {
		out.State, out.Exit = max(out.State, model.Failed), "exit 2: "+words.Count(n, "command")+" did not get everything"
		// Sections with something that was not got come first.
		slices.SortStableFunc(out.Sections, func(a, b model.Section) int {
			switch missed := a.Weight == model.Decision; {
			case missed == (b.Weight == model.Decision):
				return 0
			case missed:
				return -1
			}
			return 1
		})
	}
	if d.File == "" {
		out.Blocks = append(out.Blocks, page.Part(
			"To let kubectl run them, and write what they fetch",
			model.Command{
				Line: shell.Command("ssactl", "snapshot").
					With(o.Inputs...).
					With(o.Repeated...).
					With(shell.File("--to", "live.json.gz")).
					String(),
			},
		))
		return out
	}
	if d.Summary.Secrets > 0 {
		out.Blocks = append(out.Blocks, model.Paragraph{Apart: true, Text: model.Textf(
			"The values of %v are digests in it. To compare them, an answer needs the key that they were made with: it is yours, and not in the file.",
			words.Count(d.Summary.Secrets, "Secret"),
		)})
	}
	out.Blocks = append(out.Blocks, page.Part(
		"To ask about them",
		model.Command{
			Line: shell.Command("ssactl", "apply").With(o.Inputs...).With(shell.File("--live", d.File)).With(sender...).String(),
		},
	))
	return out
}

func snapshotLead(d Document) model.Text {
	manifests := words.Count(d.Summary.Manifests, "manifest")
	if d.File == "" {
		return model.Textf("%v: nothing was run", model.Strong.Of(words.Count(len(d.Fetches), "command")+" for "+manifests))
	}
	text := model.Textf("%v in %v", model.Good.Of(words.Count(d.Summary.Objects, "object")), d.File)
	if d.Context != "" {
		text = append(text, model.Textf(", from context %v", d.Context)...)
	}
	if n := d.Summary.Missing; n > 0 {
		text = append(text, model.Textf("; %v", model.Bad.Of(words.Count(n, "command")+" did not get everything"))...)
	}
	return text
}

// fetches are those of one reason.
type fetches struct {
	reason Reason
	list   []Fetch
}

func reasonsOf(d Document) []fetches {
	var out []fetches
	for _, f := range d.Fetches {
		if i := slices.IndexFunc(out, func(g fetches) bool { return g.reason == f.Reason }); i >= 0 {
			out[i].list = append(out[i].list, f)
			continue
		}
		out = append(out, fetches{f.Reason, []Fetch{f}})
	}
	return out
}

// reasonTexts say what fetches are for.
var reasonTexts = map[Reason]string{
	Definitions: "Definitions of custom kinds",
	Manifests:   "Live objects of the manifests",
	Admission:   "What admission looks up",
	Writers:     "Who else writes to them",
	Settings:    "Settings of the client",
	Parameters:  "Parameters of admission policies",
}

// reason is the section of the fetches of one reason. What came without trouble needs no
// command.
func reason(o page.Options, g fetches) model.Section {
	s := model.Section{Title: model.Say(reasonTexts[g.reason]), Weight: model.Change}
	objects, made := 0, false
	for _, f := range g.list {
		objects, made = objects+f.Objects, made || f.Outcome != ""
		if f.Outcome == "" || f.Outcome.Missing() || o.Verbose {
			s.Blocks = append(s.Blocks, model.Command{Line: f.Command})
			switch f.Outcome {
			case "":
			case Fetched:
				s.Blocks = append(s.Blocks, page.Paragraph("%v", words.Count(f.Objects, "object")))
			case NotServed:
				s.Blocks = append(s.Blocks, page.Paragraph("none: the cluster has no kind %v", f.Wanted[0].Kind))
			default:
				message := f.Message
				if first, rest, more := strings.Cut(message, "\n"); more && !o.Verbose {
					message = fmt.Sprintf("%s (and %d more)", first, strings.Count(rest, "\n")+1)
				}
				s.Blocks = append(s.Blocks, model.Quote{Text: message})
			}
		}
		if f.Outcome.Missing() {
			s.Weight = model.Decision
		}
	}
	if made {
		s.Title = model.Textf("%v: %v", reasonTexts[g.reason], words.Count(objects, "object"))
	}
	return s
}

// formatsOf is the answer of snapshot, whose commands are for a kubectl.
func formatsOf(d Document, client kubectl.Client, sender ...shell.Flag) show.Answer {
	d = WithCommands(d, client)
	return show.Answer{
		Report: d,
		View:   func(o page.Options) model.Document { return layOut(d, o, sender...) },
		Own: map[string]func(io.Writer, show.Options) error{
			// A script for a POSIX shell: a command that fails costs no other.
			"kubectl": func(w io.Writer, _ show.Options) error {
				var b strings.Builder
				for _, f := range d.Fetches {
					b.WriteString(f.Command + "\n")
				}
				_, err := io.WriteString(w, b.String()+show.ScriptEnd(d.Interrupted))
				return err
			},
		},
	}
}
