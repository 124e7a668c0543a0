package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/input/kustomize"
	"github.com/ssactl/ssactl/internal/input/manifest"
)

// addKustomize lets the manifests be those that a kustomization builds.
func (f *inputFlags) addKustomize(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.kustomize, "kustomize", "k", "", "`directory` with a kustomization whose objects are the manifests")
}

// requireManifests is for the commands that do nothing without.
func (f *inputFlags) requireManifests(cmd *cobra.Command) {
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if !f.hasManifests() {
			return fmt.Errorf("must specify one of -f and -k\nSee '%s --help'", cmd.CommandPath())
		}
		return nil
	}
}

func (f *inputFlags) hasManifests() bool { return len(f.filenames) > 0 || f.kustomize != "" }

// checkManifests refuses both at once, as kubectl does.
func (f *inputFlags) checkManifests() error {
	if len(f.filenames) > 0 && f.kustomize != "" {
		return errors.New("only one of -f or -k can be specified")
	}
	return nil
}

// build builds the manifests.
func (in *inputFlags) build(ctx context.Context, options manifest.Options) ([]manifest.Document, []*manifest.Problem) {
	built := kustomize.Build(ctx, in.kustomize, options)
	for _, file := range built.Files {
		if err := in.refuseRead(file); err != nil {
			return nil, []*manifest.Problem{{Source: manifest.Source{File: in.kustomize}, Op: "build", Err: err}}
		}
	}
	if in.builtText != nil {
		*in.builtText = built.Text
		return asOneText(in.kustomize, built, options)
	}
	return built.Documents, built.Problems
}

// builtName is the name of the text that a kustomization builds.
func builtName(dir string) string { return "built from " + dir }

// asOneText are the objects where they stand in the text that was built.
func asOneText(dir string, built kustomize.Built, options manifest.Options) ([]manifest.Document, []*manifest.Problem) {
	if len(built.Problems) > 0 {
		return nil, built.Problems
	}
	options.Stdin, options.OnDocument, options.OnRead, options.OnFile = bytes.NewReader(built.Text), nil, nil, nil
	documents, problems := manifest.Load([]string{"-"}, options)
	for i := range documents {
		documents[i].Source.File = builtName(dir)
	}
	for _, p := range problems {
		p.Source.File = builtName(dir)
	}
	return documents, problems
}

// refuseRead refuses to have a file that was read replaced by an output.
func (f *inputFlags) refuseRead(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return nil
	}
	for name, to := range f.replaced {
		if os.SameFile(to, info) {
			return fmt.Errorf("an output would replace the input %s: name another file than %s", file, name)
		}
	}
	return nil
}
