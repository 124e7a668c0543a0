package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ssactl/ssactl/internal/story"
	"github.com/ssactl/ssactl/test/oracle/kube"
	"github.com/ssactl/ssactl/test/oracle/told"
)

// runTell tells the stories of ssactl test, and checks their expectations.
func runTell(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("tell", flag.ContinueOnError)
	if err := flags.Parse(args); err != nil {
		return err
	}
	stories, err := readStories(flags.Args())
	if err != nil {
		return err
	}
	server, err := kube.Start(ctx)
	if err != nil {
		return err
	}
	teller := &told.Teller{Server: server}
	var steps, failed, left int
	for _, s := range stories {
		t, err := teller.Tell(ctx, s)
		if err != nil {
			failed++
			fmt.Fprintf(out, "%s: %v\n", s.Name, err)
			continue
		}
		steps += t.Steps
		if t.Left != "" {
			left++
		}
		for _, f := range t.Failures {
			failed++
			fmt.Fprintf(out, "%s:%d: %s: %s\n", f.File, f.Line, s.Name, f)
		}
	}
	fmt.Fprintf(out, "%d stories, %d of them up to a step that is more than one request; %d steps told, %d failures\n",
		len(stories), left, steps, failed)
	if failed > 0 {
		err = errors.New("the server answers otherwise than the stories expect")
	}
	return errors.Join(err, server.Close())
}

// readStories reads files, and all of folders.
func readStories(paths []string) ([]story.Story, error) {
	if len(paths) == 0 {
		return nil, errors.New("tell: give files or folders of stories")
	}
	var out []story.Story
	for _, path := range paths {
		err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(file, ".yaml") {
				return err
			}
			text, err := os.ReadFile(file)
			if err != nil || !strings.Contains(string(text), "kind: Story") {
				return err
			}
			list, err := story.Read(file, text)
			out = append(out, list...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
