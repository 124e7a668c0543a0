package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/ssactl/ssactl/test/oracle/kube"
	"github.com/ssactl/ssactl/test/oracle/reads"
	"github.com/ssactl/ssactl/test/oracle/served"
)

// runBeside asks a real server and that of ssactl serve the same, and tells where they differ.
func runBeside(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("beside", flag.ContinueOnError)
	if err := flags.Parse(args); err != nil {
		return err
	}
	real, err := kube.Start(ctx)
	if err != nil {
		return err
	}
	want, err := reads.Ask(ctx, real.Client)
	if err := errors.Join(err, real.Close()); err != nil {
		return err
	}
	ours, err := served.Start(ctx)
	if err != nil {
		return err
	}
	got, err := reads.Ask(ctx, ours.Client)
	if err := errors.Join(err, ours.Close()); err != nil {
		return err
	}
	differ, events := besideDifferences(out, want, got)
	fmt.Fprintf(out, "%d requests and %d events of watches, %d answered differently\n", len(want), events, differ)
	if differ > 0 {
		return errors.New("ssactl serve answers differently from kube-apiserver")
	}
	return nil
}

// besideDifferences prints the lines that only one of two answers has.
func besideDifferences(out io.Writer, want, got []reads.Exchange) (differ, events int) {
	answers := map[string]string{}
	for _, e := range got {
		answers[e.Request] += e.Answer + "\n"
	}
	wanted, order := map[string]string{}, []string{}
	for _, e := range want {
		events += e.Events
		if wanted[e.Request] == "" {
			order = append(order, e.Request)
		}
		wanted[e.Request] += e.Answer + "\n"
	}
	for request := range answers {
		if wanted[request] == "" {
			order = append(order, request)
		}
	}
	for _, request := range order {
		if wanted[request] == answers[request] || explained(request) {
			continue
		}
		differ++
		fmt.Fprintf(out, "%s\n", request)
		only(out, "-", wanted[request], answers[request])
		only(out, "+", answers[request], wanted[request])
	}
	return differ, events
}

// explained reports whether the answers may differ: docs/serve.md says why. The paths of a server
// name its start hooks, and its controllers have events and Leases of their own.
func explained(request string) bool {
	return request == "GET /" || strings.Contains(request, "/events") || strings.Contains(request, "/leases?")
}

func only(out io.Writer, sign, text, other string) {
	has := map[string]bool{}
	for line := range strings.Lines(other) {
		has[line] = true
	}
	for line := range strings.Lines(text) {
		if !has[line] {
			fmt.Fprintf(out, "%s %s", sign, line)
		}
	}
}
