// Package stories runs stories of writes with expectations: 'ssactl test'.
//
//	flags to stories          command.go, common.go
//	  -> a story to steps     tell.go, line.go
//	     -> a document        document.go, run.go
//	        -> a page         page.go
//
// Each step is a command line of ssactl over the objects that the steps before have left, so
// that a story says what the commands say.
package stories

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/bounded"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/output"
	"github.com/ssactl/ssactl/internal/story"
)

type options struct {
	output.AnswerFlags
	execute Execute
	app     *app.App
	named   string
	only    *regexp.Regexp
	jobs    int
	update  bool
	schema  bool
	watches bool
	common  common
}

// maxStoryBytes bounds a file of stories.
const maxStoryBytes = 4 << 20

// New is the command test. It runs command lines by execute.
func New(a *app.App, execute Execute) *cobra.Command {
	o := &options{execute: execute, app: a}
	cmd := &cobra.Command{
		Use:   "test STORY.yaml...|DIR...",
		Short: "Test ownership by stories of writes with expectations",
		Long: `Run stories: unit tests for ownership. A story is a YAML document with writes by
named field managers or clients, and what is expected after each: the outcome,
conflicts, values, owners, findings, and whether the write lasts. What a story
does not mention is not checked. A directory stands for the stories in it.

The commonest tests need no file: --twice installs manifests a second time,
--upgrade OLD NEW upgrades them as each client does, and --keeps FIELD --from
MANAGER says whether a field stays with another manager. --write-story prints
the story that such a test is.

The exit code is 0 when all expectations hold, 1 when one does not, and 2 when a
story cannot be told: a typo, a missing file, an impossible step. The others
still run.`,
		Example: `  ssactl test stories/
  ssactl test stories/ --run 'autoscaler|conflict' -o junit=stories.xml
  ssactl test stories/ --watch
  ssactl test --twice -f chart.yaml --client helm
  ssactl test --upgrade v1.yaml v2.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.runAll(cmd.Context(), args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.named, "run", "", "only stories whose names match this regular `expression`")
	flags.BoolVar(&o.update, "update", false, "write what was observed into the stories instead of what they expect")
	flags.BoolVar(&o.watches, "watch", false, "run stories again when their files change, until interrupted")
	flags.BoolVar(&o.schema, "schema", false, "print the JSON Schema of stories, for editors")
	flags.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "`number` of stories to run in parallel")
	o.common.add(cmd)
	o.AnswerFlags.AddOf(cmd, show.AnswerFormats("json", "yaml", "github", "junit")...)
	return cmd
}

// runAll runs the stories of files, or those of flags.
func (o *options) runAll(ctx context.Context, args []string) (err error) {
	if o.schema {
		return show.EncodeTo(o.app.Streams.Out, story.Schema())
	}
	if o.only, err = regexp.Compile(o.named); err != nil {
		return fmt.Errorf("--run: %w", err)
	}
	if err := o.AnswerFlags.Check(&input.Flags{}); err != nil {
		return err
	}
	if o.jobs < 1 {
		return fmt.Errorf("--jobs %d: at least one story runs at a time", o.jobs)
	}
	if o.watches {
		if o.update || o.common.writes {
			return errors.New("--watch runs stories: without --update and --write-story")
		}
		return o.watch(ctx, args)
	}
	tests, err := o.tests(args)
	if err != nil {
		return err
	}
	if o.common.writes {
		return o.print(tests)
	}
	return o.run(ctx, tests)
}

// run runs stories, and shows or writes what was observed.
func (o *options) run(ctx context.Context, tests []*test) error {
	d := o.tellAll(ctx, tests)
	if o.update {
		return errors.Join(o.rewrite(tests), verdict(Document{Summary: Summary{Broken: d.Summary.Broken}}))
	}
	answer := show.Answer{Report: d, View: func(po page.Options) model.Document { return pageOf(d, po) }}
	if err := o.Answer(o.app, time.Time{}, nil, answer); err != nil {
		return err
	}
	return verdict(d)
}

// verdict is the exit code of a run.
func verdict(d Document) error {
	switch {
	case d.Summary.Broken > 0:
		return app.ErrTrouble
	case d.Summary.Failed > 0:
		return app.ErrNo
	}
	return nil
}

// test is a story to run, or why there is none.
type test struct {
	story.Story
	problem error
	told    []told
}

// tests are the stories of files and folders, or of flags.
func (o *options) tests(args []string) ([]*test, error) {
	if o.common.given() {
		tests, err := o.common.tests(args)
		if err != nil {
			return nil, err
		}
		return read(tests)
	}
	if len(args) == 0 {
		return nil, errors.New("name stories, or folders with stories; --twice, --upgrade and --keeps need none")
	}
	files, err := filesOf(args)
	if err != nil {
		return nil, err
	}
	var out []*test
	for _, file := range files {
		text, err := bounded.File(file, maxStoryBytes)
		if err != nil {
			out = append(
				out,
				&test{problem: &story.Problem{Place: story.Place{File: file, Line: 1, Column: 1}, Message: err.Error()}},
			)
			continue
		}
		stories, err := story.Read(file, text)
		for _, s := range stories {
			if o.only.MatchString(s.Name) {
				out = append(out, &test{Story: s})
			}
		}
		for _, problem := range story.Problems(err) {
			out = append(out, &test{problem: problem})
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("--run %s: no story has such a name", o.named)
	}
	return out, nil
}

// filesOf are files, and those of folders that end as stories do, sorted.
func filesOf(args []string) (files []string, err error) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() {
			files = append(files, arg)
			continue
		}
		err = filepath.WalkDir(arg, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && isStory(path) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no file of stories, which have kind: %s", strings.Join(args, ", "), story.Kind)
	}
	return files, nil
}

// foldersIn are a folder and those in it; none for a file.
func foldersIn(path string) (out []string) {
	_ = filepath.WalkDir(path, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && len(out) < mostFolders {
			out = append(out, path)
		}
		return nil
	})
	return out
}

// isStory reports whether a file of a folder has stories: others are what they apply.
func isStory(path string) bool {
	if !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(path)) {
		return false
	}
	text, err := bounded.File(path, maxStoryBytes)
	return err == nil && storyLine.Match(text)
}

var storyLine = regexp.MustCompile(`(?m)^kind:[ \t]*["']?Story["']?[ \t]*(#.*)?$`)
