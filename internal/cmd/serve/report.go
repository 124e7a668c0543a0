package serve

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/cmd/write"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/output"
	"github.com/ssactl/ssactl/internal/serve/wire"
	"github.com/ssactl/ssactl/internal/text"
)

// explain reports the writes of the command: one result an object, in the order in which they
// were first written to. Answers are those of the server; nothing is asked again. The exit code that
// formats name is that of how the command ended.
func (o *options) explain(ctx context.Context, spec wire.Spec, writes []wire.Write, ended error) error {
	objects, others := byObject(writes)
	files := placesIn(o.command)
	for _, object := range objects {
		files.locate(object)
	}
	for _, w := range others {
		if w.Method == http.MethodDelete && w.Code == http.StatusNotFound {
			// Clients delete what may not be there, such as the Job of a hook before they create it.
			continue
		}
		o.app.Notice([]string{fmt.Sprintf("not explained: %s %s, answered %d", w.Method, w.Path, w.Code)})
	}
	if dry := len(writes) - len(others) - count(objects); dry > 0 {
		o.app.Notice([]string{fmt.Sprintf("%s stored nothing, and is not reported", words.Count(dry, "dry run"))})
	}
	o.Unwritten = true
	w := &write.Writing{Options: &write.Options{
		Flags: input.Flags{
			Live: spec.Live, Crds: spec.Definitions, Recursive: spec.Recursive, Purpose: input.Purpose{Mixed: true},
		},
		ServerFlags: input.ServerFlags{KubernetesVersion: o.release, Jobs: 1}, WriteFlags: o.WriteFlags,
	}, Command: "serve"}
	return run.Execute(ctx, o.app, run.Question[cluster.Pair, output.Answer]{
		Reads: cluster.Loading{Flags: &w.Flags, ServerFlags: &w.ServerFlags, Quiet: o.Quiet}, Verb: "explaining",
		Subjects: func(_ context.Context, c *cluster.Cluster) ([]cluster.Pair, error) {
			learn(c, writes)
			return pairs(objects), nil
		},
		Ask: func(ctx context.Context, c *cluster.Cluster, p cluster.Pair) output.Answer {
			return w.Display.Answer(o.result(ctx, c, p, objects[p.Number]))
		},
		Failed: func(c *cluster.Cluster, p cluster.Pair, err error) output.Answer {
			written := objects[p.Number]
			return w.Display.Answer(c.Failure(written[len(written)-1].write, err))
		},
	}, &reported{w, ended})
}

// reported shows results as all writes are shown. The verdict is that of the command.
type reported struct {
	*write.Writing
	ended error
}

// Begin has formats name the exit code of the command.
func (r *reported) Begin(c *cluster.Cluster, pairs []cluster.Pair) error {
	err := r.Writing.Begin(c, pairs)
	if err == nil {
		r.Display.Verdict = func(error) error { return r.ended }
	}
	return err
}

// Conclude leaves the exit code to the command.
func (*reported) Conclude(context.Context, *cluster.Cluster) error { return nil }

// learn has the server know the definitions that the command made, and the values of Secrets
// masked that it wrote.
func learn(c *cluster.Cluster, writes []wire.Write) {
	for _, w := range writes {
		id := manifest.Identity{APIVersion: groupVersion(w).String(), Kind: kindOf(w), Name: w.Name}
		for _, text := range [][]byte{w.Before, w.Body, w.After} {
			if len(text) > 0 {
				c.App.Learn(id, text)
			}
		}
		if w.Resource == "customresourcedefinitions" && w.After != nil {
			// One that cannot be read defines nothing.
			_ = c.Server.Define(w.After)
		}
	}
}

func pairs(objects [][]written) []cluster.Pair {
	var out []cluster.Pair
	for i, object := range objects {
		w := object[0].write
		apiVersion, kind := w.Kind.ToAPIVersionAndKind()
		out = append(out, cluster.Pair{Number: i, Document: manifest.Document{Identity: manifest.Identity{
			APIVersion: apiVersion, Kind: kind, Namespace: w.Namespace, Name: w.Name,
		}}})
	}
	return out
}

// result is what the writes to an object come to: the last one explained, with what changed
// from before the first to after the last.
func (o *options) result(ctx context.Context, c *cluster.Cluster, p cluster.Pair, object []written) report.Result {
	first, last := object[0], object[len(object)-1]
	sequence := &report.Sequence{Name: filepath.Base(o.command[0]), Steps: []report.Sent{}}
	var r report.Result
	var notes []report.Finding
	note := func(of finding.Rule, format string, args ...any) {
		said := text.Said(fmt.Sprintf(format, args...))
		notes = append(notes, of.On(first.write.Target(), report.Source{}, text.New("%v", said)))
	}
	for i, is := range object {
		r = c.Explained(ctx, p, is.write, is.given)
		sequence.Steps = append(sequence.Steps, report.Sent{
			Request: string(r.Operation), Manager: r.Manager, Force: r.Force, Answer: r.Answer(),
		})
		if i < len(object)-1 && r.Outcome.Refused() {
			note(
				finding.RejectedBefore, "request %d of %d was rejected: %d %s", i+1, len(object), r.Code,
				strings.Join(strings.Fields(r.Answer().Message), " "),
			)
		}
		if i > 0 {
			if who := between(object[i-1].after, is.write.Live); who != "" {
				note(finding.WrittenBetween, "between requests %d and %d of the command, %s", i, i+1, who)
			}
		}
	}
	if len(object) > 1 && !r.Deleted && last.after != nil {
		whole := last.write
		whole.Live, whole.LiveObject = first.write.Live, nil
		if slices.ContainsFunc(object, func(is written) bool { return is.write.Subresource != whole.Subresource }) {
			whole.Subresource = ""
		}
		r.Recreated = first.write.Live != nil &&
			slices.ContainsFunc(object, func(is written) bool { return is.given.Deleted })
		r = c.ExplainedAll(ctx, p, whole, last.write, r, decode(last.after))
	}
	if len(object) > 1 {
		r.Client = sequence
	}
	for _, n := range notes {
		n.Target, n.Source = r.Target, r.Source
		r.Notices, r.Findings = append(r.Notices, n.Message.String()), append(r.Findings, n)
	}
	return r
}

// byObject groups writes by what they are to, in the order of the first of each. Others are
// those that name no object, such as deletions of a collection.
func byObject(writes []wire.Write) (objects [][]written, others []wire.Write) {
	at := map[schema.GroupKind]map[string]int{}
	for _, w := range writes {
		if isDryRun(w) {
			continue
		}
		is, ok := writtenBy(w)
		if !ok {
			others = append(others, w)
			continue
		}
		kind := is.write.Kind.GroupKind()
		name := is.write.Namespace + "/" + is.write.Name
		if at[kind] == nil {
			at[kind] = map[string]int{}
		}
		i, known := at[kind][name]
		if !known {
			i = len(objects)
			at[kind][name] = i
			objects = append(objects, nil)
		}
		objects[i] = append(objects[i], is)
	}
	return objects, slices.Clip(others)
}

func count(objects [][]written) (n int) {
	for _, object := range objects {
		n += len(object)
	}
	return n
}

// groupVersion is the version at which a write was sent.
func groupVersion(w wire.Write) schema.GroupVersion {
	return schema.GroupVersion{Group: w.Group, Version: w.Version}
}

// kindOf is the kind of what is written to: that of the object itself, since a body may be a
// Scale, and a patch has none. Empty if nothing says it.
func kindOf(w wire.Write) string {
	kind := cmp.Or(headOf(w.After).Kind, headOf(w.Before).Kind)
	if kind == "" && w.Subresource == "" {
		kind = headOf(w.Body).Kind
	}
	return kind
}
