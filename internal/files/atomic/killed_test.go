package atomic

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/test/figures"
)

// A dying file system does a number of steps, and then nothing any more: what
// it leaves is what a process leaves that is killed there.
type dying struct {
	OS
	left int
	dead bool
	// rename has the errors of renames to a name, lock those of locks.
	rename, lock map[string]error
}

var errDead = errors.New("the process is dead")

func (d *dying) step() error {
	if d.left == 0 {
		d.dead = true
	}
	d.left--
	if d.dead {
		return errDead
	}
	return nil
}

func step[T any](d *dying, do func() (T, error)) (T, error) {
	if err := d.step(); err != nil {
		var none T
		return none, err
	}
	return do()
}

func (d *dying) Lock(name string) (Lock, error) {
	lock, err := step(d, func() (Lock, error) {
		if err := d.lock[name]; err != nil {
			return nil, err
		}
		return d.OS.Lock(name)
	})
	return &dyingLock{lock, name, d}, err
}

func (d *dying) Create(name string) (File, error) {
	file, err := step(d, func() (File, error) { return d.OS.Create(name) })
	return &dyingFile{file, d}, err
}

func (d *dying) Adopt(name, former string) error {
	_, err := step(d, func() (any, error) { return nil, d.OS.Adopt(name, former) })
	return err
}

func (d *dying) Like(name, former string) error {
	_, err := step(d, func() (any, error) { return nil, d.OS.Like(name, former) })
	return err
}

func (d *dying) MakeFolder(name string) error {
	_, err := step(d, func() (any, error) { return nil, d.OS.MakeFolder(name) })
	return err
}

func (d *dying) Link(name, second string) error {
	_, err := step(d, func() (any, error) { return nil, d.OS.Link(name, second) })
	return err
}

func (d *dying) Rename(from, to string) error {
	_, err := step(d, func() (any, error) {
		if err := d.rename[filepath.Base(to)]; err != nil {
			return nil, err
		}
		return nil, d.OS.Rename(from, to)
	})
	return err
}

func (d *dying) Remove(name string) error {
	_, err := step(d, func() (any, error) { return nil, d.OS.Remove(name) })
	return err
}

func (d *dying) SyncFolder(string) {}

func (d *dying) Sweep(name string) error {
	_, err := step(d, func() (any, error) { return nil, d.OS.Sweep(name) })
	return err
}

type dyingLock struct {
	Lock
	name  string
	files *dying
}

// Write is cut short, too. Nothing is synced: what a killed process has written
// is there.
func (l *dyingLock) Write(content []byte) error {
	if err := l.files.step(); err != nil {
		return err
	}
	if err := l.files.step(); err != nil {
		_ = os.WriteFile(l.name, content[:len(content)/2], 0o600)
		return err
	}
	return os.WriteFile(l.name, content, 0o600)
}

func (l *dyingLock) Remove() error {
	if err := l.files.step(); err != nil {
		l.Release() // as the system does
		return err
	}
	return l.Lock.Remove()
}

type dyingFile struct {
	File
	files *dying
}

func (f *dyingFile) Write(content []byte) (int, error) {
	if err := f.files.step(); err != nil {
		n, _ := f.File.Write(content[:len(content)/2])
		return n, err
	}
	return f.File.Write(content)
}

func (f *dyingFile) Sync() error { return nil }

// immortal is one that does not die.
const immortal = -1

var (
	formerly = map[string]string{"one/a": "former a", "one/b": "former b", "two/c": "former c"}
	then     = map[string]string{"one/a": "next a", "one/b": "next b", "two/c": "next c", "two/new": "next new"}
)

// world makes the files, and gives their root.
func world(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range formerly {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o640)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// commit replaces all files of a world.
func commit(files FileSystem, root string) error {
	var targets []Target
	for _, name := range slices.Sorted(maps.Keys(then)) {
		targets = append(targets, Target{Name: name, Path: filepath.Join(root, filepath.FromSlash(name))})
	}
	tx, err := Begin(context.Background(), files, targets)
	if err != nil {
		return err
	}
	defer tx.Close()
	for _, target := range targets {
		info, err := os.Lstat(target.Path)
		if errors.Is(err, fs.ErrNotExist) {
			info = nil
		}
		if err := tx.Replace(target, []byte(then[target.Name]), info, []byte(formerly[target.Name])); err != nil {
			return err
		}
	}
	return tx.Commit(context.Background())
}

// have reads all files of a world.
func have(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		all[filepath.ToSlash(name)] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func foldersIn(root string) []string {
	return []string{filepath.Join(root, "one"), filepath.Join(root, "two")}
}

// TestHostileSteps: whatever step is the last, the next run finds everything
// as it was or makes everything new, and leaves no temporary file. So it does
// where that run is killed, too.
func TestHostileSteps(t *testing.T) {
	every := 5 // of the first kills, one is followed by others
	if figures.Runs(0) > 0 {
		every = 1
	}
	first, second := 0, 0
	for name, rename := range map[string]map[string]error{
		"commit":   nil,
		"put back": {"c": errors.New("broken")},
	} {
		t.Run(name, func(t *testing.T) {
			steps := 0
			for ; ; steps++ {
				root := world(t)
				d := &dying{left: steps, rename: rename}
				_ = commit(d, root)
				if !d.dead {
					break
				}
				if rename == nil {
					onlyPrivate(t, root)
				}
				recovered(t, root, steps)
				if steps%every == 0 {
					second += killedAgain(t, steps, rename)
				}
			}
			first += steps
			if steps < 30 {
				t.Errorf("there are %d steps only", steps)
			}
		})
	}
	figures.Record(
		t,
		"steps",
		"stops at each step of writing files, or of putting them back, and at each step of the recovery from there",
		fmt.Sprintf("stopped %d times, and %d times again: always all files new or all as they were", first, second),
	)
}

// killedAgain kills the recovery at each of its steps, and gives how many there
// are.
func killedAgain(t *testing.T, steps int, rename map[string]error) int {
	t.Helper()
	for again := 0; ; again++ {
		root := world(t)
		_ = commit(&dying{left: steps, rename: rename}, root)
		d := &dying{left: again}
		_, _ = Recover(t.Context(), d, foldersIn(root))
		if !d.dead {
			return again
		}
		recovered(t, root, steps, again)
	}
}

// recovered starts in the folder that does not have the journal: it refers to
// the other.
func recovered(t *testing.T, root string, at ...int) {
	t.Helper()
	for _, folders := range [][]string{foldersIn(root)[1:], foldersIn(root)} {
		if _, err := Recover(t.Context(), &dying{left: immortal}, folders); err != nil {
			t.Fatalf("killed at %d: %v", at, err)
		}
		got := have(t, root)
		if len(folders) == 1 {
			// A folder is not looked into before anything is said of it.
			maps.DeleteFunc(got, func(name, _ string) bool {
				return temporary.MatchString(filepath.Base(name)) || filepath.Base(name) == journalName
			})
		}
		if cmp.Diff(formerly, got) != "" && cmp.Diff(then, got) != "" {
			t.Errorf("killed at %d: neither as it was nor as it was to be: %v", at, got)
		}
	}
}

// onlyPrivate: nobody else may read a new content, but for the one that gets the
// mode of its target in order to be renamed.
func onlyPrivate(t *testing.T, root string) {
	t.Helper()
	open := 0
	for name, content := range have(t, root) {
		info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		isNext := slices.Contains(slices.Collect(maps.Values(then)), content)
		if temporary.MatchString(filepath.Base(name)) && isNext && info.Mode() != 0o600 {
			open++
		}
	}
	if open > 1 {
		t.Errorf("%d temporary files can be read by others", open)
	}
}

// TestFolderKilledAnywhere: a folder takes the place of another as a whole, in
// two renames.
func TestFolderKilledAnywhere(t *testing.T) {
	former, next := map[string]string{"out/b/former": "x", "out/step": "former"}, map[string]string{"out/step": "next"}
	kept, replaced := 0, 0
	for steps := 0; ; steps++ {
		root := t.TempDir()
		if err := errors.Join(os.MkdirAll(filepath.Join(root, "out", "b"), 0o750),
			os.WriteFile(filepath.Join(root, "out", "b", "former"), []byte("x"), 0o600),
			os.WriteFile(filepath.Join(root, "out", "step"), []byte("former"), 0o600)); err != nil {
			t.Fatal(err)
		}
		d := &dying{left: steps}
		_ = commitFolder(d, filepath.Join(root, "out"))
		if _, err := Recover(t.Context(), &dying{left: immortal}, []string{root}); err != nil {
			t.Fatalf("killed at %d: %v", steps, err)
		}
		switch got := have(t, root); {
		case cmp.Diff(former, got) == "":
			kept++
		case cmp.Diff(next, got) == "":
			replaced++
		default:
			t.Errorf("killed at %d: %v", steps, got)
		}
		if !d.dead {
			break
		}
	}
	if kept == 0 || replaced < 3 {
		t.Errorf("kept %d times, replaced %d times", kept, replaced)
	}
}

func commitFolder(files FileSystem, path string) error {
	target := Target{Name: "out", Path: path}
	tx, err := Begin(context.Background(), files, []Target{target})
	if err != nil {
		return err
	}
	defer tx.Close()
	staged, err := tx.ReplaceFolder(target)
	if err == nil {
		err = os.WriteFile(filepath.Join(staged, "step"), []byte("next"), 0o600)
	}
	if err != nil {
		return err
	}
	return tx.Commit(context.Background())
}

// TestFolderOfAnInconsistentJournal: the former folder comes back where nothing
// is finished.
func TestFolderOfAnInconsistentJournal(t *testing.T) {
	root := t.TempDir()
	staged, backup := beside(filepath.Join(root, "x")), beside(filepath.Join(root, "x"))
	if err := errors.Join(os.Mkdir(staged, 0o700), os.Mkdir(backup, 0o700), os.WriteFile(filepath.Join(backup, "step"), []byte("former"), 0o600)); err != nil {
		t.Fatal(err)
	}
	r := record{Files: []intent{{
		Target: "out", Staged: filepath.Base(staged), Backup: filepath.Base(backup),
		Former: treeDigest(backup), Next: digestOf([]byte("another")),
	}}}
	if err := os.WriteFile(filepath.Join(root, journalName), encoded(t, r), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Recover(t.Context(), OS{}, []string{root}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"out/step": "former"}, have(t, root)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestRecoveryOfWhatSomebodyChanged: who edits a file, or puts the former one
// back, has the last word. Nothing is finished over it.
func TestRecoveryOfWhatSomebodyChanged(t *testing.T) {
	tests := []struct {
		name, file, content string
		want                Recovery
	}{
		{
			"edit",
			"two/c",
			"mine",
			Recovery{Changed: []string{"two/c"}, Former: []string{"two/new"}, Next: []string{"one/a", "one/b"}},
		},
		{
			"put back",
			"one/a",
			formerly["one/a"],
			Recovery{Changed: []string{"one/a"}, Former: []string{"two/c", "two/new"}, Next: []string{"one/b"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := world(t)
			killedBetweenRenames(t, root)
			if err := os.WriteFile(filepath.Join(root, tt.file), []byte(tt.content), 0o600); err != nil {
				t.Fatal(err)
			}
			before := have(t, root)
			got, err := Recover(t.Context(), OS{}, foldersIn(root))
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Folder = "one"
			if diff := cmp.Diff([]Recovery{tt.want}, named(root, got)); diff != "" {
				t.Errorf("recovered (-want +got):\n%s", diff)
			}
			maps.DeleteFunc(before, func(name, _ string) bool {
				return temporary.MatchString(filepath.Base(name)) || filepath.Base(name) == journalName
			})
			if diff := cmp.Diff(before, have(t, root)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

// named gives recoveries with the names of a world, without those that only
// say how much was swept.
func named(root string, recoveries []Recovery) []Recovery {
	name := func(path string) string {
		name, _ := filepath.Rel(root, path)
		return filepath.ToSlash(name)
	}
	var out []Recovery
	for _, r := range recoveries {
		r.Folder, r.Swept = name(r.Folder), 0
		for _, paths := range [][]string{r.Finished, r.Changed, r.Former, r.Next} {
			for i := range paths {
				paths[i] = name(paths[i])
			}
		}
		if len(r.Finished)+len(r.Changed) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// killedBetweenRenames leaves a and b new, c and new as they were.
func killedBetweenRenames(t *testing.T, root string) {
	t.Helper()
	for steps := 0; ; steps++ {
		again := world(t)
		_ = commit(&dying{left: steps}, again)
		if have(t, again)["one/b"] == then["one/b"] {
			_ = commit(&dying{left: steps}, root)
			return
		}
	}
}

// TestRecoveryThatIsNotPossible leaves everything for a run that can do it.
func TestRecoveryThatIsNotPossible(t *testing.T) {
	root := world(t)
	killedBetweenRenames(t, root)
	before := have(t, root)
	broken := errors.New("broken")
	for name, d := range map[string]*dying{
		"rename": {left: immortal, rename: map[string]error{"c": broken}},
		"lock":   {left: immortal, lock: map[string]error{filepath.Join(root, "one", journalName): broken}},
	} {
		if _, err := Recover(t.Context(), d, foldersIn(root)[1:]); !errors.Is(err, broken) {
			t.Errorf("%s: error %v", name, err)
		}
		if diff := cmp.Diff(before, have(t, root)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if _, err := Recover(t.Context(), OS{}, foldersIn(root)[1:]); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(then, have(t, root)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestNextTransactionFinishes what was left, before it begins.
func TestNextTransactionFinishes(t *testing.T) {
	root := world(t)
	killedBetweenRenames(t, root)
	c := filepath.Join(root, "two", "c")
	tx, err := Begin(t.Context(), OS{}, []Target{{Name: "c", Path: c}})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	want := []Recovery{{Folder: "one", Finished: []string{"two/c", "two/new"}}}
	if diff := cmp.Diff(want, named(root, tx.Recovered)); diff != "" {
		t.Errorf("recovered (-want +got):\n%s", diff)
	}
	if content, err := os.ReadFile(c); err != nil || string(content) != then["two/c"] {
		t.Errorf("c is %q, %v", content, err)
	}
}

// TestJournalsOfOthers: a journal may come with a repository. It makes nobody
// rename, remove or write what it likes.
func TestJournalsOfOthers(t *testing.T) {
	dir := t.TempDir()
	victim, folder := filepath.Join(dir, "victim"), filepath.Join(dir, "repository")
	staged := ".ssactl-AAAAAAAAAAAAAAAAAAAAAAAAAA"
	texts := map[string][]byte{
		"another folder's name": encoded(
			t,
			record{
				Files: []intent{
					{Target: "../victim", Staged: staged, Former: digestOf([]byte("mine")), Next: digestOf([]byte("evil"))},
				},
			},
		),
		"no temporary name": encoded(
			t,
			record{Files: []intent{{Target: "own", Staged: "evil", Next: digestOf([]byte("evil"))}}},
		),
		"a circle":            encoded(t, record{Journal: "."}),
		"nowhere":             encoded(t, record{Journal: "../absent/folder"}),
		"a file for a folder": encoded(t, record{Journal: "../victim"}),
		"not JSON":            []byte("{\n" + digestOf([]byte("{")) + "\n"),
		"no digest":           []byte(`{"files":[{"target":"a","staged":"b"}]}`),
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			_ = os.RemoveAll(folder)
			err := errors.Join(
				os.WriteFile(victim, []byte("mine"), 0o600), os.Mkdir(folder, 0o755),
				os.WriteFile(filepath.Join(folder, staged), []byte("evil"), 0o600),
				os.WriteFile(filepath.Join(folder, "evil"), []byte("evil"), 0o600),
				os.WriteFile(filepath.Join(folder, journalName), text, 0o600))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Recover(t.Context(), OS{}, []string{folder}); err != nil {
				t.Fatal(err)
			}
			want := map[string]string{"victim": "mine", "repository/evil": "evil"}
			if diff := cmp.Diff(want, have(t, dir)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

func encoded(t *testing.T, r record) []byte {
	t.Helper()
	text, err := r.encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestModes: a new file has what the process's mask leaves, one that is
// replaced keeps its own.
func TestModes(t *testing.T) {
	root := world(t)
	if err := commit(OS{}, root); err != nil {
		t.Fatal(err)
	}
	probe, err := os.OpenFile(filepath.Join(root, "probe"), os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = probe.Close() }()
	info, err := probe.Stat()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"one/a": 0o640, "two/new": info.Mode()} {
		if got, err := os.Lstat(filepath.Join(root, name)); err != nil || got.Mode() != want {
			t.Errorf("%s is %v (%v), want %v", name, got.Mode(), err, want)
		}
	}
}
