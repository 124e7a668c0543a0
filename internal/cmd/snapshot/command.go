package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/output"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/shell"
)

type snapshotOptions struct {
	run.InquiryFlags
	allNamespaces bool
	client        kubectl.Client
	// sender is the client that applies the manifests.
	sender string
	// to is the bundle that is written; empty where the plan is all that is asked for.
	to string
}

// New is the command snapshot.
func New(a *app.App) *cobra.Command {
	o := &snapshotOptions{}
	cmd := &cobra.Command{
		Use:   "snapshot -f MANIFEST [--to FILE]",
		Short: "Plan what to fetch from the cluster, or let kubectl fetch it",
		Long: `Plan which kubectl commands fetch what an answer about manifests needs: their live
objects with managed fields, the definitions of their kinds, what admission looks up
(namespaces, quotas, limit ranges, classes, policies, webhooks), and the autoscalers
and others that write to them. With --client, what that client takes its settings from
is fetched too: the Applications of Argo CD, or the Kustomizations of Flux.

Without --to the commands are printed and nothing is run. With --to, kubectl runs
them and writes one dated, compressed file that you can pass to --live. ssactl itself
opens no connection. Secret values are not in the file.

The exit code is 0 when everything was fetched, and 2 when something could not be. The
file is written in both cases, and answers say what it lacks.`,
		Example: `  ssactl snapshot -f manifests/
  ssactl snapshot -f manifests/ --context prod --client argocd --to live.json.gz
  ssactl apply -f manifests/ --live live.json.gz --client argocd
  ssactl snapshot -f manifests/ -o kubectl > fetch.sh   # to be run elsewhere`,
		Args: input.OnlyFlags,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return run.Inquire(cmd.Context(), a, o.inquiry())
		},
	}
	o.add(cmd)
	return cmd
}

func (o *snapshotOptions) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(
		&o.Filenames,
		"filename", "f", nil, "manifest `file`, directory, or - for standard input (repeatable)",
	)
	o.Flags.AddKustomize(cmd)
	o.Flags.AddReading(cmd)
	o.ServerFlags.Add(cmd)
	flags.BoolVarP(
		&o.allNamespaces,
		"all-namespaces", "A", false, "fetch all objects of the manifests' kinds, in all namespaces",
	)
	flags.StringVar(&o.sender, "client", about.Auto,
		"`client` that applies the manifests and has settings to fetch: "+strings.Join(about.Names(), ", "))
	input.MustComplete(cmd, "client", about.Names())
	flags.StringVar(&o.client.Context, "context", "", "`name` of the context that kubectl uses")
	flags.StringVar(&o.client.Kubeconfig, "kubeconfig", "", "`file` that kubectl takes its configuration from")
	flags.StringVar(&o.to, "to", "", "run the commands, and write what they fetch to a `file`, such as live.json.gz")
	o.AnswerFlags.AddOf(cmd, show.AnswerFormats("kubectl", "json")...)
}

// check finds wrong flags before anything is read.
func (o *snapshotOptions) check() error {
	o.Inputs, o.Repeated = o.Sources(), slices.Concat(o.Flags.Words(), o.ServerFlags.Words(), o.client.Flags())
	if o.allNamespaces {
		o.Repeated = append(o.Repeated, shell.Switch("-A"))
	}
	o.Repeated = append(o.Repeated, o.sentBy()...)
	_, _, err := about.Parse(o.sender)
	if err != nil {
		err = fmt.Errorf("--client %q: %w", o.sender, err)
	}
	return errors.Join(
		err,
		output.RefuseSpecial("--to", o.to),
		o.AnswerFlags.Check(&o.Flags, o.to),
		o.Flags.CheckManifests(),
	)
}

// sentBy names the client; empty for auto.
func (o *snapshotOptions) sentBy() []shell.Flag {
	if o.sender == about.Auto {
		return nil
	}
	return []shell.Flag{shell.Value("--client", o.sender)}
}

// ofRelease says what a snapshot has not of a Helm release.
const ofRelease = "--client helm: the release is in a Secret, whose values a snapshot leaves out; " +
	"'helm get manifest RELEASE > release.yaml' prints what answers need of it, " +
	"for --release-manifest release.yaml (it has the values of the chart's Secrets)"

func (o *snapshotOptions) inquiry() run.Inquiry[manifest.Document, Subject, Document] {
	return run.Inquiry[manifest.Document, Subject, Document]{
		Question: run.Question[manifest.Document, Subject]{
			Reads: o.Reading(), Verb: "planning",
			Subjects: func(_ context.Context, c *cluster.Cluster) ([]manifest.Document, error) {
				if len(c.Manifests) == 0 && len(c.Problems) == 0 {
					return nil, errors.New("the inputs have no objects")
				}
				return c.Manifests, nil
			},
			Ask: func(_ context.Context, c *cluster.Cluster, d manifest.Document) Subject {
				return Subject{Kind: input.KindOf(d.Identity), Namespace: c.Scope.NamespaceOf(d.Identity), Name: d.Name}
			},
			Failed: func(*cluster.Cluster, manifest.Document, error) Subject { return Subject{} },
		},
		Document: o.document,
		Show: func(c *cluster.Cluster, seen, _ Document) error {
			return o.Answer(c.App, c.Now, nil, formatsOf(seen, o.client, o.sentBy()...))
		},
		// It is trouble where manifests could not be read, or something of the cluster.
		Verdict: func(_ *cluster.Cluster, d Document) error {
			if len(d.Problems) > 0 || d.Summary.Missing > 0 {
				return app.ErrTrouble
			}
			return nil
		},
	}
}

// document plans what to fetch, and has it fetched where that is asked for.
func (o *snapshotOptions) document(
	ctx context.Context,
	c *cluster.Cluster,
	subjects []Subject,
	run report.Run,
) (Document, error) {
	plan := Document{Head: run.Head(Kind), Ending: run.Ending, Context: o.client.Context}
	plan.Summary.Manifests = len(subjects)
	request := Request{Server: c.Server, AllNamespaces: o.allNamespaces}
	// Check has parsed it.
	name, _, _ := about.Parse(o.sender)
	if program, is := about.Find(name); is {
		request.Settings = program.Settings
	}
	if name == "helm" {
		request.Settings = schema.GroupKind{}
		c.Notices = append(c.Notices, ofRelease)
	}
	for i, s := range subjects {
		// What no command can name is a problem, with the place of its manifest.
		if err := kubectl.Check(s.Kind, s.Namespace, s.Name); err != nil {
			plan.Problems = append(
				plan.Problems,
				report.Problem{Source: report.Source(c.Manifests[i].Source), Message: err.Error()},
			)
			continue
		}
		request.Subjects = append(request.Subjects, s)
	}
	request.LookedUp = server.LookedUpFor(cluster.KindsOf(c.Manifests))
	plan.Fetches = Needs(request)
	if o.to == "" || run.Interrupted != nil {
		return plan, nil
	}
	return o.take(ctx, c, request, plan)
}
