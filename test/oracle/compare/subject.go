package compare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
)

// Subject answers recorded steps by ssactl's in-process server, one for each
// set of definitions.
type Subject struct {
	servers map[string]api.Server
}

// NewSubject makes a subject without servers.
func NewSubject() *Subject {
	return &Subject{servers: map[string]api.Server{}}
}

// chances is how often a request is answered before a difference counts: some
// answers are random in the order of what they tell.
const chances = 6

// Diff reports how ssactl's answer differs from the recorded one; it is empty
// when one of its answers is the same, or when the request cannot be said as a
// call.
func (s *Subject) Diff(ctx context.Context, step parity.Step, crds, objects []json.RawMessage) string {
	diff := ""
	for range chances {
		if diff = s.diffOnce(ctx, step, crds, objects); diff == "" {
			return ""
		}
	}
	return diff
}

func (s *Subject) diffOnce(ctx context.Context, step parity.Step, crds, objects []json.RawMessage) string {
	answer, err := s.answer(ctx, step, crds, objects)
	if errors.Is(err, parity.ErrNotACall) {
		return ""
	}
	if err != nil {
		return fmt.Sprintf("no answer: %v\n", err)
	}
	diff := parity.Diff(step, answer)
	if diff == "" {
		diff = parity.DiffBeside(step, answer)
	}
	if diff == "" {
		if stored := parity.DiffStored(step, answer); stored != "" {
			diff = "stored object differs\n" + stored
		}
	}
	return diff
}

// Refuses reports whether ssactl gives no answer either to a request on which the
// real server's code panics.
func (s *Subject) Refuses(ctx context.Context, step parity.Step, crds []json.RawMessage) bool {
	_, err := s.answer(ctx, step, crds, nil)
	return err != nil
}

func (s *Subject) answer(ctx context.Context, step parity.Step, crds, objects []json.RawMessage) (api.Response, error) {
	request, err := parity.Request(step)
	if err != nil {
		return api.Response{}, err
	}
	server, err := s.server(crds, objects)
	if err != nil {
		return api.Response{}, err
	}
	return server.Do(ctx, request)
}

func (s *Subject) server(crds, objects []json.RawMessage) (api.Server, error) {
	key, options := "", server.Options{}
	for _, crd := range crds {
		key += string(crd)
		options.CRDs = append(options.CRDs, crd)
	}
	for _, object := range objects {
		key += "\n" + string(object)
		options.Objects = append(options.Objects, object)
	}
	if server, ok := s.servers[key]; ok {
		return server, nil
	}
	server, err := server.New(options)
	if err != nil {
		return nil, err
	}
	if len(objects) == 0 {
		s.servers[key] = server
	}
	return server, nil
}
