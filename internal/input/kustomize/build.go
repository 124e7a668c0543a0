// Package kustomize builds kustomizations as 'kubectl kustomize' of the same
// release does, through kustomize's own library, and gives the objects as
// documents that stand where they come from.
//
// What kustomize could do besides is taken from it: it opens no connection and
// runs no program and ends within bounds (bounds.go), it reads regular files only, and
// writes none (files.go). What asks for more is refused at its line (check.go).
//
// A kustomization is built twice, or four times (derived.go): the objects are those of the first build, as
// kubectl has them; the second build records origins, and only these
// are taken from it (origin.go).
package kustomize

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/provenance"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"

	"github.com/ssactl/ssactl/internal/disguise"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/pool"
	"github.com/ssactl/ssactl/internal/program"
)

// Built is what a kustomization gave.
type Built struct {
	// Documents are the objects, in the order in which kubectl applies them. Each
	// stands where it comes from, as far as that is known.
	Documents []manifest.Document
	// Text is the objects as one stream of YAML, in the same order.
	Text []byte
	// Files are those that were read, as the user would name them.
	Files []string
	// Problems are why there are no objects, or fewer.
	Problems []*manifest.Problem
}

// Build builds the kustomization in a folder. The options are those of the
// objects, and bound each file that is read as well. A build that is not done
// when ctx is, or within its bounds, is a problem; it may go on with nobody waiting
// for it, so that the process should not do much more.
func Build(ctx context.Context, dir string, options manifest.Options) Built {
	options = options.WithDefaults()
	at, err := folder(dir)
	if err != nil {
		return failed(dir, err)
	}
	ctx, end := bounded(ctx)
	defer end()
	b := &builder{at: at, options: options}
	if !pool.Within(ctx, b.build) {
		return failed(dir, context.Cause(ctx))
	}
	return b.built
}

// folder is the place of a kustomization, if it may be one.
func folder(dir string) (place, error) {
	info, err := os.Stat(dir)
	switch {
	case strings.Contains(dir, "://"):
		return place{}, fmt.Errorf(
			program.In("is remote, and %w: build it first (kubectl kustomize URL | ssactl … -f -)"),
			errOffline,
		)
	case errors.Is(err, os.ErrNotExist):
		return place{}, errors.New("there is no such folder")
	case err != nil:
		return place{}, err
	case !info.IsDir():
		return place{}, errors.New("is a file: -k takes the folder with the kustomization, -f files with objects")
	}
	root, err := filepath.EvalSymlinks(dir)
	if err == nil {
		root, err = filepath.Abs(root)
	}
	return place{dir, root}, err
}

// place is the folder of a kustomization: as the user named it, and as it is.
type place struct {
	dir  string
	root string
}

// named is a file as the user would name it.
func (p place) named(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.root, path)
	}
	name, err := filepath.Rel(p.root, path)
	if err != nil {
		return path
	}
	return filepath.Join(p.dir, name)
}

// shown is a text of kustomize's, with files as the user would name them.
func (p place) shown(text string) string {
	folder, above := p.root+string(filepath.Separator), filepath.Dir(p.root)+string(filepath.Separator)
	text = strings.ReplaceAll(text, folder, filepath.Clean(p.dir)+string(filepath.Separator))
	text = strings.ReplaceAll(text, p.root+"'", filepath.Clean(p.dir)+"'")
	return strings.ReplaceAll(text, above, filepath.Join(p.dir, "..")+string(filepath.Separator))
}

func failed(dir string, err error) Built {
	return Built{Problems: []*manifest.Problem{{Source: manifest.Source{File: dir}, Op: "build", Err: err}}}
}

// builder builds one kustomization.
type builder struct {
	at      place
	options manifest.Options
	built   Built
}

func (b *builder) build() {
	fs := newFiles(b.at, b.options)
	fs.notice, fs.learn = b.options.OnNotice, learner(b.options)
	objects, err := b.run(fs)
	b.built.Files = fs.read
	switch {
	case fs.refused != nil:
		b.built.Problems = []*manifest.Problem{fs.refused}
		return
	case err != nil:
		b.built.Problems = b.explain(fs, err)
		return
	}
	if b.built.Text, err = stream(objects); err != nil {
		b.built.Problems = failed(b.at.dir, err).Problems
		return
	}
	b.load(b.origins(len(objects)), b.derived(objects, fs))
}

// inFile is how kustomize names the file with malformed YAML.
var inFile = regexp.MustCompile(`MalformedYAMLError: .* in File: (.+)$`)

// unavailable are what kustomize says where it would run a program, and what that
// means here.
var unavailable = strings.NewReplacer(
	`no 'git' program on path: exec: "git": executable file not found in $PATH`,
	"it is a repository, and "+errOffline.Error(),
	"must specify --enable-helm",
	errCharts.Error(),
)

// explain are the problems of a build that failed: those of the file that cannot be
// read, or what kustomize says.
func (b *builder) explain(fs *files, err error) []*manifest.Problem {
	text := b.at.shown(err.Error())
	if found := inFile.FindStringSubmatch(text); found != nil {
		for _, name := range fs.read {
			if !strings.HasSuffix(name, filepath.Clean(string(filepath.Separator)+found[1])) {
				continue
			}
			if _, problems := manifest.Load([]string{name}, manifest.Options{}); len(problems) > 0 {
				return problems
			}
		}
	}
	return failed(b.at.dir, errors.New(strings.TrimSpace(unavailable.Replace(text)))).Problems
}

// run has kustomize build, as kubectl has it build.
func (b *builder) run(fs *files) ([]*resource.Resource, error) {
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionLegacy
	var m resmap.ResMap
	err := offline(func() error {
		return guard.Do(func() (err error) {
			m, err = krusty.MakeKustomizer(options).Run(fs, b.at.root)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return m.Resources(), nameRelease(m.Resources())
}

// release is that of kustomize in kubectl. The library, which knows releases of the
// program only, would name that of ssactl.
const release = "v5.8.1"

// nameRelease has the label that kustomize adds of itself on request name its
// release.
func nameRelease(objects []*resource.Resource) error {
	own := "kustomize-" + provenance.GetProvenance().Semver()
	for _, o := range objects {
		labels := o.GetLabels()
		if labels[konfig.ManagedbyLabelKey] != own {
			continue
		}
		labels[konfig.ManagedbyLabelKey] = "kustomize-" + release
		if err := o.SetLabels(labels); err != nil {
			return err
		}
	}
	return nil
}

// stream writes the objects one after the other.
func stream(objects []*resource.Resource) ([]byte, error) {
	if len(objects) == 0 {
		return nil, errors.New("the kustomization gives no object")
	}
	var out bytes.Buffer
	for i, o := range objects {
		text, err := o.AsYAML()
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteString("---\n")
		}
		out.Write(text)
	}
	return out.Bytes(), nil
}

// origins returns the origins of n objects, or nil if they are not known.
func (b *builder) origins(n int) []*resource.Origin {
	fs := newFiles(b.at, b.options)
	fs.edit = func(path string, text []byte) []byte {
		if isKustomization(path) && filepath.Dir(path) == b.at.root {
			return withOrigins(text)
		}
		return text
	}
	objects, err := b.run(fs)
	if err != nil || len(objects) != n {
		return make([]*resource.Origin, n)
	}
	list := make([]*resource.Origin, n)
	for i, o := range objects {
		// One that cannot be read is none.
		list[i], _ = o.GetOrigin()
	}
	return list
}

// load reads the objects as any other input is read, and puts them where they
// come from.
func (b *builder) load(from []*resource.Origin, derived [][]disguise.Path) {
	options := b.options
	options.Stdin, options.Wait, options.OnRead = bytes.NewReader(b.built.Text), nil, nil
	options.OnFile = nil
	o := &origins{at: b.at, options: options, known: map[string][]manifest.Document{}}
	documents, problems := manifest.Load([]string{"-"}, options)
	b.mark(documents, derived)
	for _, d := range documents {
		if n := d.Source.Document; n > 0 && n <= len(from) {
			d = o.locate(d, from[n-1])
		}
		b.built.Documents = append(b.built.Documents, d)
	}
	for _, p := range problems {
		p.Source, p.Op = manifest.Source{File: b.at.dir}, "build"
		b.built.Problems = append(b.built.Problems, p)
	}
}
