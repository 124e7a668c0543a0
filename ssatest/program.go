package ssatest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// module is where ssactl is built from, and path that of this module.
const (
	module = "github.com/ssactl/ssactl"
	path   = module + "/ssatest"
)

// program is the path of ssactl: that of SSACTL, in PATH, or built.
var program = sync.OnceValues(func() (string, error) {
	if named := os.Getenv("SSACTL"); named != "" {
		return filepath.Abs(named)
	}
	if found, err := exec.LookPath("ssactl"); err == nil {
		return filepath.Abs(found)
	}
	built, err := build()
	if err != nil {
		return "", fmt.Errorf("ssactl is neither named by SSACTL nor in PATH, and cannot be built: %w", err)
	}
	return built, nil
})

// build builds ssactl and its server at the version of this module, which takes some minutes for
// the first time. A checkout is built as it is.
func build() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	version := versionOf()
	dir := filepath.Join(cache, "ssatest", version)
	name := filepath.Join(dir, "ssactl")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	const tags = "-tags=kustomize_disable_go_plugin_support,grpcnotrace"
	if checkout, ok := checkout(); ok {
		cmd := exec.Command("go", "build", tags, "-o", dir+string(filepath.Separator), "./cmd/ssactl", "./cmd/ssactl-serve")
		cmd.Dir = checkout
		return name, run(cmd)
	}
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	cmd := exec.Command("go", "install", tags, module+"/cmd/ssactl@"+version, module+"/cmd/ssactl-serve@"+version)
	cmd.Env = append(os.Environ(), "GOBIN="+dir, "GOFLAGS=")
	return name, run(cmd)
}

func run(cmd *exec.Cmd) error {
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}

// versionOf is the version of this module in the test; latest where it is none, as in a checkout.
func versionOf() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "latest"
	}
	for _, m := range info.Deps {
		if m.Path == path && m.Replace == nil && m.Version != "" {
			return m.Version
		}
	}
	return "latest"
}

// checkout is the directory of the repository, if this source is in it.
func checkout() (string, bool) {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return "", false
	}
	dir := filepath.Dir(filepath.Dir(file))
	_, err := os.Stat(filepath.Join(dir, "cmd", "ssactl-serve"))
	return dir, !errors.Is(err, os.ErrNotExist) && err == nil
}
