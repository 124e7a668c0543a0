package input

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/input/kustomize"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/input/revision"
)

// Base says what the manifests before a change are, for an answer about the change.
type Base struct {
	// Paths are files and folders; Ref is a revision of git, which has the paths of the
	// manifests. At most one of them is given.
	Paths []string
	Ref   string
	// Existing: what stood before the change makes the exit code too.
	Existing bool
	// All: what stood before the change is listed, and objects that are equal in both.
	All bool
}

// Given reports whether there are manifests before a change.
func (b *Base) Given() bool { return len(b.Paths) > 0 || b.Ref != "" }

// aCommit is the whole name of a commit, which people read by its first characters.
var aCommit = regexp.MustCompile(`^([0-9a-f]{12})[0-9a-f]{28,52}$`)

// String names them.
func (b *Base) String() string {
	if b.Ref != "" {
		return aCommit.ReplaceAllString(b.Ref, "$1")
	}
	return strings.Join(b.Paths, ", ")
}

// Add adds the flags.
func (b *Base) Add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&b.Paths, "base", nil,
		"manifests before the change: a `file` or directory; the answer is then about what the change causes (repeatable)")
	flags.StringVar(&b.Ref, "base-ref", "",
		"the same manifests in a `revision` of git, which is read without a checkout, instead of --base")
	flags.BoolVar(&b.Existing, "fail-on-existing", false,
		"count for the exit code and --fail-on also what stood before the change (with --base or --base-ref)")
	flags.BoolVar(&b.All, "all", false,
		"list also what stood before the change, and objects that are equal in both (with --base or --base-ref)")
}

// Check finds flags that do not go together.
func (b *Base) Check(in *Flags) error {
	switch {
	case len(b.Paths) > 0 && b.Ref != "":
		return errors.New("only one of --base and --base-ref can be specified")
	case b.Given() && b.Ref != "" && slices.ContainsFunc(in.Filenames, IsStdin):
		return errors.New("--base-ref reads the files of -f in the revision, and standard input has none: use --base")
	case slices.ContainsFunc(b.Paths, IsStdin):
		return errors.New("--base names a file or a directory, and not standard input")
	case !b.Given() && b.Existing:
		return errors.New("--fail-on-existing works only with --base or --base-ref")
	case !b.Given() && b.All:
		return errors.New("--all works only with --base or --base-ref")
	}
	return nil
}

// ReadBase reads the manifests before the change, as those of the run are read. An error says
// that they are not known.
func (f *Flags) ReadBase(
	ctx context.Context,
	options manifest.Options,
) ([]manifest.Document, []*manifest.Problem, error) {
	if f.Base.Ref == "" {
		for _, path := range f.Base.Paths {
			if _, err := os.Stat(path); err != nil {
				return nil, nil, fmt.Errorf("--base: %w", err)
			}
		}
		documents, problems := f.readAs(ctx, f.Base.Paths, options)
		return documents, problems, nil
	}
	documents, problems, err := f.readRevision(ctx, options)
	if err != nil {
		err = fmt.Errorf("--base-ref %s: %w", f.Base.Ref, err)
	}
	return documents, problems, err
}

// readAs reads paths as those of -f, or of -k.
func (f *Flags) readAs(
	ctx context.Context,
	paths []string,
	options manifest.Options,
) (documents []manifest.Document, problems []*manifest.Problem) {
	if f.Kustomize == "" {
		return manifest.Load(paths, options)
	}
	for _, path := range paths {
		built := kustomize.Build(ctx, path, options)
		documents, problems = append(documents, built.Documents...), append(problems, built.Problems...)
	}
	return documents, problems
}

// readRevision reads the paths of the run as a revision has them. One that it lacks has no
// manifests yet, as long as it has another one.
func (f *Flags) readRevision(
	ctx context.Context,
	options manifest.Options,
) ([]manifest.Document, []*manifest.Problem, error) {
	r, err := revision.Find(ctx, ".", f.Base.Ref)
	if err != nil {
		return nil, nil, err
	}
	asked, files := slices.Concat(f.Filenames, f.Kustomizations()), []string(nil)
	for _, path := range asked {
		within, err := r.Within(path)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, within)
	}
	wanted := files
	if f.Kustomize != "" {
		// A kustomization names files wherever they are.
		wanted = []string{"."}
	}
	dir, err := os.MkdirTemp("", "ssactl-base-")
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	read, err := r.Extract(ctx, wanted, dir)
	if err != nil {
		return nil, nil, err
	}
	var paths []string
	for _, file := range files {
		if !slices.Contains(read.Lacks, file) {
			paths = append(paths, read.Path(file))
		}
	}
	if len(paths) == 0 {
		return nil, nil, fmt.Errorf("it has none of %s", strings.Join(asked, ", "))
	}
	documents, problems := f.readAs(ctx, paths, options)
	for i := range documents {
		documents[i].Source.File = read.Named(documents[i].Source.File)
	}
	for _, p := range problems {
		p.Source.File = read.Named(p.Source.File)
	}
	return documents, problems, nil
}
