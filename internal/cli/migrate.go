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
	"github.com/ssactl/ssactl/internal/report/redact"
)

type migrateOptions struct {
	inputFlags
	serverFlags
	answerFlags
	to             string
	named          bool // whether --to was given
	from           []string
	subresource    string
	claim          string
	claimDefaults  bool
	dropAnnotation bool
	keepAnnotation bool
	compatible     bool
	reverse        bool
	write          bool
}

func newMigrateCmd(a *app) *cobra.Command {
	o := &migrateOptions{}
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
			o.named = cmd.Flags().Changed("to")
			return runMigrate(cmd.Context(), a, o, args)
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
	flags.StringVar(&o.to, "to", "", "field `manager` that gets the fields (default: who applies the object already, else kubectl)")
	flags.StringArrayVar(&o.from, "from", []string{"auto"}, "field `manager` whose entries are taken, or auto (repeatable)")
	flags.StringVar(&o.subresource, "subresource", "", "migrate the entries of this subresource, such as status")
	flags.StringVar(&o.claim, "claim", string(migrate.ClaimManifest), "`which` fields of the entries are claimed: manifest, leftover, all")
	flags.BoolVar(&o.claimDefaults, "claim-defaults", false, "the same as --claim all")
	flags.BoolVar(&o.dropAnnotation, "drop-annotation", false, "remove the last-applied annotation, whoever owns it")
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

// options are the plan's, checked before anything is read.
func (o *migrateOptions) options() (migrate.Options, error) {
	options := migrate.Options{To: o.to, Subresource: o.subresource, Claim: migrate.Claim(o.claim)}
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
	if o.named && o.to == "" {
		errs = append(errs, errors.New("--to names no field manager"))
	}
	errs = append(errs, checkManager("--to", o.to))
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

func runMigrate(ctx context.Context, a *app, o *migrateOptions, args []string) error {
	if err := o.answerFlags.check(&o.inputFlags); err != nil {
		return err
	}
	options, err := o.options()
	if err != nil {
		return err
	}
	wanted, err := parseNames(args)
	if err != nil {
		return err
	}
	a = a.watched(o.quiet)
	o.writes = o.write
	c, err := a.loadMixed(ctx, &o.inputFlags, &o.serverFlags)
	if err != nil {
		return err
	}
	subjects, err := c.toMigrate(wanted)
	if err == nil {
		err = checkSubresource(o.subresource, subjects)
	}
	if err != nil {
		return a.unanswered(c, err)
	}
	objects := c.migrations(ctx, subjects, options)
	document := migrate.NewDocument(c.server.Version(), objects, c.problems)
	document.Interrupted = interruption(len(objects), len(subjects))
	a.notice(c.notices)
	shown := withoutMasks(redact.Document(a.secrets, document), document)
	if err := o.printMigrations(a, shown, c.now); err != nil {
		return err
	}
	if document.Interrupted != nil {
		return interruptedError(document.Interrupted)
	}
	missing := migrate.Missing(objects, options.From)
	for _, name := range missing {
		hint := ""
		if strings.Contains(name, ",") {
			hint = " (several are given by a --from each)"
		}
		fmt.Fprintf(a.streams.Err, "error: no object has an entry of the field manager %q%s\n", name, hint)
	}
	verdict := migrateVerdict(document, missing)
	switch {
	case !o.write:
	case verdict != nil:
		fmt.Fprintln(a.streams.Err, "nothing was written, since not every object can be migrated")
	default:
		verdict = a.commit(ctx, c.migrationPlan(subjects, objects))
	}
	if withheld := o.withheld(shown); withheld != nil && (verdict == nil || verdict == errNo) {
		return withheld
	}
	return verdict
}

// migrateVerdict is trouble where no answer could be given for something, else
// no where something is blocked or not there.
func migrateVerdict(d migrate.Document, missing []string) error {
	switch {
	case d.Summary.Failed > 0 || len(d.Problems) > 0:
		return errTrouble
	case d.Summary.Blocked > 0 || len(missing) > 0:
		return errNo
	}
	return nil
}
