package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ssactl/ssactl/test/oracle/compare"
)

// runReplay answers recorded steps by ssactl; it starts no server.
func runReplay(ctx context.Context, args []string, out io.Writer) error {
	scenarios, err := readScenarios(args)
	if err != nil {
		return err
	}
	subject := compare.NewSubject()
	var steps, different int
	for _, scenario := range scenarios {
		for i, step := range scenario.Steps {
			steps++
			diff := subject.Diff(ctx, step, scenario.CRDsAt(i), scenario.ObjectsAt(i))
			if diff != "" {
				different++
				fmt.Fprintf(out, "%s step %d: %s %s\n%s\n", scenario.Name, i, step.Op, step.Request.Path, diff)
			}
		}
	}
	fmt.Fprintf(out, "%d requests, %d answered differently\n", steps, different)
	if different > 0 {
		return errors.New("ssactl answers differently from the recordings")
	}
	return nil
}
