package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/parity"
)

// tryServe runs the cases of recorded runs against 'ssactl serve', and compares: whether the
// client failed, what it sent with which answers, and the objects that it left, with their
// managed fields.
func tryServe(ctx context.Context, o options) error {
	recorded, err := parity.ReadClientRuns(o.against)
	if err != nil {
		return err
	}
	byName := map[string]parity.ClientRun{}
	for _, run := range recorded {
		name, _, _ := strings.Cut(run.Name, ":")
		byName[name] = run
	}
	w, err := startWorld(ctx, o)
	if err != nil {
		return err
	}
	defer w.close()
	var same, differ int
	for _, kind := range clientsOf() {
		for i := range o.number {
			want, ok := byName[fmt.Sprintf("%s %d", kind.name, i)]
			if !ok || !o.wants(kind, i) {
				continue
			}
			got, err := w.runCase(ctx, kind, o.seed, i)
			if errors.Is(err, errImpatient) || errors.Is(err, errOwnValidation) {
				fmt.Fprintf(os.Stderr, "%s: %v: %s\n", got.Name, err, got.Output)
				continue
			}
			if err != nil {
				return fmt.Errorf("%s %d: %w", kind.name, i, err)
			}
			diff := differenceOf(want, got)
			if diff == "" {
				same++
				continue
			}
			differ++
			fmt.Printf("%s\n%s\n%s", got.Name, got.Command, diff)
		}
	}
	fmt.Printf("%d runs as they were recorded, %d otherwise\n", same, differ)
	if differ > 0 {
		err = errors.New("clients are answered otherwise than by a real server")
	}
	return err
}

// differenceOf compares two runs of a case.
func differenceOf(want, got parity.ClientRun) string {
	var b strings.Builder
	if want.Name != got.Name {
		fmt.Fprintf(&b, "past: recorded %s, got %s\n", want.Name, got.Name)
	}
	if want.Failed != got.Failed {
		fmt.Fprintf(&b, "failed: recorded %v, got %v: %s\n", want.Failed, got.Failed, got.Output)
	}
	wanted, sent := requestsOf(want), requestsOf(got)
	for _, key := range slices.Sorted(maps.Keys(both(wanted, sent))) {
		if !slices.Equal(wanted[key], sent[key]) {
			fmt.Fprintf(&b, "%s: recorded %q, got %q\n", key, wanted[key], sent[key])
		}
	}
	before, after := objectsOf(want.After), objectsOf(got.After)
	for _, key := range slices.Sorted(maps.Keys(both(before, after))) {
		if diff := left(want, before[key], after[key]); diff != "" {
			fmt.Fprintf(&b, "%s: %s", key, diff)
		}
	}
	return b.String()
}

func both[V any](a, b map[string]V) map[string]V {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// made is what each server gives anew.
var made = regexp.MustCompile(
	`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|10\.\d+\.\d+\.\d+`,
)

// requestsOf are the requests of a run to each object, in their order.
func requestsOf(run parity.ClientRun) map[string][]string {
	out := map[string][]string{}
	for _, s := range run.Requests {
		out[s.Path] = append(out[s.Path], fmt.Sprintf(
			"%s as %q force=%v dry=%v %d %s", s.Write, s.Manager, s.Force, s.DryRun, s.Code,
			made.ReplaceAllString(s.Message, "…"),
		))
	}
	return out
}

func objectsOf(list []json.RawMessage) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for _, raw := range list {
		var id struct {
			Kind     string
			Metadata struct{ Namespace, Name string }
		}
		// The server has listed it.
		_ = json.Unmarshal(raw, &id)
		out[id.Kind+" "+id.Metadata.Namespace+"/"+id.Metadata.Name] = raw
	}
	return out
}

// The times of objects that a run leaves are of its past, and of itself.
const (
	pastTime = time.Hour
	runTime  = 30 * time.Second
)

// left compares an object that a run left with the recorded one; empty texts for none.
func left(run parity.ClientRun, want, got json.RawMessage) string {
	switch {
	case want == nil:
		return "only in this run\n"
	case got == nil:
		return "only in the recorded run\n"
	}
	step := parity.Step{
		Status: http.StatusOK, LiveAfter: want, StartedAt: run.At.Add(-pastTime), FinishedAt: run.At.Add(runTime),
	}
	return parity.DiffStored(step, api.Response{Code: http.StatusOK, Stored: got})
}
