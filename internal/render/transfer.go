package render

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/plan/transfer"
	"github.com/ssactl/ssactl/internal/report"
)

// TransferJSON writes the plans as one JSON document.
func TransferJSON(w io.Writer, d transfer.Document, _ Options) error {
	s, err := encodeJSON(d, "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s+"\n")
	return err
}

// TransferYAML writes the same document as YAML.
func TransferYAML(w io.Writer, d transfer.Document, _ Options) error {
	text, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("encode as JSON: %w", err)
	}
	var v any
	if err := kjson.Unmarshal(text, &v); err != nil {
		return fmt.Errorf("encode as YAML: %w", err)
	}
	s, err := encodeYAML(v)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s)
	return err
}

// TransferText writes the plans for people.
func TransferText(w io.Writer, d transfer.Document, o Options) error {
	p := newPrinter(o)
	for i, plan := range d.Plans {
		if i > 0 && !o.Quiet {
			p.line("")
		}
		p.plan(plan)
	}
	p.problems(d.Problems)
	if len(d.Plans) > 1 || d.Summary.Without > 0 || d.Interrupted != nil {
		if len(d.Plans) > 0 {
			p.line("")
		}
		p.styled(p.transferSummary(d.Summary))
		p.interrupted(d.Interrupted)
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// TransferProblems tells what the commands leave out: inputs that gave no
// object, and plans that have no safe way.
func TransferProblems(w io.Writer, d transfer.Document, o Options) error {
	p := newPrinter(o)
	p.problems(d.Problems)
	for _, plan := range d.Plans {
		if plan.Chosen != "" {
			continue
		}
		text := plan.Message
		if text == "" {
			text = plan.Reason
		}
		p.line(p.red("error:") + " " + objectName(plan.Target) + where(plan.Target) + ": " + visible(text))
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

func (p *printer) transferSummary(s transfer.Summary) string {
	parts := []string{}
	add := func(n int, word string, paint style) {
		if n > 0 {
			parts = append(parts, paint(fmt.Sprintf("%d %s", n, word)))
		}
	}
	plain := func(s string) string { return s }
	add(s.Safe, "with a safe way", p.green)
	add(s.Unsafe, "without", p.red)
	add(s.Failed, "failed", p.red)
	add(s.Without, "not looked at, as they do not have the fields", plain)
	return totals(p.bold(count(s.Total, "plan")), parts)
}

// plan tells one object.
func (p *printer) plan(plan transfer.Plan) {
	whom := "to " + visible(plan.To)
	if plan.From != "" {
		whom = "from " + visible(plan.From) + " " + whom
	}
	p.line(p.bold(objectName(plan.Target)) + where(plan.Target) + ": " + whom + ", " + p.planGist(plan))
	if plan.Message != "" {
		p.paragraph("  ", plan.Message)
	}
	if p.o.Quiet {
		return
	}
	for _, s := range plan.Fields {
		p.paragraph("  ", "now  "+p.stateText(s))
	}
	if len(plan.Ways) > 0 {
		p.planWay(plan, plan.Ways[0])
		p.racesOf(plan)
		p.otherWays(plan)
	}
	p.listed("Remarks", plan.Findings)
	if plan.Chosen != "" && plan.Chosen != transfer.Done && !p.o.Files {
		p.line("")
		p.paragraph("", "--output-dir DIR writes the files of the steps, -o kubectl a script with all of them.")
	}
}

func (p *printer) planGist(plan transfer.Plan) string {
	switch {
	case plan.Outcome == report.Failed && plan.Chosen == "":
		return p.red("no answer")
	case plan.Chosen == "":
		return p.red("no safe way")
	}
	if plan.Chosen == transfer.Done {
		return p.green("nothing to do")
	}
	return p.green("safe in " + count(len(plan.Ways[0].Steps), "step"))
}

// stateText is a field with its value and owners.
func (p *printer) stateText(s transfer.State) string {
	return s.Field + " " + p.stateValue(s) + ", " + stateOwners(s)
}

func (p *printer) stateValue(s transfer.State) string {
	if s.Value.Missing {
		return "is gone"
	}
	return "is " + cut(scalar(s.Value.Value), p.width/2)
}

func stateOwners(s transfer.State) string {
	if len(s.Owners) == 0 {
		return "owned by nobody"
	}
	var names []string
	for _, w := range s.Owners {
		operation := w.Operation
		if w.Subresource != "" {
			operation += " of " + w.Subresource
		}
		names = append(names, fmt.Sprintf("%s (%s)", w.Manager, operation))
	}
	return "owned by " + strings.Join(names, " and ")
}
