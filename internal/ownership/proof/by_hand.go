package proof

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/files/edit"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// byHand are fixes of a finding with those marked that edit the manifest, where no command makes the edit: the
// manifest is in no file, or its text cannot be edited there.
func (p *Prover) byHand(f report.Finding) []report.Fix {
	out := slices.Clone(f.Fixes)
	for i, fix := range out {
		how := p.how(f, fix)
		if how.IsZero() {
			continue
		}
		separator := ". "
		if strings.HasSuffix(fix.Does.String(), ".") {
			separator = " "
		}
		out[i].ByHand, out[i].Does = how, fix.Does.And(separator, how)
	}
	return out
}

// how is how to make the edit of a fix by hand; zero where a command makes it.
func (p *Prover) how(f report.Finding, fix report.Fix) text.Text {
	var fields []string
	switch fix.Edit {
	case report.EditStop, report.EditShare:
		fields = []string{cmp.Or(f.AskedAs, f.Field)}
	case report.EditLeave:
		fields = p.takenFrom(fix.Manager)
	default:
		return text.Text{}
	}
	switch {
	case p.Write.Kustomization != "":
		return text.New("Edit what the kustomization builds the manifest of.")
	case p.Write.Source.File == "-":
		return text.New("Edit what makes the manifest, which comes from standard input.")
	}
	paths := conflict.Paths(p.Shape, p.body)
	for _, field := range fields {
		if path := paths[field]; path != nil {
			if err := p.edited(path, fix.Edit); err != nil {
				return text.New("Edit the file by hand: %v.", text.Said(reason(err)))
			}
		}
	}
	return text.Text{}
}

// reason is why an edit is refused, without the field and the line, which the finding has.
func reason(err error) string {
	if refused := (*edit.RefusedError)(nil); errors.As(err, &refused) {
		return fmt.Sprint(refused.Reason)
	}
	return err.Error()
}

// edited makes an edit in the text of the manifest. The error says why it cannot be made.
func (p *Prover) edited(path fieldpath.Path, as report.Edit) error {
	written, place := p.Write.Body, fieldpath.Path{}
	if p.List != nil {
		written, place = p.List, fieldpath.MakePathOrDie("items", p.Item-1)
	}
	doc, err := edit.Document(written)
	if err != nil {
		return err
	}
	doc.Within(place, p.Shape)
	live := p.Shape.Lookup(p.answer.Live, path)
	path = append(place, path...)
	if as == report.EditShare && len(live) == 1 {
		return doc.Set(path, live[0])
	}
	return doc.Remove(path)
}
