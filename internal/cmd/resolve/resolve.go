package resolve

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Input is one manifest to resolve.
type Input struct {
	// Write is the apply of the manifest; Body is the document's text.
	Write    engine.Write
	Document manifest.Document
	// File has the document; nil for one that cannot be edited.
	File *File
	// Client is what applies it; nil for the bare request.
	Client *client.Client
	// MaybeKubectl: nothing says which client applies, and it may be kubectl.
	MaybeKubectl bool
	// Err says why the manifest cannot be answered.
	Err error
	// Decided are the actions about fields of this manifest, named as Step.Field
	// names them; the Choice is for the others. A manifest can stop managing a field
	// that does not conflict, too.
	Decided map[string]Action
}

// stopping is the input with fields that it stops managing where they do not conflict, too:
// of one manifest, a field path says which field is meant.
func (in Input) stopping(fields []string) Input {
	decided := maps.Clone(in.Decided)
	for _, field := range fields {
		if _, known := decided[field]; !known {
			if decided == nil {
				decided = map[string]Action{}
			}
			decided[field] = StopManaging
		}
	}
	in.Decided = decided
	return in
}

// Run resolves the conflicts of manifests as chosen, in the texts of their
// files. The files are changed in memory only: see File.Text. An error is one
// of the choice, and nothing is edited then.
func Run(ctx context.Context, server api.Server, run report.Run, inputs []Input, choice Choice) (Document, error) {
	sessions := make([]*session, len(inputs))
	if len(inputs) == 1 {
		inputs = []Input{inputs[0].stopping(choice.StopManaging)}
	}
	for i, in := range inputs {
		if err := ctx.Err(); err != nil {
			return Document{}, err
		}
		sessions[i] = newSession(ctx, server, in)
		sessions[i].secrets, sessions[i].masking = choice.Secrets, choice.Masking
	}
	notices, err := choice.plan(sessions)
	if err != nil {
		return Document{}, err
	}
	for _, s := range sessions {
		s.attempt(choice)
	}
	if err := ctx.Err(); err != nil {
		return Document{}, err
	}
	prove(sessions)
	d := Document{
		Head: run.Head(ResolutionKind), Objects: []Resolution{}, Ending: run.Ending,
		Files: changes(inputs, choice.Masking), Notices: notices,
	}
	for _, s := range sessions {
		d.Objects = append(d.Objects, s.resolution())
	}
	return d, nil
}

// attempt is run, without the edits that would be refused. Where linked code
// panics there is no answer, and no edit.
func (s *session) attempt(choice Choice) {
	err := guard.Do(func() error {
		s.run(choice)
		s.reject()
		return nil
	})
	if err == nil {
		return
	}
	if s.piece != nil {
		*s.piece.doc = s.opened
	}
	s.takeBack(err)
	s.latest = engine.Failure(s.Write, err)
}

// reject throws the edits away where the server refuses the edited manifest for
// another reason than a conflict, and would accept the former one by force. A
// manifest that is refused either way is none the worse for the edits.
func (s *session) reject() {
	forced := s.before.Forced
	if s.piece == nil || settled(s.latest) || forced == nil || forced.Outcome.Refused() {
		return
	}
	err := fmt.Errorf("the server refuses the manifest when it is edited so: %s", s.latest.Answer().Message)
	*s.piece.doc = s.opened
	s.takeBack(err)
}

// takeBack notes that the edits are gone, and why.
func (s *session) takeBack(why error) {
	s.latest, s.piece = s.before, nil
	for i := range s.steps {
		if step := &s.steps[i]; step.Outcome == Done {
			*step = Step{
				Field: step.Field, At: step.At, Owners: step.Owners, Source: step.Source,
				Action: step.Action, Outcome: Refused, Reason: why.Error(),
			}
		}
	}
}

// prove reads the edited files again and applies what they say. A file that
// does not say what was intended stays as it was.
func prove(sessions []*session) {
	seen := map[*File]bool{}
	for _, s := range sessions {
		file := s.file
		if s.piece == nil || seen[file] {
			continue
		}
		seen[file] = true
		after, err := file.reread()
		for _, s := range sessions {
			if err == nil && s.file == file && s.piece != nil {
				err = guard.Do(func() error { return s.prove(after[s.index]) })
			}
		}
		if err == nil {
			continue
		}
		file.pieces = nil
		for _, s := range sessions {
			if s.file == file && s.piece != nil {
				s.takeBack(err)
			}
		}
	}
}

// prove applies a document of the edited file: what was done has to be gone.
func (s *session) prove(d manifest.Document) error {
	if intended, err := kjson.Marshal(s.body.decoded); err != nil || !sameValue(d.JSON(), intended) {
		return fmt.Errorf("document %d of the edited text does not say what was intended", d.Source.Document)
	}
	s.latest = s.simulate(body{d.Raw, s.body.decoded})
	for i := range s.steps {
		if step := s.steps[i]; step.Outcome == Done && conflict.At(s.latest, step.Field) {
			return fmt.Errorf("%s still conflicts in the edited text", step.Field)
		}
	}
	return nil
}

func changes(inputs []Input, masking Masking) []FileChange {
	out := []FileChange{}
	seen, derived := map[*File]bool{}, derivedIn(inputs)
	for _, in := range inputs {
		if in.File == nil || seen[in.File] {
			continue
		}
		seen[in.File] = true
		if diff := Diff(in.File.Name, in.File.Former(), in.File.Text(), masking, derived); diff != "" {
			out = append(out, FileChange{in.File.Name, diff})
		}
	}
	slices.SortFunc(out, func(a, b FileChange) int { return strings.Compare(a.File, b.File) })
	return out
}

func (s *session) resolution() Resolution {
	r := Resolution{
		Target: s.before.Target, Source: s.before.Source, Manager: s.before.Manager,
		Before: s.before.Outcome, After: s.latest.Outcome, Steps: s.steps,
		Confidence: s.before.Confidence,
	}
	if r.After.Refused() {
		r.Code, r.Message, r.Notices = s.latest.Code, s.latest.Answer().Message, s.latest.Notices
	}
	s.kubectlRemoves(r.Steps)
	if !r.After.Refused() {
		r.Notices = s.kubectlNotices(r.Steps)
	}
	s.mask(r.Steps)
	if r.Steps == nil {
		r.Steps = []Step{}
	}
	slices.SortStableFunc(r.Steps, func(a, b Step) int { return strings.Compare(a.Field, b.Field) })
	return r
}

// kubectlRemoves adds to the fields that are left to others that kubectl removes them:
// it moves client-side entries to its own, and applies again. Other clients move entries
// before the request in which a manifest conflicts.
func (s *session) kubectlRemoves(steps []Step) {
	left := func(step Step) bool { return step.Action == StopManaging && step.Outcome == Done }
	run, is := s.kubectl()
	if !is {
		return
	}
	whole := run.Whole()
	for i := range steps {
		step := &steps[i]
		if !left(*step) || !takes(whole, step.Field) || takes(s.latest, step.Field) {
			continue
		}
		for _, manager := range run.Moved() {
			step.Consequences = append(step.Consequences, Consequence{Manager: manager, Kind: KubectlRemoves})
		}
	}
}

// kubectl is what kubectl sends for the manifest as it is edited; false for another client.
func (s *session) kubectl() (client.Run, bool) {
	switch {
	case s.client != nil && s.client.Name == "kubectl" && !s.client.ClientSide:
		return s.client.Send(s.Ctx, s.Server, s.writeOf(s.body)), true
	case s.client == nil && s.maybeKubectl && len(client.AnnotationUpdaters(s.before.Live)) > 0:
		return client.Kubectl(s.Ctx, s.Server, s.writeOf(s.body)), true
	}
	return client.Run{}, false
}

// kubectlNotices say what kubectl removes that the manifest lacks, beside what was resolved.
func (s *session) kubectlNotices(steps []Step) []string {
	run, is := s.kubectl()
	if !is || len(run.Steps) < 2 || len(run.Moved()) == 0 {
		return nil
	}
	var fields []string
	for _, loss := range run.Losses() {
		if !slices.ContainsFunc(steps, func(step Step) bool { return managedfields.Within(loss.Field, step.Field) }) {
			fields = append(fields, loss.Field)
		}
	}
	moves := fmt.Sprintf(" all fields of %s to %s", strings.Join(run.Moved(), ", "), s.before.Manager)
	if n := len(fields) - mostRemoved; n > 0 {
		fields = append(fields[:mostRemoved], fmt.Sprintf("%d more", n))
	}
	removes := ", and removes or resets what the manifest lacks: " + strings.Join(fields, ", ")
	switch {
	case s.client == nil && fields == nil:
		return []string{"kubectl applied the object before, and would move" + moves + ": " + risk.AskForKubectl}
	case s.client == nil:
		return []string{"if kubectl applies, it moves" + moves + removes + "; " + risk.AskForKubectl}
	case fields == nil:
		return nil
	}
	return []string{"kubectl moves" + moves + removes}
}

// mostRemoved is how many fields of these a notice names.
const mostRemoved = 10

// takes reports whether a result takes a value of a field, or of what has it.
func takes(r report.Result, field string) bool {
	return slices.ContainsFunc(r.Changes, func(c report.Change) bool {
		return c.Kind != report.Added && (managedfields.Within(c.Field, field) || managedfields.Within(field, c.Field))
	})
}

// mask hides the values that steps tell of a Secret.
func (s *session) mask(steps []Step) {
	if s.masking == ShowSecrets || !s.isSecret() {
		return
	}
	for i := range steps {
		if steps[i].Written != nil {
			steps[i].Written = mask
		}
		for n := range steps[i].Consequences {
			if c := &steps[i].Consequences[n]; c.Spelling != nil {
				c.Spelling = mask
			}
		}
	}
}
