// Package migrate prints plans to move objects from client-side to server-side apply
// (internal/ownership/migration), as pages, patches and scripts, and carries them out in
// the files of the live objects.
package migrate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
)

type migrateOptions struct {
	run.InquiryFlags
	// The field manager is --to.
	input.ClientFlags
	from                                          []string
	subresource, claim                            string
	claimDefaults, dropAnnotation, keepAnnotation bool
	compatible, reverse, writeIn                  bool
	// options is what check made of the flags.
	options migration.Options
	wanted  []input.ObjectName
	// missing are managers of --from that no object has an entry of; withheld are
	// the patches that were asked for and are not given.
	missing  []string
	withheld error
}

// usage says what the formats of migrate are.
const usage = "output `format`, or format=FILE to write it there (repeatable): text, markdown, html, yaml and json (the migrated objects), json-patch, kubectl (a script), github, sarif, junit, codequality, brief, report (everything, as one JSON document)"

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

Where manifests are given, --from NAME leaves live objects that have neither a
manifest nor the annotation as they are, unless they are named too.

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
	flags.StringArrayVarP(
		&o.Filenames,
		"filename", "f", nil,
		"live objects, or manifests: a `file`, directory, or - for standard input (repeatable)",
	)
	o.Flags.AddKustomize(cmd)
	o.Flags.AddLive(cmd)
	o.ServerFlags.Add(cmd)
	o.AnswerFlags.AddOf(
		cmd,
		show.AnswerFormats(append([]string{"yaml", "json", "json-patch", "kubectl"}, show.FindingFormats()...)...)...)
	flags.Lookup("output").Usage = usage
	input.OnlyNamespace(cmd)
	flags.StringVar(
		&o.Manager,
		"to",
		"",
		"field `manager` that gets the fields (default: that of --client, or who applies the object already, else kubectl)",
	)
	o.AddClient(cmd)
	flags.StringArrayVar(
		&o.from,
		"from",
		[]string{"auto"},
		"field `manager` whose entries are taken, or auto (repeatable)",
	)
	flags.StringVar(&o.subresource, "subresource", "", "migrate the entries of this `subresource`, such as status")
	flags.StringVar(
		&o.claim,
		"claim",
		string(migration.ClaimManifest),
		"`which` fields of the entries are claimed: manifest, leftover, all",
	)
	flags.BoolVar(&o.claimDefaults, "claim-defaults", false, "the same as --claim all")
	flags.BoolVar(&o.dropAnnotation, "drop-annotation", false, "remove the last-applied annotation, for any owner")
	flags.BoolVar(&o.keepAnnotation, "keep-annotation", false, "keep the last-applied annotation, as kubectl does")
	flags.BoolVar(&o.compatible, "compatible", false, "do exactly what csaupgrade of client-go does")
	flags.BoolVar(&o.reverse, "reverse", false, "go back to client-side apply")
	flags.BoolVar(&o.writeIn, "write", false, "put the results into the live files, all of them or none")
	cmd.MarkFlagsMutuallyExclusive("drop-annotation", "keep-annotation")
	cmd.MarkFlagsMutuallyExclusive("compatible", "reverse")
	cmd.MarkFlagsMutuallyExclusive("claim", "claim-defaults")
	input.MustComplete(cmd, "claim", migration.Claims())
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
	refuse := func(wrong bool, format string, args ...any) {
		if wrong {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	refuse(len(o.Filenames)+len(o.Live) == 0, "-f is needed: the file with the live objects")
	if o.claimDefaults {
		options.Claim = migration.ClaimAll
	}
	refuse(
		!slices.Contains(migration.Claims(), string(options.Claim)),
		"--claim %q: use one of %s",
		o.claim,
		strings.Join(migration.Claims(), ", "),
	)
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
	refuse(o.compatible && (o.dropAnnotation || o.keepAnnotation || options.Claim != migration.ClaimManifest),
		"--compatible leaves the annotation alone and claims all fields: leave the other flags out")
	refuse(o.reverse && (o.dropAnnotation || o.subresource != ""),
		"--reverse writes the annotation of the object itself: leave --drop-annotation and --subresource out")
	refuse(o.Named && o.Manager == "", "--to names no field manager")
	// What the server refuses as a field manager (apimachinery, pkg/apis/meta/v1/validation).
	refuse(len(o.Manager) > maxManagerBytes, "--to: a field manager has at most %d bytes", maxManagerBytes)
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	refuse(
		len(o.Manager) <= maxManagerBytes && strings.ContainsFunc(o.Manager, unprintable),
		"--to %q: a field manager has printable characters only",
		o.Manager,
	)
	return options, errors.Join(errs...)
}

// maxManagerBytes is the most that the server takes for a field manager.
const maxManagerBytes = 128
