package release

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"

	"sigs.k8s.io/yaml"
)

// config is what is asked of .goreleaser.yaml.
type config struct {
	ProjectName string `json:"project_name"`
	Builds      []struct {
		ID           string
		Main, Binary string
		Goos, Goarch []string
		Env, Flags   []string
		ModTimestamp string `json:"mod_timestamp"`
	}
	Archives []struct {
		NameTemplate    string `json:"name_template"`
		Formats         []string
		FormatOverrides []struct {
			Goos    string
			Formats []string
		} `json:"format_overrides"`
		Files []struct{ Src string }
	}
	Checksum struct {
		NameTemplate string `json:"name_template"`
	}
	NFPMs []struct {
		Contents []struct{ Src, Dst, Type string }
	}
	Casks []struct {
		Completions map[string]string
		Manpages    []string
	} `json:"homebrew_casks"`
	Dockers []struct {
		IDs        []string
		Dockerfile string
		Platforms  []string
		ExtraFiles []string `json:"extra_files"`
	} `json:"dockers_v2"`
}

func goreleaser(t *testing.T) config {
	t.Helper()
	text, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var c config
	if err := yaml.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// archive is a file of a release, for a platform.
type archive struct{ os, arch, file, program string }

// archives are those of a version, as goreleaser names them.
func archives(t *testing.T, version string) []archive {
	t.Helper()
	c := goreleaser(t)
	build, as := c.Builds[0], c.Archives[0]
	name := template.Must(template.New("name").Parse(as.NameTemplate))
	var out []archive
	for _, system := range build.Goos {
		format, program := as.Formats[0], build.Binary
		for _, o := range as.FormatOverrides {
			if o.Goos == system {
				format = o.Formats[0]
			}
		}
		if system == "windows" {
			program += ".exe"
		}
		for _, arch := range build.Goarch {
			var b bytes.Buffer
			if err := name.Execute(&b, map[string]string{"Version": version, "Os": system, "Arch": arch}); err != nil {
				t.Fatal(err)
			}
			out = append(out, archive{system, arch, b.String() + "." + format, program})
		}
	}
	return out
}

// TestBuilds: static, stripped of paths, with the time of the commit, for six
// platforms.
func TestBuilds(t *testing.T) {
	b := goreleaser(t).Builds[0]
	if !slices.Contains(b.Env, "CGO_ENABLED=0") || !slices.Contains(b.Flags, "-trimpath") ||
		b.ModTimestamp != "{{ .CommitTimestamp }}" {
		t.Errorf("a build is not the same everywhere: %+v", b)
	}
	if got := len(archives(t, "1.0.0")); got != 6 {
		t.Errorf("%d archives", got)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	tags := regexp.MustCompile(`(?m)^TAGS = (.*)$`).FindSubmatch(makefile)
	if tags == nil || !slices.Contains(b.Flags, "-tags="+string(tags[1])) {
		t.Errorf("the flags %v lack the tags of the Makefile", b.Flags)
	}
}

// TestFiles: each file that a release names is in the repository, or is written by
// hack/release/assets.sh.
func TestFiles(t *testing.T) {
	c := goreleaser(t)
	script, err := os.ReadFile("../../hack/release/assets.sh")
	if err != nil {
		t.Fatal(err)
	}
	var sources []string
	for _, f := range c.Archives[0].Files {
		sources = append(sources, f.Src)
	}
	for _, f := range c.NFPMs[0].Contents {
		if f.Type != "symlink" {
			sources = append(sources, f.Src)
		}
	}
	for _, d := range c.Dockers {
		sources = append(append(sources, d.ExtraFiles...), d.Dockerfile)
	}
	for _, src := range sources {
		made, isMade := strings.CutPrefix(src, ".release/")
		switch {
		case isMade && !madeBy(string(script), made):
			t.Errorf("%s is written by nothing", src)
		case !isMade && !exists(src):
			t.Errorf("%s is not there", src)
		}
	}
	for _, file := range append([]string{"man/ssactl.1.gz"}, "completions/ssactl.bash", "completions/_ssactl", "completions/ssactl.fish") {
		cask := c.Casks[0]
		if !slices.Contains(cask.Manpages, file) &&
			!slices.Contains([]string{cask.Completions["bash"], cask.Completions["zsh"], cask.Completions["fish"]}, file) {
			t.Errorf("the cask lacks %s", file)
		}
	}
}

// madeBy reports whether the script writes a file, or into the folder of a pattern.
func madeBy(script, name string) bool {
	if dir, file := filepath.Split(name); strings.Contains(file, "*") {
		return strings.Contains(script, `"$out/`+filepath.Clean(dir)+`"`)
	}
	return strings.Contains(script, `"$out/`+name+`"`) || exists("hack/release/"+filepath.Base(name))
}

func exists(name string) bool {
	_, err := os.Stat(filepath.Join("../..", filepath.FromSlash(name)))
	return err == nil
}

// TestImage: the image has no base, and in it only what the release gives it.
func TestImage(t *testing.T) {
	c := goreleaser(t)
	text, err := os.ReadFile("../../" + c.Dockers[0].Dockerfile)
	if err != nil {
		t.Fatal(err)
	}
	given := slices.Clone(c.Dockers[0].ExtraFiles)
	for _, build := range c.Builds {
		if slices.Contains(c.Dockers[0].IDs, build.ID) {
			given = append(given, "$TARGETPLATFORM/"+build.Binary)
		}
	}
	copied := 0
	for _, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == "FROM" && line != "FROM scratch":
			t.Errorf("a base is pulled: %s", line)
		case words[0] == "RUN", words[0] == "ADD":
			t.Errorf("there is nothing to run, and nothing to fetch: %s", line)
		case words[0] == "COPY":
			for _, src := range words[1 : len(words)-1] {
				if copied++; !slices.Contains(given, src) {
					t.Errorf("%s is not given to the image", src)
				}
			}
		}
	}
	if copied != len(given) {
		t.Errorf("the image has %d of %v", copied, given)
	}
	if want := []string{"linux/amd64", "linux/arm64"}; !slices.Equal(c.Dockers[0].Platforms, want) {
		t.Errorf("the image is for %v, want %v", c.Dockers[0].Platforms, want)
	}
}
