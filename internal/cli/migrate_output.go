package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/iostreams"
	"github.com/ssactl/ssactl/internal/manifest"
	"github.com/ssactl/ssactl/internal/migrate"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/writeback"
)

// migrateOutput says how plans are shown.
type migrateOutput struct {
	format      string
	color       string
	showSecrets bool
	quiet       bool
	verbose     bool
}

var migrateFormats = []string{"text", "yaml", "json", "json-patch", "kubectl", "report"}

func (f *migrateOutput) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.format, "output", "o", "text", "output `format`: text, yaml and json (the migrated objects), json-patch, kubectl (a script), report (everything, as one JSON document)")
	flags.StringVar(&f.color, "color", "auto", "use colour: auto, always, never")
	flags.BoolVar(&f.showSecrets, "show-secrets", false, "do not mask the values of Secrets")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print verdicts only")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print everything, nothing folded")
	mustComplete(cmd, "output", migrateFormats)
	mustComplete(cmd, "color", []string{"auto", "always", "never"})
}

// check finds wrong flags before anything is read.
func (f *migrateOutput) check() error {
	if !slices.Contains(migrateFormats, f.format) {
		return fmt.Errorf("--output: unknown output format %q: use one of %s", f.format, strings.Join(migrateFormats, ", "))
	}
	if _, err := iostreams.ParseColor(f.color); err != nil {
		return fmt.Errorf("--color: %w", err)
	}
	return nil
}

// printMigrations shows the plans; formats that show objects or patches only
// have the rest as commentary on standard error.
func (a *app) printMigrations(d migrate.Document, f *migrateOutput, now time.Time) error {
	color, err := iostreams.ParseColor(f.color)
	if err != nil {
		return err
	}
	if now.IsZero() {
		now = time.Now()
	}
	options := render.Options{Width: a.streams.Width(), Color: a.streams.ColorEnabled(color), Quiet: f.quiet, Verbose: f.verbose, Now: now}
	remarks := options
	remarks.Color = options.Color && (color == iostreams.ColorAlways || a.streams.ErrIsTerminal)
	if err := render.Problems(a.streams.Err, d.Problems, remarks); err != nil {
		return err
	}
	var out bytes.Buffer
	if err := f.render(&out, d, options); err != nil {
		return fmt.Errorf("render %s: %w", f.format, err)
	}
	if f.format != "text" && f.format != "report" {
		if err := render.MigrateRemarks(a.streams.Err, d, remarks); err != nil {
			return err
		}
	}
	if f.patches() {
		if err := render.MigrateWithoutPatch(a.streams.Err, d, remarks); err != nil {
			return err
		}
	}
	_, err = a.streams.Out.Write(out.Bytes())
	return err
}

// patches tells whether the format is made of patches.
func (f *migrateOutput) patches() bool { return f.format == "json-patch" || f.format == "kubectl" }

// withholds tells whether a patch was asked for that is not given.
func (f *migrateOutput) withholds(d migrate.Document) bool {
	return f.patches() && slices.ContainsFunc(d.Objects, func(m migrate.Migration) bool { return m.NoPatch != "" })
}

func (f *migrateOutput) render(w io.Writer, d migrate.Document, options render.Options) error {
	switch f.format {
	case "yaml", "json":
		return render.MigrateObjects(w, d, f.format)
	case "json-patch":
		return render.MigratePatch(w, d)
	case "kubectl":
		return render.MigrateKubectl(w, d)
	case "report":
		return render.MigrateReport(w, d, options)
	}
	return render.MigrateText(w, d, options)
}

// writeMigrations puts the migrated objects into the files that they came
// from.
func (a *app) writeMigrations(ctx context.Context, subjects []toMigrate, objects []migrate.Migration) error {
	plan := &writeback.Plan{}
	for i, m := range objects {
		if m.Verdict == migrate.Migrates {
			plan.Replace(placeOf(subjects[i].live), m.Object)
		}
	}
	if plan.Empty() {
		return nil
	}
	files, err := plan.Commit(ctx, writeback.OS{})
	for _, file := range files {
		fmt.Fprintf(a.streams.Err, "wrote %s\n", file)
	}
	if errors.Is(err, writeback.ErrStandardInput) {
		return fmt.Errorf("%w: give the live objects as a file; nothing was written", err)
	}
	return err
}

// decodeManifest reads a manifest as the server reads its JSON.
func decodeManifest(d *manifest.Document) (map[string]any, error) {
	var object map[string]any
	if err := json.Unmarshal(d.JSON(), &object); err != nil {
		return nil, fmt.Errorf("decode %s: %w", d.Source, err)
	}
	return object, nil
}
