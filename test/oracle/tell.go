package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/story"
	"github.com/ssactl/ssactl/test/oracle/kube"
	"github.com/ssactl/ssactl/test/oracle/told"
)

// runTell tells the stories of ssactl test, checks their expectations, and asks the server what ssactl
// has asked its own.
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
	teller, calls := &told.Teller{Server: server}, &told.Calls{}
	watch(calls)
	var steps, failed int
	asked := told.Asked{Left: map[string]int{}}
	for _, s := range stories {
		t, err := teller.Tell(ctx, s)
		if err != nil {
			failed++
			fmt.Fprintf(out, "%s: %v\n", s.Name, err)
			continue
		}
		steps += t.Steps
		for _, f := range t.Failures {
			failed++
			fmt.Fprintf(out, "%s:%d: %s: %s\n", f.File, f.Line, s.Name, f)
		}
		one, err := teller.Ask(ctx, s, calls)
		asked.Add(one)
		if err != nil {
			failed++
			fmt.Fprintf(out, "%s: %v\n", s.Name, err)
		}
	}
	for _, d := range asked.Differences {
		failed++
		fmt.Fprintln(out, d)
	}
	fmt.Fprintf(out, "%d stories, %d steps that are one request each: %d failures\n", len(stories), steps, failed)
	fmt.Fprintf(out, "%d requests of ssactl test (clients, rounds of the other writers, plans): %d answered differently\n",
		asked.Calls, len(asked.Differences))
	for _, because := range slices.Sorted(maps.Keys(asked.Left)) {
		fmt.Fprintf(out, "%d requests not sent: %s\n", asked.Left[because], because)
	}
	if failed > 0 {
		err = errors.New("the server answers otherwise than the stories expect")
	}
	return errors.Join(err, server.Close())
}

// watch has the calls of all servers kept that ssactl makes in this process.
func watch(calls *told.Calls) {
	cluster.NewServer = func(options server.Options) (*server.Server, error) {
		options.Watch = calls.Watch
		return server.New(options)
	}
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
