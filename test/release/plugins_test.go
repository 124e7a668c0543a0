package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// fluxPlugin is a manifest of Flux's catalog of plug-ins.
type fluxPlugin struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	Bin        string `json:"bin"`
	Versions   []struct {
		Version   string `json:"version"`
		Platforms []struct {
			OS          string `json:"os"`
			Arch        string `json:"arch"`
			URL         string `json:"url"`
			Checksum    string `json:"checksum"`
			ExtractPath string `json:"extractPath"`
		} `json:"platforms"`
	} `json:"versions"`
}

// TestPlugins: of a release, the manifest of the Flux plug-in has every archive with its
// checksum, and the plug-in of Helm is a folder with the program under the name that it is
// called by.
func TestPlugins(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	folder, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	archive := tarOf(t, map[string]string{"ssactl": "program", "LICENSE": "license", "README.md": "text"})
	sums := fmt.Sprintf("%x  ssactl_1.2.3_linux_amd64.tar.gz\n", sha256.Sum256(archive))
	for _, other := range []string{"ssactl_1.2.3_windows_arm64.zip", "ssactl_1.2.30_linux_amd64.tar.gz",
		"ssactl_1.2.3_linux_amd64.tar.gz.spdx.json", "ssactl_1.2.3_amd64.deb", "install.sh"} {
		sums += strings.Repeat("0", 64) + "  " + other + "\n"
	}
	if err := errors.Join(os.WriteFile(filepath.Join(folder, "ssactl_1.2.3_linux_amd64.tar.gz"), archive, 0o600),
		os.WriteFile(filepath.Join(folder, "checksums.txt"), []byte(sums), 0o600)); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("sh", "../../hack/release/plugins.sh", "1.2.3", folder, out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var flux fluxPlugin
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(out, "ssa.yaml"))), &flux); err != nil {
		t.Fatal(err)
	}
	if flux.APIVersion != "cli.fluxcd.io/v1beta1" || flux.Kind != "Plugin" || flux.Name != "ssa" || flux.Bin != "flux-ssa" ||
		len(flux.Versions) != 1 || flux.Versions[0].Version != "1.2.3" ||
		len(flux.Versions[0].Platforms) != 2 {
		t.Fatalf("the manifest is %+v", flux)
	}
	linux, windows := flux.Versions[0].Platforms[0], flux.Versions[0].Platforms[1]
	if want := fmt.Sprintf("sha256:%x", sha256.Sum256(archive)); linux.Checksum != want || linux.ExtractPath != "ssactl" ||
		!strings.HasSuffix(linux.URL, "/v1.2.3/ssactl_1.2.3_linux_amd64.tar.gz") {
		t.Errorf("Linux has %+v", linux)
	}
	if windows.OS != "windows" || windows.Arch != "arm64" || windows.ExtractPath != "ssactl.exe" {
		t.Errorf("Windows has %+v", windows)
	}
	plugin := filepath.Join(out, "helm-ssa_1.2.3_linux_amd64")
	if got := read(t, filepath.Join(plugin, "helm-ssa")); got != "program" {
		t.Errorf("the program is %q", got)
	}
	var helm struct {
		APIVersion, Type, Name, Version, Runtime string
		RuntimeConfig                            struct {
			PlatformCommand []struct{ OS, Command string }
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(plugin, "plugin.yaml"))), &helm); err != nil {
		t.Fatal(err)
	}
	if helm.APIVersion != "v1" || helm.Type != "cli/v1" || helm.Name != "ssa" || helm.Version != "1.2.3" ||
		helm.Runtime != "subprocess" || len(helm.RuntimeConfig.PlatformCommand) != 2 ||
		helm.RuntimeConfig.PlatformCommand[0].Command != "${HELM_PLUGIN_DIR}/helm-ssa" {
		t.Errorf("the plug-in is %+v", helm)
	}
	if text, err := exec.Command("sh", "../../hack/release/plugins.sh", "9.9.9", folder, out).CombinedOutput(); err == nil {
		t.Errorf("a release without archives is taken:\n%s", text)
	}
}

// tarOf is an archive of a release.
func tarOf(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	w := tar.NewWriter(zipped)
	for name, text := range files {
		err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text)), Typeflag: tar.TypeReg})
		if _, errWrite := w.Write([]byte(text)); errors.Join(err, errWrite) != nil {
			t.Fatal(err, errWrite)
		}
	}
	if err := errors.Join(w.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
