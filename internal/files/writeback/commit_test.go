package writeback

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/files/atomic"
)

// folder writes files and gives the names of their folder and a function that
// reads everything in it.
func folder(t *testing.T, files map[string]string) (string, func() map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, func() map[string]string {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]string{}
		for _, entry := range entries {
			all[entry.Name()] = read(t, filepath.Join(dir, entry.Name()))
		}
		return all
	}
}

func replaceA(file string) *Plan {
	plan := &Plan{}
	plan.Replace(Place{File: file, Document: 1, Item: NotInList}, configMap("a", "x"))
	return plan
}

const yamlAX = "apiVersion: v1\ndata:\n  k: x\nkind: ConfigMap\nmetadata:\n  name: a\n"

func TestCommitKeepsMode(t *testing.T) {
	for _, mode := range []fs.FileMode{0o600, 0o644, 0o755, 0o400 | 0o020} {
		dir, _ := folder(t, map[string]string{"a.yaml": yamlA})
		file := filepath.Join(dir, "a.yaml")
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := replaceA(file).Commit(context.Background(), atomic.OS{}); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != mode {
			t.Errorf("mode %v, want %v", info.Mode(), mode)
		}
	}
}

func TestCommitWritesThroughSymlinks(t *testing.T) {
	dir, _ := folder(t, map[string]string{"a.yaml": yamlA})
	elsewhere := t.TempDir()
	link := filepath.Join(elsewhere, "link.yaml")
	if err := os.Symlink(filepath.Join(dir, "a.yaml"), link); err != nil {
		t.Fatal(err)
	}
	if _, err := replaceA(link).Commit(context.Background(), atomic.OS{}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("the link is %v (%v)", info.Mode(), err)
	}
	if diff := cmp.Diff(yamlAX, read(t, filepath.Join(dir, "a.yaml"))); diff != "" {
		t.Errorf("target (-want +got):\n%s", diff)
	}
}

func TestCommitJoinsTwoNamesOfOneFile(t *testing.T) {
	dir, _ := folder(t, map[string]string{"a.yaml": yamlA + "---\n" + yamlB})
	file := filepath.Join(dir, "a.yaml")
	if err := os.Symlink("a.yaml", filepath.Join(dir, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	plan := replaceA(file)
	plan.Delete(Place{File: filepath.Join(dir, "link.yaml"), Document: 2, Item: NotInList}, configMap("b", ""))
	if _, err := plan.Commit(context.Background(), atomic.OS{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(yamlAX, read(t, file)); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

func TestCommitKeepsTheEnvelope(t *testing.T) {
	compress := func(text string) string {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		w.Name = "dump"
		_, _ = io.WriteString(w, text)
		_ = w.Close()
		return out.String()
	}
	dir, _ := folder(t, map[string]string{"a.gz": compress("\uFEFF" + yamlA), "b": "\uFEFF" + yamlA})
	plan := replaceA(filepath.Join(dir, "a.gz"))
	plan.Replace(Place{File: filepath.Join(dir, "b"), Document: 1, Item: NotInList}, configMap("a", "x"))
	if _, err := plan.Commit(context.Background(), atomic.OS{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("\uFEFF"+yamlAX, read(t, filepath.Join(dir, "b"))); diff != "" {
		t.Errorf("byte order mark (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(compress("\uFEFF"+yamlAX), read(t, filepath.Join(dir, "a.gz"))); diff != "" {
		t.Errorf("compressed (-want +got):\n%s", diff)
	}
}

func TestCommitWritesManagedFields(t *testing.T) {
	object := configMap("a", "a")
	object["metadata"].(map[string]any)["managedFields"] = []any{map[string]any{
		"manager": "m", "operation": "Apply", "fieldsType": "FieldsV1",
		"fieldsV1": map[string]any{"f:data": map[string]any{"f:k": map[string]any{}}},
	}}
	got, err := commitText(t, "a.yaml", yamlA, []step{{at: whole1(), object: object}})
	if err != nil {
		t.Fatal(err)
	}
	want := yamlA[:strings.Index(yamlA, "  name:")] +
		"  managedFields:\n  - fieldsType: FieldsV1\n    fieldsV1:\n      f:data:\n        f:k: {}\n    manager: m\n    operation: Apply\n  name: a\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestRewriteOfAWholeFile(t *testing.T) {
	dir, all := folder(t, map[string]string{"a.yaml": yamlA})
	file := filepath.Join(dir, "a.yaml")
	plan := &Plan{}
	plan.Rewrite(file, []byte("# new\n"))
	if _, err := plan.Commit(context.Background(), atomic.OS{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a.yaml": "# new\n"}, all()); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	plan = replaceA(file)
	plan.Rewrite(file, nil)
	if _, err := plan.Commit(context.Background(), atomic.OS{}); !errors.Is(err, ErrTwice) {
		t.Errorf("rewrite and replace: %v, want ErrTwice", err)
	}
}

func TestCommitExpectsTheVersion(t *testing.T) {
	dir, all := folder(t, map[string]string{"a.yaml": yamlA})
	file := filepath.Join(dir, "a.yaml")
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	twin := filepath.Join(dir, "twin.yaml")
	if err := os.WriteFile(twin, []byte(yamlA), 0o600); err != nil {
		t.Fatal(err)
	}
	other, err := os.Stat(twin)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		read map[string]atomic.Version
		want error
	}{
		{"not read", nil, nil},
		{"another was read", map[string]atomic.Version{twin: atomic.VersionOf([]byte(yamlB), other)}, nil},
		{"same bytes", map[string]atomic.Version{file: atomic.VersionOf([]byte(yamlA), nil)}, nil},
		{"same file and bytes", map[string]atomic.Version{file: atomic.VersionOf([]byte(yamlA), info)}, nil},
		{"other bytes", map[string]atomic.Version{file: atomic.VersionOf([]byte(yamlB), info)}, atomic.ErrChanged},
		{
			"another file of the same bytes",
			map[string]atomic.Version{file: atomic.VersionOf([]byte(yamlA), other)},
			atomic.ErrChanged,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plan := &Plan{Read: tt.read}
			plan.Replace(Place{File: file, Document: 1, Item: NotInList}, configMap("a", "a"))
			if _, err := plan.Commit(context.Background(), atomic.OS{}); !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
			if diff := cmp.Diff(map[string]string{"a.yaml": yamlA, "twin.yaml": yamlA}, all()); diff != "" {
				t.Errorf("folder (-want +got):\n%s", diff)
			}
		})
	}
}

// A faulty file system is the machine's, with faults at some of its calls.
type faulty struct {
	atomic.OS
	// create, link and rename give the error of the n-th call, from 1.
	create, link, rename map[int]error
	// full is what every write answers; before runs before the first link.
	full   error
	before func()

	creates, links, renames int
}

func (f *faulty) Create(name string) (atomic.File, error) {
	f.creates++
	if err := f.create[f.creates]; err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	file, err := f.OS.Create(name)
	if f.full != nil && err == nil {
		return fullFile{file, &fs.PathError{Op: "write", Path: name, Err: f.full}}, nil
	}
	return file, err
}

func (f *faulty) Link(name, second string) error {
	f.links++
	if f.before != nil {
		f.before()
	}
	if err := f.link[f.links]; err != nil {
		return err
	}
	return f.OS.Link(name, second)
}

func (f *faulty) Rename(from, to string) error {
	f.renames++
	if err := f.rename[f.renames]; err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return f.OS.Rename(from, to)
}

// A fullFile takes half of what is written to it.
type fullFile struct {
	atomic.File
	err error
}

func (f fullFile) Write(p []byte) (int, error) {
	n, _ := f.File.Write(p[:len(p)/2])
	return n, f.err
}

func TestCommitIsAllOrNothing(t *testing.T) {
	before := map[string]string{"a.yaml": yamlA, "b.yaml": yamlA, "c.yaml": yamlA}
	after := map[string]string{"a.yaml": yamlAX, "b.yaml": yamlAX, "c.yaml": yamlAX, "new.yaml": yamlX}
	denied, broken := fs.ErrPermission, errors.New("broken")
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	tests := []struct {
		name  string
		ctx   context.Context
		files faulty
		want  error
	}{
		{name: "no fault"},
		{name: "read-only folder", files: faulty{create: map[int]error{1: denied}}, want: denied},
		{name: "read-only folder of the last file", files: faulty{create: map[int]error{4: denied}}, want: denied},
		{name: "full disk", files: faulty{full: syscall.ENOSPC}, want: syscall.ENOSPC},
		{name: "no hard links", files: faulty{link: map[int]error{1: broken, 2: broken, 3: broken}}},
		{
			name:  "no room for a copy",
			files: faulty{link: map[int]error{2: broken}, create: map[int]error{5: syscall.ENOSPC}},
			want:  syscall.ENOSPC,
		},
		{name: "first rename", files: faulty{rename: map[int]error{1: broken}}, want: broken},
		{name: "second rename", files: faulty{rename: map[int]error{2: broken}}, want: broken},
		{name: "last rename", files: faulty{rename: map[int]error{4: broken}}, want: broken},
		{name: "interrupted", ctx: canceled, want: context.Canceled},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, all := folder(t, before)
			plan := &Plan{NewFile: filepath.Join(dir, "new.yaml")}
			for name := range before {
				plan.Replace(Place{File: filepath.Join(dir, name), Document: 1, Item: NotInList}, configMap("a", "x"))
			}
			plan.Create(configMap("x", "v"))
			ctx := tt.ctx
			if ctx == nil {
				ctx = context.Background()
			}
			_, err := plan.Commit(ctx, &tt.files)
			if !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), ".ssactl-") {
				t.Errorf("error %v: it names a file that nobody knows", err)
			}
			want := after
			if tt.want != nil {
				want = before
			}
			if diff := cmp.Diff(want, all()); diff != "" {
				t.Errorf("folder (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCommitTellsWhatItCouldNotPutBack(t *testing.T) {
	dir, all := folder(t, map[string]string{"a.yaml": yamlA, "b.yaml": yamlA, "c.yaml": yamlA})
	broken := errors.New("broken")
	files := &faulty{rename: map[int]error{3: broken, 4: broken}}
	plan := &Plan{}
	for _, name := range []string{"a.yaml", "b.yaml", "c.yaml"} {
		plan.Replace(Place{File: filepath.Join(dir, name), Document: 1, Item: NotInList}, configMap("a", "x"))
	}
	_, err := plan.Commit(context.Background(), files)
	var swap *atomic.SwapError
	if !errors.As(err, &swap) {
		t.Fatalf("error %v, want a SwapError", err)
	}
	if diff := cmp.Diff([]string{filepath.Join(dir, "a.yaml")}, swap.Restored); diff != "" {
		t.Errorf("restored (-want +got):\n%s", diff)
	}
	if len(swap.Lost) != 1 || swap.Lost[0].Target != filepath.Join(dir, "b.yaml") {
		t.Fatalf("lost %v, want b.yaml", swap.Lost)
	}
	now := all()
	got := map[string]string{
		"a.yaml": now["a.yaml"],
		"b.yaml": now["b.yaml"],
		"c.yaml": now["c.yaml"],
		"backup": now[filepath.Base(swap.Lost[0].Backup)],
	}
	if diff := cmp.Diff(map[string]string{"a.yaml": yamlA, "b.yaml": yamlAX, "c.yaml": yamlA, "backup": yamlA}, got); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	// The next run ends it.
	if _, err := atomic.Recover(t.Context(), atomic.OS{}, []string{dir}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a.yaml": yamlAX, "b.yaml": yamlAX, "c.yaml": yamlAX}, all()); diff != "" {
		t.Errorf("recovered (-want +got):\n%s", diff)
	}
}

func TestCommitSeesAWriterInBetween(t *testing.T) {
	dir, all := folder(t, map[string]string{"a.yaml": yamlA, "b.yaml": yamlA})
	plan := replaceA(filepath.Join(dir, "a.yaml"))
	plan.Replace(Place{File: filepath.Join(dir, "b.yaml"), Document: 1, Item: NotInList}, configMap("a", "x"))
	files := &faulty{before: func() {
		if err := os.WriteFile(filepath.Join(dir, "b.yaml"), []byte("other: text\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}}
	if _, err := plan.Commit(context.Background(), files); !errors.Is(err, atomic.ErrChanged) {
		t.Errorf("error %v, want ErrChanged", err)
	}
	if diff := cmp.Diff(map[string]string{"a.yaml": yamlA, "b.yaml": "other: text\n"}, all()); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
}

func TestCommitRefuses(t *testing.T) {
	dir, _ := folder(t, map[string]string{"readonly.yaml": yamlA})
	if err := os.Chmod(filepath.Join(dir, "readonly.yaml"), 0o444); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, file string
		want       error
	}{
		{"standard input", "-", ErrStandardInput},
		{"read-only file", filepath.Join(dir, "readonly.yaml"), ErrReadOnly},
		{"absent file", filepath.Join(dir, "absent.yaml"), fs.ErrNotExist},
		{"folder", dir, atomic.ErrNotRegular},
		{"device", os.DevNull, atomic.ErrNotRegular},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := replaceA(tt.file).Commit(context.Background(), atomic.OS{})
			var place *PlaceError
			if !errors.Is(err, tt.want) || !errors.As(err, &place) || place.File != tt.file {
				t.Errorf("error %v, want %v at %s", err, tt.want, tt.file)
			}
		})
	}
}

func TestCommitOfAnEmptyPlan(t *testing.T) {
	plan := &Plan{}
	if !plan.Empty() {
		t.Error("the zero plan is not empty")
	}
	written, err := plan.Commit(context.Background(), atomic.OS{})
	if err != nil || len(written) != 0 {
		t.Errorf("written %v, error %v; want nothing", written, err)
	}
}
