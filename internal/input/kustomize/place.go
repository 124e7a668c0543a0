package kustomize

import (
	"path/filepath"
	"strings"
)

// place is the folder of a kustomization: as the user named it, and as it is.
type place struct {
	dir  string
	root string
}

func newPlace(dir string) (place, error) {
	root, err := filepath.EvalSymlinks(dir)
	if err == nil {
		root, err = filepath.Abs(root)
	}
	return place{dir, root}, err
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
