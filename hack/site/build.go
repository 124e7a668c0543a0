package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// schema is published under the path of its $id as well.
const schema = "docs/report.schema.json"

// build writes the site of a repository into a directory.
func build(files fs.FS, dir string) error {
	pages, err := readPages(files)
	if err != nil {
		return err
	}
	assets, err := fs.Glob(files, "docs/pictures/*")
	if err != nil {
		return err
	}
	assets = append(assets, schema)
	links := newLinker(files, pages, assets)
	for _, p := range pages {
		links.relink(p)
	}
	if links.broken != nil {
		return fmt.Errorf("links that lead nowhere:\n%s", strings.Join(links.broken, "\n"))
	}
	if err := writePages(pages, dir); err != nil {
		return err
	}
	for _, p := range pages {
		if err := write(dir, twinOf(p.url), links.twin(p)); err != nil {
			return err
		}
	}
	if err := write(dir, "llms.txt", index(pages)); err != nil {
		return err
	}
	return copyAssets(files, assets, dir)
}

// readPages reads the pages of the navigation, which has to have all of docs.
func readPages(files fs.FS) ([]*page, error) {
	var pages []*page
	var listed []string
	for _, e := range entries() {
		p, err := readPage(files, e)
		if err != nil {
			return nil, err
		}
		pages, listed = append(pages, p), append(listed, e.source)
	}
	err := fs.WalkDir(files, "docs", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".md") && !slices.Contains(listed, name) {
			return fmt.Errorf("%s is not in the navigation", name)
		}
		return err
	})
	return pages, err
}

func writePages(pages []*page, dir string) error {
	for i, p := range pages {
		if err := p.render(); err != nil {
			return err
		}
		html, err := layOut(pages, i)
		if err != nil {
			return fmt.Errorf("%s: %w", p.source, err)
		}
		if err := write(dir, p.url, html); err != nil {
			return err
		}
	}
	return write(dir, "site.css", css)
}

func copyAssets(files fs.FS, assets []string, dir string) error {
	for _, a := range assets {
		content, err := fs.ReadFile(files, a)
		if err != nil {
			return err
		}
		to := []string{assetURL(a)}
		if a == schema {
			published, err := publishedAt(content)
			if err != nil {
				return fmt.Errorf("%s: %w", a, err)
			}
			to = append(to, published)
		}
		for _, name := range to {
			if err := write(dir, name, content); err != nil {
				return err
			}
		}
	}
	return nil
}

// publishedAt is the path of a schema's $id.
func publishedAt(schema []byte) (string, error) {
	var head struct {
		ID string `json:"$id"`
	}
	if err := json.Unmarshal(schema, &head); err != nil {
		return "", err
	}
	u, err := url.Parse(head.ID)
	if err != nil {
		return "", err
	}
	name := strings.TrimPrefix(path.Clean(u.Path), "/")
	if !fs.ValidPath(name) || name == "." {
		return "", errors.New("its $id has no path")
	}
	return name, nil
}

func write(dir, name string, content []byte) error {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644)
}
