package migrate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/output"
)

type migrateOptions struct {
	run.InquiryFlags
	// The field manager is --to.
	input.ClientFlags
	from           []string
	subresource    string
	claim          string
	claimDefaults  bool
	dropAnnotation bool
	keepAnnotation bool
	compatible     bool
	reverse        bool
	writeIn        bool
	// options is what check made of the flags.
	options migration.Options
	wanted  []input.ObjectName
	// missing are managers of --from that no object has an entry of; withheld are
	// the patches that were asked for and are not given.
	missing  []string
	withheld error
}

// New is the command migrate.
func New(a *app.App) *cobra.Command {
	o := &migrateOptions{}
	o.Mixed = true
	cmd := &cobra.Command{
		Use:   "migrate -f LIVE [-f MANIFEST] [--to NAME] [--from auto|NAME...] [KIND/NAME...]",
		Short: "Plan the move from client-side to server-side apply",
		Long: `Plan how live objects move from client-side to server-side apply: last-applied
annotations and client-side (Update) entries become the Apply entry of one field
manager. The plan says whose entries are taken and why, what is gained and lost,
and, by simulation, what the next apply of the manifest does before and after.

A file given with -f holds live objects when any object in it comes from a
server, and manifests otherwise; with --live, every -f is manifests. Without a
manifest, the last-applied annotation says which fields are wanted.

--from auto looks for client-side entries by evidence: who owns the annotation,
what it says, known names. Where there is not enough evidence, it asks for
--from NAME. The entries of a NAME that is given are taken without evidence,
including those of the scale subresource and those that it applied. --from =auto
names the manager auto.

Fields that the entries own and that are not in the manifest are left unowned:
defaults come back by themselves, and others stay. --claim leftover takes the
others, so that the next apply removes them; --claim all takes the defaults too.

--compatible plans exactly what csaupgrade of client-go does, and with it
kubectl apply --server-side. --reverse is the way back to client-side apply.

The exit code is 0 when the plan stands or there is nothing to migrate, 1 when
an object is blocked, and 2 when no answer could be given.`,
		Example: `  kubectl get deployments -A -o yaml --show-managed-fields > live.yaml
  ssactl migrate -f live.yaml
  ssactl migrate -f live.yaml -f manifests/ --to argocd-controller -o kubectl > migrate.sh
  ssactl migrate -f live.yaml --from auto --from kubectl-edit -o json-patch deployment/web`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(o.ClientFlags.Check(cmd, "to"), o.check(args)); err != nil {
				return err
			}
			return run.Inquire(cmd.Context(), a, o.inquiry())
		},
	}
	o.addFlags(cmd)
	return cmd
}

func (o *migrateOptions) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&o.Filenames, "filename", "f", nil, "live objects, or manifests: a `file`, directory, or - for standard input (repeatable)")
	o.Flags.AddKustomize(cmd)
	o.Flags.AddLive(cmd)
	o.ServerFlags.Add(cmd)
	o.AnswerFlags.AddOf(cmd, migrateFormats...)
	flags.Lookup("output").Usage = migrateUsage
	input.OnlyNamespace(cmd)
	flags.StringVar(&o.Manager, "to", "", "field `manager` that gets the fields (default: that of --client, or who applies the object already, else kubectl)")
	o.AddClient(cmd)
	flags.StringArrayVar(&o.from, "from", []string{"auto"}, "field `manager` whose entries are taken, or auto (repeatable)")
	flags.StringVar(&o.subresource, "subresource", "", "migrate the entries of this `subresource`, such as status")
	flags.StringVar(&o.claim, "claim", string(migration.ClaimManifest), "`which` fields of the entries are claimed: manifest, leftover, all")
	flags.BoolVar(&o.claimDefaults, "claim-defaults", false, "the same as --claim all")
	flags.BoolVar(&o.dropAnnotation, "drop-annotation", false, "remove the last-applied annotation, for any owner")
	flags.BoolVar(&o.keepAnnotation, "keep-annotation", false, "keep the last-applied annotation, as kubectl does")
	flags.BoolVar(&o.compatible, "compatible", false, "do exactly what csaupgrade of client-go does")
	flags.BoolVar(&o.reverse, "reverse", false, "go back to client-side apply")
	flags.BoolVar(&o.writeIn, "write", false, "put the results into the live files, all of them or none")
	cmd.MarkFlagsMutuallyExclusive("drop-annotation", "keep-annotation")
	cmd.MarkFlagsMutuallyExclusive("compatible", "reverse")
	cmd.MarkFlagsMutuallyExclusive("claim", "claim-defaults")
	input.MustComplete(cmd, "claim", claimNames())
	managers := func() []string { return input.ManagersIn(slices.Concat(o.Filenames, o.Live)) }
	input.Complete(cmd, "to", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return managers(), cobra.ShellCompDirectiveNoFileComp
	})
	input.Complete(cmd, "from", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		values := []string{"auto"}
		for _, name := range managers() {
			values = append(values, migration.FromValue(name))
		}
		return values, cobra.ShellCompDirectiveNoFileComp
	})
}

func claimNames() []string {
	var names []string
	for _, c := range migration.Claims() {
		names = append(names, string(c))
	}
	return names
}

// check finds wrong flags before anything is read.
func (o *migrateOptions) check(args []string) (err error) {
	o.Writes = o.writeIn
	if err := o.AnswerFlags.Check(&o.Flags); err != nil {
		return err
	}
	if o.options, err = o.planned(); err != nil {
		return err
	}
	o.wanted, err = input.ParseNames(args)
	return err
}

// planned are the options of the plan.
func (o *migrateOptions) planned() (migration.Options, error) {
	options := migration.Options{To: o.Manager, Subresource: o.subresource, Claim: migration.Claim(o.claim)}
	var errs []error
	if len(o.Filenames)+len(o.Live) == 0 {
		errs = append(errs, errors.New("-f is needed: the file with the live objects"))
	}
	if o.claimDefaults {
		options.Claim = migration.ClaimAll
	}
	if !slices.Contains(claimNames(), string(options.Claim)) {
		errs = append(errs, fmt.Errorf("--claim %q: use one of %s", o.claim, strings.Join(claimNames(), ", ")))
	}
	var err error
	options.From, options.Auto, err = migration.ParseFrom(o.from)
	errs = append(errs, err)
	switch {
	case o.compatible:
		options.Mode = migration.Compatible
	case o.reverse:
		options.Mode = migration.Reverse
	}
	switch {
	case o.dropAnnotation:
		options.Annotation = migration.DropAnnotation
	case o.keepAnnotation:
		options.Annotation = migration.KeepAnnotation
	}
	if o.compatible && (o.dropAnnotation || o.keepAnnotation || o.claimDefaults || options.Claim != migration.ClaimManifest) {
		errs = append(errs, errors.New("--compatible leaves the annotation alone and claims all fields: leave the other flags out"))
	}
	if o.reverse && (o.dropAnnotation || o.subresource != "") {
		errs = append(errs, errors.New("--reverse writes the annotation of the object itself: leave --drop-annotation and --subresource out"))
	}
	if o.Named && o.Manager == "" {
		errs = append(errs, errors.New("--to names no field manager"))
	}
	errs = append(errs, checkManager("--to", o.Manager))
	return options, errors.Join(errs...)
}

// maxManagerBytes is the most that the server takes for a field manager.
const maxManagerBytes = 128

// checkManager refuses what the server refuses as a field manager
// (apimachinery, pkg/apis/meta/v1/validation).
func checkManager(flag, name string) error {
	if len(name) > maxManagerBytes {
		return fmt.Errorf("%s: a field manager has at most %d bytes", flag, maxManagerBytes)
	}
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("%s %q: a field manager has printable characters only", flag, name)
		}
	}
	return nil
}

func (o *migrateOptions) inquiry() run.Inquiry[toMigrate, migration.Migration, migration.Document] {
	return run.Inquiry[toMigrate, migration.Migration, migration.Document]{
		Question: run.Question[toMigrate, migration.Migration]{Reads: o.Reading(), Verb: "planning", Subjects: o.subjects, Ask: o.ask, Failed: o.failed},
		Document: o.document, Show: o.show, Verdict: o.verdict, Conclude: o.conclude,
	}
}

func (o *migrateOptions) subjects(ctx context.Context, c *cluster.Cluster) ([]toMigrate, error) {
	subjects, err := pairedToMigrate(c, o.wanted)
	if err == nil {
		err = checkSubresource(o.subresource, subjects)
	}
	if err == nil {
		err = c.SendsFor(ctx, &o.ClientFlags)
	}
	o.options.To, o.options.Send = o.Sender, c.Sent
	if c.Client != nil && c.Client.ClientSide {
		c.Notices = append(c.Notices, c.Client.Said()+": its next apply makes an Update entry again; --server-side=true (of ssactl, and of the client) is the way to server-side apply")
	}
	return subjects, err
}

func (o *migrateOptions) ask(ctx context.Context, c *cluster.Cluster, t toMigrate) migration.Migration {
	return migrationOf(ctx, c, t, o.options)
}

func (o *migrateOptions) failed(_ *cluster.Cluster, t toMigrate, err error) migration.Migration {
	return migration.Failure(t.object(), err)
}

func (o *migrateOptions) document(_ context.Context, c *cluster.Cluster, objects []migration.Migration, run report.Run) (migration.Document, error) {
	o.missing = migration.Missing(objects, o.options.From)
	return migration.NewDocument(run, objects), nil
}

func (o *migrateOptions) show(c *cluster.Cluster, seen, whole migration.Document) error {
	seen = withoutMasks(seen, whole)
	o.withheld = o.withholds(seen)
	return o.Answer(c.App, c.Now, nil, formatsOf(seen))
}

// verdict is trouble where no answer could be given for something, else no where
// something is blocked or not there.
func (o *migrateOptions) verdict(_ *cluster.Cluster, d migration.Document) error {
	switch {
	case d.Summary.Failed > 0 || len(d.Problems) > 0:
		return app.ErrTrouble
	case d.Summary.Blocked > 0 || len(o.missing) > 0:
		return app.ErrNo
	}
	return nil
}

func (o *migrateOptions) conclude(ctx context.Context, c *cluster.Cluster, subjects []toMigrate, d migration.Document, verdict error) error {
	for _, name := range o.missing {
		hint := ""
		if strings.Contains(name, ",") {
			hint = " (several are given by a --from each)"
		}
		fmt.Fprintf(c.App.Streams.Err, "error: no object has an entry of the field manager %q%s\n", name, hint)
	}
	if o.writeIn {
		verdict = output.WriteBack(ctx, c.App, migrationPlan(c, subjects, d.Objects), verdict, "not every object can be migrated")
	}
	if o.withheld != nil && (verdict == nil || errors.Is(verdict, app.ErrNo)) {
		return o.withheld
	}
	return verdict
}
