package release

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"text/template"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/yaml"
)

// plugin is a manifest of krew, API version v1alpha2.
type plugin struct {
	APIVersion string
	Kind       string
	Metadata   struct{ Name string }
	Spec       struct {
		Version, ShortDescription, Description, Caveats, Homepage string
		Platforms                                                 []platform
	}
}

type platform struct {
	URI, Sha256, Bin string
	Selector         *metav1.LabelSelector
}

// TestKrew fills in the template as krew-release-bot does, and asks of the manifest
// what krew's validate-krew-manifest asks (cmd/validate-krew-manifest and
// internal/index/validation of krew v0.4), but the installation.
func TestKrew(t *testing.T) {
	p := krewPlugin(t, "v1.2.3")
	if p.APIVersion != "krew.googlecontainertools.github.com/v1alpha2" || p.Kind != "Plugin" {
		t.Errorf("it is a %s of %s", p.Kind, p.APIVersion)
	}
	if !regexp.MustCompile(`^[\w-]+$`).MatchString(p.Metadata.Name) || strings.HasPrefix(p.Metadata.Name, "kubectl") {
		t.Errorf("the name %q is not allowed", p.Metadata.Name)
	}
	// The index asks for a short line without the obvious.
	if short := p.Spec.ShortDescription; short == "" || len(short) > 50 || strings.ContainsAny(short, "\r\n") ||
		strings.HasSuffix(short, ".") {
		t.Errorf("the short description %q is not allowed", short)
	}
	if p.Spec.Version != "v1.2.3" || p.Spec.Homepage == "" || p.Spec.Description == "" {
		t.Errorf("version %q, homepage %q, description %q", p.Spec.Version, p.Spec.Homepage, p.Spec.Description)
	}
	for _, pl := range p.Spec.Platforms {
		if !strings.HasPrefix(pl.URI, "https://") || !regexp.MustCompile(`^[a-f0-9]{64}$`).MatchString(pl.Sha256) ||
			pl.Bin == "" ||
			pl.Selector == nil {
			t.Errorf("a platform is incomplete: %+v", pl)
		}
		for key := range pl.Selector.MatchLabels {
			if key != "os" && key != "arch" {
				t.Errorf("krew does not know the selector %q", key)
			}
		}
	}
}

// TestKrewTakesWhatIsReleased: one platform of the plug-in for each archive, its name
// and the name of the program in it are those that goreleaser gives them.
func TestKrewTakesWhatIsReleased(t *testing.T) {
	archives := archives(t, "1.2.3")
	p := krewPlugin(t, "v1.2.3")
	if len(p.Spec.Platforms) != len(archives) {
		t.Errorf("%d platforms, %d archives", len(p.Spec.Platforms), len(archives))
	}
	for _, a := range archives {
		var uris []string
		for _, pl := range p.Spec.Platforms {
			selector, err := metav1.LabelSelectorAsSelector(pl.Selector)
			if err != nil {
				t.Fatal(err)
			}
			if selector.Matches(labels.Set{"os": a.os, "arch": a.arch}) {
				uris = append(uris, pl.URI+" "+pl.Bin)
			}
		}
		want := "https://github.com/ssactl/ssactl/releases/download/v1.2.3/" + a.file + " " + a.program
		if len(uris) != 1 || uris[0] != want {
			t.Errorf("%s/%s gets %v, want %s", a.os, a.arch, uris, want)
		}
	}
}

func krewPlugin(t *testing.T, tag string) plugin {
	t.Helper()
	fill := template.FuncMap{"addURIAndSha": func(url, tag string) (string, error) {
		var b bytes.Buffer
		link, err := template.New("url").Parse(url)
		if err == nil {
			err = link.Execute(&b, struct{ TagName string }{tag})
		}
		return fmt.Sprintf("uri: %s\n    sha256: %x", b.String(), sha256.Sum256(b.Bytes())), err
	}}
	text, err := os.ReadFile("../../.krew.yaml")
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := template.New("krew").Funcs(fill).Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := manifest.Execute(&b, struct{ TagName string }{tag}); err != nil {
		t.Fatal(err)
	}
	var p plugin
	if err := yaml.UnmarshalStrict(b.Bytes(), &p); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	return p
}
