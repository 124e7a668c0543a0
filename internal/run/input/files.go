package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/input/kustomize"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/run/app"
)

// Files are all that is read. Of a path that cannot be read, the reading tells.
func (f *Flags) Files() []string {
	return f.Named(f.Paths())
}

// Paths are the files and directories that are read, as they were given.
func (f *Flags) Paths() []string {
	return slices.Concat(f.Filenames, f.Kustomizations(), f.Live, f.Crds, f.Policies, f.Others)
}

// Kustomizations are the folder of the kustomization, if there is one.
func (f *Flags) Kustomizations() []string {
	if f.Kustomize == "" {
		return nil
	}
	return []string{f.Kustomize}
}

// Named are the files that paths stand for, without standard input.
func (f *Flags) Named(paths []string) []string {
	var out []string
	for _, path := range paths {
		files, _ := manifest.Files(path, f.Recursion())
		out = append(out, slices.DeleteFunc(files, IsStdin)...)
	}
	return out
}

// RecoverFiles ends what killed runs have begun to write among the inputs,
// before anything is read: half of it would be answered wrongly.
func RecoverFiles(ctx context.Context, a *app.App, in *Flags) {
	recovered, err := atomic.Recover(ctx, atomic.OS{}, foldersOf(append(in.Files(), in.Paths()...)))
	a.TellRecovered(recovered)
	var target *atomic.TargetError
	if errors.As(err, &target) {
		a.Notice(
			[]string{
				fmt.Sprintf(
					"files in %s may be half written: a run was killed there, or is still writing, and it cannot be finished (%v)",
					app.ShownPath(target.Target),
					target.Err,
				),
			},
		)
	}
}

// foldersOf are the folders in which files really are, sorted.
func foldersOf(files []string) []string {
	seen := map[string]bool{}
	for _, file := range files {
		seen[filepath.Dir(file)] = true
		if info, err := os.Lstat(file); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			if target, err := filepath.EvalSymlinks(file); err == nil {
				seen[filepath.Dir(target)] = true
			}
		}
	}
	var folders []string
	for folder := range seen {
		if folder, err := (atomic.OS{}).Resolve(folder); err == nil {
			folders = append(folders, folder)
		}
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// refuseRead refuses to have a file that was read replaced by an output.
func (f *Flags) refuseRead(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return nil
	}
	for name, to := range f.Replaced {
		if os.SameFile(to, info) {
			return fmt.Errorf("an output would replace the input %s: name another file than %s", file, name)
		}
	}
	return nil
}

// AddKustomize lets the manifests be those that a kustomization builds.
func (f *Flags) AddKustomize(cmd *cobra.Command) {
	cmd.Flags().
		StringVarP(&f.Kustomize, "kustomize", "k", "", "`directory` with a kustomization whose objects are the manifests")
}

// RequireManifests is for the commands that do nothing without.
func (f *Flags) RequireManifests(cmd *cobra.Command) {
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if !f.HasManifests() {
			return fmt.Errorf("must specify one of -f and -k\nSee '%s --help'", cmd.CommandPath())
		}
		return nil
	}
}

// HasManifests reports whether manifests are named.
func (f *Flags) HasManifests() bool { return len(f.Filenames) > 0 || f.Kustomize != "" }

// CheckManifests refuses both at once, as kubectl does.
func (f *Flags) CheckManifests() error {
	if len(f.Filenames) > 0 && f.Kustomize != "" {
		return errors.New("only one of -f or -k can be specified")
	}
	return nil
}

// Build builds the manifests.
func (in *Flags) Build(ctx context.Context, options manifest.Options) ([]manifest.Document, []*manifest.Problem) {
	built := kustomize.Build(ctx, in.Kustomize, options)
	for _, file := range built.Files {
		if err := in.refuseRead(file); err != nil {
			return nil, []*manifest.Problem{{Source: manifest.Source{File: in.Kustomize}, Op: "build", Err: err}}
		}
	}
	if in.BuiltText != nil {
		*in.BuiltText = built.Text
		return asOneText(in.Kustomize, built, options)
	}
	return built.Documents, built.Problems
}

// BuiltName is the name of the text that a kustomization builds.
func BuiltName(dir string) string { return "built from " + dir }

// asOneText are the objects where they stand in the text that was built.
func asOneText(dir string, built kustomize.Built, options manifest.Options) ([]manifest.Document, []*manifest.Problem) {
	if len(built.Problems) > 0 {
		return nil, built.Problems
	}
	options.Stdin, options.OnDocument, options.OnRead, options.OnFile = bytes.NewReader(built.Text), nil, nil, nil
	documents, problems := manifest.Load([]string{"-"}, options)
	for i := range documents {
		documents[i].Source.File = BuiltName(dir)
		if i < len(built.Documents) && documents[i].Identity == built.Documents[i].Identity {
			documents[i].Derived = built.Documents[i].Derived
		}
	}
	for _, p := range problems {
		p.Source.File = BuiltName(dir)
	}
	return documents, problems
}
