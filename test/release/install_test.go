package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// released is a server of releases on the loopback interface, with an archive for this
// system in which the program is a script.
func released(t *testing.T, checksum func(sum string) string) *httptest.Server {
	t.Helper()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	files := tar.NewWriter(zipped)
	text := "#!/bin/sh\necho ran \"$@\"\n"
	if err := files.WriteHeader(&tar.Header{Name: "ssactl", Mode: 0o755, Size: int64(len(text))}); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("ssactl_1.2.3_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH)
	sum := checksum(fmt.Sprintf("%x", sha256.Sum256(packed.Bytes())))
	pages := map[string]string{
		"/v1.2.3/" + name:       packed.String(),
		"/v1.2.3/checksums.txt": strings.Repeat("0", 64) + "  another.tar.gz\n" + sum + "  " + name + "\n",
		"/v1.2.4/checksums.txt": "",
		"/v1.2.4/" + strings.Replace(name, "1.2.3", "1.2.4", 1): packed.String(),
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, found := pages[r.URL.Path]
		if !found {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, page)
	}))
	t.Cleanup(server.Close)
	return server
}

// install runs the script, and gives the program that it installed, empty for none.
func install(t *testing.T, server *httptest.Server, version string, env ...string) (program, output string, err error) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the script is for sh")
	}
	folder := t.TempDir()
	cmd := exec.Command("sh", "../../hack/action/install.sh", version, folder)
	cmd.Env = append(os.Environ(), append(env, "SSACTL_RELEASES="+server.URL)...)
	out, err := cmd.CombinedOutput()
	program = filepath.Join(folder, "ssactl")
	if _, statErr := os.Stat(program); statErr != nil {
		program = ""
	}
	return program, string(out), err
}

func same(sum string) string { return sum }

func TestInstall(t *testing.T) {
	program, output, err := install(t, released(t, same), "v1.2.3")
	if err != nil || program == "" {
		t.Fatalf("%v: %s", err, output)
	}
	out, err := exec.Command(program, "version").Output()
	if err != nil || string(out) != "ran version\n" {
		t.Errorf("the program says %q, %v", out, err)
	}
}

// TestInstallRefuses: whatever does not match is not installed, and the message says
// why.
func TestInstallRefuses(t *testing.T) {
	other := func(string) string { return strings.Repeat("a", 64) }
	cases := []struct {
		name, version, want string
		checksum            func(string) string
		env                 []string
	}{
		{"another archive", "v1.2.3", "must have " + strings.Repeat("a", 64) + ": nothing was installed", other, nil},
		{"another than pinned", "v1.2.3", "must have 1234: nothing was installed", same, []string{"SSACTL_SHA256=1234"}},
		{"no such release", "v9.9.9", "cannot download ", same, nil},
		{"not in the list", "v1.2.4", "do not name ssactl_1.2.4_", same, nil},
		{"a branch", "main", "main is no version such as v1.2.3", same, nil},
		{"a path", "v1.2.3/../v1.2.3", "is no version such as v1.2.3", same, nil},
		{"a path of lines", "v1.2.3\n/..", "is no version such as v1.2.3", same, nil},
		{"more than a version", "v1.2.3.4", "is no version such as v1.2.3", same, nil},
	}
	for _, c := range cases {
		program, output, err := install(t, released(t, c.checksum), c.version, c.env...)
		if err == nil || program != "" || !strings.Contains(output, c.want) {
			t.Errorf("%s: installed %q, %v, %s", c.name, program, err, output)
		}
	}
}

// TestInstallPinned: a checksum that is given needs no list.
func TestInstallPinned(t *testing.T) {
	var sum string
	server := released(t, func(s string) string { sum = s; return strings.Repeat("a", 64) })
	if program, output, err := install(t, server, "v1.2.3", "SSACTL_SHA256="+sum); err != nil || program == "" {
		t.Errorf("%v: %s", err, output)
	}
}
