package resolve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/cmd/resolve/interactive"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/files/edit"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// session is the resolution of one manifest.
type session struct {
	*ownership.Object
	client *client.Client
	// maybeKubectl: nothing says which client applies, and it may be kubectl.
	maybeKubectl bool
	document     manifest.Document
	file         *File
	decided      map[string]Action
	secrets      interactive.Secrets
	masking      Masking

	// before is the answer to the manifest as it was, latest to what it says
	// now, which is body.
	before, latest report.Result
	body           body
	claims         []claim
	steps          []Step

	// piece is nil until something is edited, prefix the object's path in it.
	// opened is what the piece was before, index the document's in its file.
	piece  *piece
	prefix fieldpath.Path
	opened edit.Doc
	index  int
}

// claim is one conflicting field with all that own it.
type claim struct {
	conflict.Claim
	action Action
	// accepted: the field does not conflict, and yet has a decision.
	accepted bool
	// bulk: nobody named the field, which is one of all that are edited alike.
	bulk bool
}

func newSession(ctx context.Context, server api.Server, in Input) *session {
	// A live object that cannot be parsed is a matter of the answer.
	object, _ := ownership.Of(ctx, server, in.Write)
	object.Write, object.Send = in.Write, in.Client.Unforced
	blank := session{
		Object:       object,
		client:       in.Client,
		maybeKubectl: in.MaybeKubectl,
		document:     in.Document,
		file:         in.File,
		decided:      in.Decided,
	}
	return guard.Or(func() *session {
		s := blank
		s.begin(in)
		return &s
	}, func(err error) *session {
		s := blank
		s.before = engine.Failure(in.Write, err)
		s.latest = s.before
		return &s
	})
}

// begin applies the manifest as it is.
func (s *session) begin(in Input) {
	s.body = body{in.Write.Body, in.Write.Decoded}
	if in.Err != nil {
		s.before = engine.Failure(in.Write, in.Err)
	} else {
		s.before = s.send(in.Write)
	}
	s.latest = s.before
	s.claims = append(s.claimsOf(s.before.Conflicts), s.accepted()...)
}

// claimsOf groups conflicts by field, and finds them in the manifest as it is now.
func (s *session) claimsOf(conflicts []report.Conflict) []claim {
	w := s.Write
	w.Force = false
	var out []claim
	for _, one := range conflict.Claims(s.Apply(w, s.body.decoded), conflicts) {
		if one.Path != nil && one.Path.String() != one.Field() {
			// The manifest has the field by another name.
			if source := s.Write.Line(s.Shape, one.Path); source != nil {
				one.Conflicts[0].Source = source
			}
		}
		out = append(out, claim{Claim: one})
	}
	return out
}

// accepted are the fields without a conflict that the manifest is to stop managing,
// sorted. Where the server refuses the apply for another reason, there are none.
func (s *session) accepted() []claim {
	if len(s.decided) == 0 || s.before.Outcome.Refused() && s.before.Outcome != report.Conflicted {
		return nil
	}
	var out []claim
	paths := conflict.Paths(s.Shape, s.body.decoded)
	for _, field := range slices.Sorted(maps.Keys(s.decided)) {
		path := paths[field]
		if s.decided[field] != StopManaging || path == nil || conflict.At(s.before, field) {
			continue
		}
		one := conflict.Claim{Conflicts: []report.Conflict{{Field: field, Source: s.Write.Line(s.Shape, path)}}, Path: path}
		out = append(out, claim{Claim: one, accepted: true})
	}
	return out
}

// step is what is known of a claim before anything is done about it.
func (c *claim) step() Step {
	s := Step{Field: c.Field(), Source: c.Conflicts[0].Source, Action: c.action, Outcome: NotAsked}
	if !c.accepted {
		for _, conflict := range c.Conflicts {
			s.Owners = append(s.Owners, conflict.Writer)
		}
	}
	if c.Path != nil && c.Path.String() != s.Field {
		s.At = c.Path.String()
	}
	return s
}

// maxRounds bounds how often what was refused is tried again, and conflicts
// that come up only once others are gone are looked at.
const maxRounds = 10

// run resolves the claims one after the other, then those that come up, and
// tries again what was refused as long as something else succeeds: an anchor
// can go once its aliases are gone.
func (s *session) run(choice Choice) {
	for range maxRounds {
		progress := false
		for i := range s.claims {
			switch {
			case i == len(s.steps):
				s.steps = append(s.steps, s.resolve(&s.claims[i]))
			case s.steps[i].Outcome != Done:
				s.steps[i] = s.resolve(&s.claims[i])
			default:
				continue
			}
			progress = progress || s.steps[i].Outcome == Done
		}
		if !progress {
			break
		}
		for _, fresh := range s.fresh() {
			if fresh.action, fresh.bulk = Leave, true; choice.concerns(&fresh) {
				fresh.action = cmp.Or(choice.Rest, Leave)
			}
			s.claims = append(s.claims, fresh)
		}
	}
	s.dropBareItems()
}

// fresh are the conflicts that were not there before.
func (s *session) fresh() []claim {
	var conflicts []report.Conflict
	for _, c := range s.latest.Conflicts {
		if !slices.ContainsFunc(s.claims, func(known claim) bool { return known.Field() == c.Field }) {
			conflicts = append(conflicts, c)
		}
	}
	if len(conflicts) == 0 {
		return nil
	}
	return s.claimsOf(conflicts)
}

// resolve does what a claim asks for, and gives the step.
func (s *session) resolve(c *claim) Step {
	step := c.step()
	if !c.accepted && settled(s.latest) && !conflict.At(s.latest, c.Field()) {
		// An earlier edit took the field along.
		step.Outcome = Done
		return step
	}
	var err error
	switch {
	case c.action == Leave:
		return step
	case c.Path == nil:
		err = errNoField
	case c.action == StopManaging:
		err = s.try(c, func(d *edit.Doc, prefix fieldpath.Path) error {
			return d.Remove(below(prefix, c.Path))
		})
	default:
		err = sharing{s}.share(c, &step)
	}
	if err != nil {
		step.Outcome = Refused
		step.Reason, step.Line = s.explain(err)
		return step
	}
	step.Outcome = Done
	return step
}

var (
	errNoField = errors.New("the manifest has no field that is known to be behind the conflict")
	errItemKey = errors.New("the field is a key of its list item, without which it would be another item")
	errNoHelp  = errors.New("the field still conflicts when it is edited so")
	errNeeded  = errors.New(
		"without the field the server would not create the object: --stop-managing with its name removes it",
	)
)

// try makes an edit, and takes it back unless the conflict is gone by it.
func (s *session) try(c *claim, change func(*edit.Doc, fieldpath.Path) error) error {
	if managedfields.IsKey(c.Path) {
		return errItemKey
	}
	former := s.body
	undo, err := s.edit(change)
	if err != nil {
		return err
	}
	switch {
	case s.latest.Outcome == report.Failed:
		err = errors.New(s.latest.Answer().Message)
	case conflict.At(s.latest, c.Field()):
		err = errNoHelp
	case c.accepted && s.latest.Outcome.Refused() && s.latest.Outcome != report.Conflicted:
		err = errors.New("the server refuses the manifest without the field: " + s.latest.Answer().Message)
	case c.bulk && c.action == StopManaging && s.needs(former):
		err = errNeeded
	}
	if err != nil {
		undo()
	}
	return err
}

// needs reports whether the manifest could create its object as it was, and cannot now.
func (s *session) needs(former body) bool {
	return conflict.Needed(s.lacking(s.body), func() []string { return s.lacking(former) })
}

func (s *session) lacking(b body) []string { return conflict.Lacking(s.Ctx, s.Server, s.writeOf(b)) }

// edit changes the manifest and applies it again. The returned function takes
// both back.
func (s *session) edit(change func(*edit.Doc, fieldpath.Path) error) (undo func(), err error) {
	if err := s.open(); err != nil {
		return nil, err
	}
	doc, latest, former := *s.piece.doc, s.latest, s.body
	undo = func() { *s.piece.doc, s.latest, s.body = doc, latest, former }
	err = change(s.piece.doc, s.prefix)
	if err == nil && !s.piece.keepsDash() {
		err = errors.New("the layout of the List's item is not understood")
	}
	if err == nil {
		s.body, err = s.piece.body(s.prefix)
	}
	if err != nil {
		undo()
		return nil, err
	}
	s.latest = s.simulate(s.body)
	return undo, nil
}

func (s *session) open() error {
	if s.piece != nil {
		s.piece.doc.Within(s.prefix, s.Shape)
		return nil
	}
	if s.file == nil {
		return errors.New("the file is no UTF-8 text, and nothing else is edited")
	}
	index, err := s.file.index(s.document)
	if err != nil {
		return err
	}
	piece, prefix, err := s.file.open(s.file.documents[index])
	if err != nil {
		return err
	}
	piece.doc.Within(prefix, s.Shape)
	s.piece, s.prefix, s.index, s.opened = piece, prefix, index, *piece.doc
	return nil
}

func below(prefix, path fieldpath.Path) fieldpath.Path {
	return append(prefix.Copy(), path...)
}

// simulate applies another body.
func (s *session) simulate(b body) report.Result { return s.send(s.writeOf(b)) }

// send simulates the request of the client in which a manifest may conflict.
func (s *session) send(w engine.Write) report.Result { return s.client.Unforced(s.Ctx, s.Server, w) }

func (s *session) writeOf(b body) engine.Write {
	return s.Write.WithBody(manifest.AsApplied(s.document.Format, b.text), b.decoded)
}

// settled reports whether the server got as far as looking for conflicts.
func settled(r report.Result) bool {
	return r.Outcome != report.Failed && r.Outcome != report.Invalid
}

// explain returns an error of an edit without the path, which the step has, and
// the line of the file that it speaks of.
func (s *session) explain(err error) (string, int) {
	var refused *edit.RefusedError
	var parse *edit.ParseError
	switch {
	case errors.As(err, &refused) && refused.Line > 0 && s.piece != nil:
		// The line of the former file above which as much of the piece is left as it was.
		first := bytes.Count(s.file.text[:s.piece.start], []byte("\n"))
		return string(refused.Reason), first + formerLine(s.piece.former, s.piece.text(), refused.Line)
	case errors.As(err, &refused):
		return string(refused.Reason), 0
	case errors.As(err, &parse) && parse.Template:
		err = fmt.Errorf("the file is a template (%w)", parse.Err)
	}
	return err.Error(), 0
}
