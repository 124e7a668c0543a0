package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/input/kustomize"
	"github.com/ssactl/ssactl/internal/input/manifest"
)

// AddKustomize lets the manifests be those that a kustomization builds.
func (f *Flags) AddKustomize(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.Kustomize, "kustomize", "k", "", "`directory` with a kustomization whose objects are the manifests")
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
	}
	for _, p := range problems {
		p.Source.File = BuiltName(dir)
	}
	return documents, problems
}
