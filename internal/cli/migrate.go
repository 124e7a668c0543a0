package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
)

type migrateOptions struct {
	inquiryFlags
	// The field manager is --to.
	clientFlags
	from           []string
	subresource    string
	claim          string
	claimDefaults  bool
	dropAnnotation bool
	keepAnnotation bool
	compatible     bool
	reverse        bool
	write          bool
	// options is what check made of the flags.
	options migrate.Options
	wanted  []objectName
	// missing are managers of --from that no object has an entry of; withheld are
	// the patches that were asked for and are not given.
	missing  []string
	withheld error
}

func newMigrateCmd(a *app) *cobra.Command {
	o := &migrateOptions{}
	o.mixed = true
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
			if err := errors.Join(o.clientFlags.check(cmd, "to"), o.check(args)); err != nil {
				return err
			}
			return inquire(cmd.Context(), a, o.inquiry())
		},
	}
	o.addFlags(cmd)
	return cmd
}

func (o *migrateOptions) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&o.filenames, "filename", "f", nil, "live objects, or manifests: a `file`, directory, or - for standard input (repeatable)")
	o.inputFlags.addKustomize(cmd)
	o.inputFlags.addLive(cmd)
	o.serverFlags.add(cmd)
	o.answerFlags.addOf(cmd, migrateFormats...)
	flags.Lookup("output").Usage = migrateUsage
	onlyNamespace(cmd)
	flags.StringVar(&o.manager, "to", "", "field `manager` that gets the fields (default: that of --client, or who applies the object already, else kubectl)")
	o.addClient(cmd)
	flags.StringArrayVar(&o.from, "from", []string{"auto"}, "field `manager` whose entries are taken, or auto (repeatable)")
	flags.StringVar(&o.subresource, "subresource", "", "migrate the entries of this `subresource`, such as status")
	flags.StringVar(&o.claim, "claim", string(migrate.ClaimManifest), "`which` fields of the entries are claimed: manifest, leftover, all")
	flags.BoolVar(&o.claimDefaults, "claim-defaults", false, "the same as --claim all")
	flags.BoolVar(&o.dropAnnotation, "drop-annotation", false, "remove the last-applied annotation, for any owner")
	flags.BoolVar(&o.keepAnnotation, "keep-annotation", false, "keep the last-applied annotation, as kubectl does")
	flags.BoolVar(&o.compatible, "compatible", false, "do exactly what csaupgrade of client-go does")
	flags.BoolVar(&o.reverse, "reverse", false, "go back to client-side apply")
	flags.BoolVar(&o.write, "write", false, "put the results into the live files, all of them or none")
	cmd.MarkFlagsMutuallyExclusive("drop-annotation", "keep-annotation")
	cmd.MarkFlagsMutuallyExclusive("compatible", "reverse")
	cmd.MarkFlagsMutuallyExclusive("claim", "claim-defaults")
	mustComplete(cmd, "claim", claimNames())
	managers := func() []string { return managersIn(slices.Concat(o.filenames, o.live)) }
	complete(cmd, "to", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return managers(), cobra.ShellCompDirectiveNoFileComp
	})
	complete(cmd, "from", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		values := []string{"auto"}
		for _, name := range managers() {
			values = append(values, migrate.FromValue(name))
		}
		return values, cobra.ShellCompDirectiveNoFileComp
	})
}

func claimNames() []string {
	var names []string
	for _, c := range migrate.Claims() {
		names = append(names, string(c))
	}
	return names
}

// check finds wrong flags before anything is read.
func (o *migrateOptions) check(args []string) (err error) {
	o.writes = o.write
	if err := o.answerFlags.check(&o.inputFlags); err != nil {
		return err
	}
	if o.options, err = o.planned(); err != nil {
		return err
	}
	o.wanted, err = parseNames(args)
	return err
}

// planned are the options of the plan.
func (o *migrateOptions) planned() (migrate.Options, error) {
	options := migrate.Options{To: o.manager, Subresource: o.subresource, Claim: migrate.Claim(o.claim)}
	var errs []error
	if len(o.filenames)+len(o.live) == 0 {
		errs = append(errs, errors.New("-f is needed: the file with the live objects"))
	}
	if o.claimDefaults {
		options.Claim = migrate.ClaimAll
	}
	if !slices.Contains(claimNames(), string(options.Claim)) {
		errs = append(errs, fmt.Errorf("--claim %q: use one of %s", o.claim, strings.Join(claimNames(), ", ")))
	}
	var err error
	options.From, options.Auto, err = migrate.ParseFrom(o.from)
	errs = append(errs, err)
	switch {
	case o.compatible:
		options.Mode = migrate.Compatible
	case o.reverse:
		options.Mode = migrate.Reverse
	}
	switch {
	case o.dropAnnotation:
		options.Annotation = migrate.DropAnnotation
	case o.keepAnnotation:
		options.Annotation = migrate.KeepAnnotation
	}
	if o.compatible && (o.dropAnnotation || o.keepAnnotation || o.claimDefaults || options.Claim != migrate.ClaimManifest) {
		errs = append(errs, errors.New("--compatible leaves the annotation alone and claims all fields: leave the other flags out"))
	}
	if o.reverse && (o.dropAnnotation || o.subresource != "") {
		errs = append(errs, errors.New("--reverse writes the annotation of the object itself: leave --drop-annotation and --subresource out"))
	}
	if o.named && o.manager == "" {
		errs = append(errs, errors.New("--to names no field manager"))
	}
	errs = append(errs, checkManager("--to", o.manager))
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

func (o *migrateOptions) inquiry() inquiry[toMigrate, migrate.Migration, migrate.Document] {
	return inquiry[toMigrate, migrate.Migration, migrate.Document]{
		question: question[toMigrate, migrate.Migration]{reads: o.reading(), verb: "planning", subjects: o.subjects, ask: o.ask, failed: o.failed},
		document: o.document, show: o.show, verdict: o.verdict, conclude: o.conclude,
	}
}

func (o *migrateOptions) subjects(ctx context.Context, c *cluster) ([]toMigrate, error) {
	subjects, err := c.toMigrate(o.wanted)
	if err == nil {
		err = checkSubresource(o.subresource, subjects)
	}
	if err == nil {
		err = c.sendsFor(ctx, &o.clientFlags)
	}
	o.options.To, o.options.Send = o.sender, c.sent
	if c.client != nil && c.client.ClientSide {
		c.notices = append(c.notices, c.client.Said()+": its next apply makes an Update entry again; --server-side=true (of ssactl, and of the client) is the way to server-side apply")
	}
	return subjects, err
}

func (o *migrateOptions) ask(ctx context.Context, c *cluster, t toMigrate) migrate.Migration {
	return c.migration(ctx, t, o.options)
}

func (o *migrateOptions) failed(_ *cluster, t toMigrate, err error) migrate.Migration {
	return migrate.Failure(t.object(), err)
}

func (o *migrateOptions) document(_ context.Context, c *cluster, objects []migrate.Migration, run report.Run) (migrate.Document, error) {
	o.missing = migrate.Missing(objects, o.options.From)
	return migrate.NewDocument(run, objects), nil
}

func (o *migrateOptions) show(c *cluster, seen, whole migrate.Document) error {
	seen = withoutMasks(seen, whole)
	o.withheld = o.withholds(seen)
	return o.answer(c.app, c.now, nil, render.Migrate(seen))
}

// verdict is trouble where no answer could be given for something, else no where
// something is blocked or not there.
func (o *migrateOptions) verdict(_ *cluster, d migrate.Document) error {
	switch {
	case d.Summary.Failed > 0 || len(d.Problems) > 0:
		return errTrouble
	case d.Summary.Blocked > 0 || len(o.missing) > 0:
		return errNo
	}
	return nil
}

func (o *migrateOptions) conclude(ctx context.Context, c *cluster, subjects []toMigrate, d migrate.Document, verdict error) error {
	for _, name := range o.missing {
		hint := ""
		if strings.Contains(name, ",") {
			hint = " (several are given by a --from each)"
		}
		fmt.Fprintf(c.app.streams.Err, "error: no object has an entry of the field manager %q%s\n", name, hint)
	}
	if o.write {
		verdict = c.app.writeBack(ctx, c.migrationPlan(subjects, d.Objects), verdict, "not every object can be migrated")
	}
	if o.withheld != nil && (verdict == nil || errors.Is(verdict, errNo)) {
		return o.withheld
	}
	return verdict
}
