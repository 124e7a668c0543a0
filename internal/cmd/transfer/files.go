package transfer

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"

	"github.com/ssactl/ssactl/internal/files/folder"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/output"
)

// writeSteps writes the chosen ways into the folder. Where an object has no
// safe plan, nothing is written.
func (o *transferOptions) writeSteps(ctx context.Context, a *app.App, d Document) error {
	switch {
	case d.Summary.Safe < d.Summary.Total || len(d.Problems) > 0:
		fmt.Fprintln(a.Streams.Err, "nothing was written, since not every object has a safe plan")
		return nil
	case !o.ShowSecrets && slices.ContainsFunc(d.Plans, ofSecret):
		return errors.New("the manifests of a Secret hold its values: --output-dir needs --show-secrets for them; nothing was written")
	}
	rendered, err := Files(d)
	if err != nil {
		return err
	}
	files := make([]folder.File, len(rendered))
	for i, f := range rendered {
		files[i] = folder.File{Name: f.Name, Text: f.Text, Mode: 0o644}
		if f.Script {
			files[i].Mode = 0o755
		}
		if slices.ContainsFunc(d.Plans, ofSecret) {
			files[i].Mode &= 0o700
		}
	}
	existing := folder.Refuse
	if o.overwrite {
		existing = folder.Replace
	}
	err = folder.Write(ctx, o.folder, files, existing, isStepFile)
	switch {
	case errors.Is(err, folder.ErrNotEmpty) && !o.overwrite:
		return fmt.Errorf("--output-dir: %w: name another one, or replace what an earlier run wrote with --overwrite", err)
	case err != nil:
		return fmt.Errorf("--output-dir: %w", output.Unwritten(err))
	}
	fmt.Fprintf(a.Streams.Err, "wrote %d files into %s\n", len(files), o.folder)
	return nil
}

var stepFile = regexp.MustCompile(`^step-[0-9]+-[A-Za-z0-9._-]+\.(yaml|json)$`)

// isStepFile reports whether a name is one that a plan's files have.
func isStepFile(name string) bool {
	return name == "README.md" || name == "apply.sh" || stepFile.MatchString(path.Base(name))
}
