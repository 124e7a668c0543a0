package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// compare asks kubectl about the manifests of a case, of which a real server has the
// former release, and ssactl about the same: a line of a table each.
func compare(o options, c benchCase, dir string) ([]string, error) {
	if _, err := exec.LookPath("kubectl"); err != nil {
		fmt.Fprintln(os.Stderr, "kubectl is not installed: nothing is compared with it")
		return nil, nil
	}
	config := filepath.Join(o.scratch, "kubeconfig")
	stop, err := serve(o.oracle, config)
	if err != nil {
		return nil, err
	}
	defer stop()
	kubectl := func(args ...string) *exec.Cmd {
		return exec.Command("kubectl", append([]string{"--kubeconfig", config}, args...)...)
	}
	if err := fill(kubectl, dir); err != nil {
		return nil, err
	}
	write := []string{"--server-side", "--field-manager", manager, "-f", filepath.Join(dir, "manifests.yaml")}
	ways := []struct {
		title   string
		command func() *exec.Cmd
	}{
		{"kubectl apply --server-side --dry-run=server", func() *exec.Cmd { return kubectl(append([]string{"apply", "--dry-run=server"}, write...)...) }},
		{"kubectl diff --server-side", func() *exec.Cmd { return kubectl(append([]string{"diff"}, write...)...) }},
		{"ssactl apply", func() *exec.Cmd { return exec.Command(o.ssactl, ssactlArgs("apply", dir)...) }},
		{"ssactl diff", func() *exec.Cmd { return exec.Command(o.ssactl, ssactlArgs("diff", dir)...) }},
	}
	var lines []string
	for _, way := range ways {
		took, err := costOf(o.runs, way.command)
		if err != nil {
			return nil, err
		}
		lines = append(lines, fmt.Sprintf("| %s | %s | %d | %.2f s | %d MB |\n", c.title, way.title, c.objects, took.wall.Seconds(), took.peak>>20))
	}
	return lines, nil
}

// fill has the server store what the manager applied before.
func fill(kubectl func(...string) *exec.Cmd, dir string) error {
	do := func(args ...string) error {
		if out, err := kubectl(args...).CombinedOutput(); err != nil {
			return fmt.Errorf("kubectl %s: %w: %s", args[0], err, out)
		}
		return nil
	}
	former := filepath.Join(dir, "former.yaml")
	text, err := os.ReadFile(former)
	if err != nil {
		return err
	}
	if err := do("create", "-f", filepath.Join(dir, "crds.yaml")); err != nil {
		return err
	}
	if err := do("wait", "--for=condition=Established", "crd", "--all"); err != nil {
		return err
	}
	made := map[string]bool{}
	for _, found := range regexp.MustCompile(`(?m)^  namespace: (\S+)$`).FindAllSubmatch(text, -1) {
		name := string(found[1])
		if made[name] {
			continue
		}
		made[name] = true
		if err := do("create", "namespace", name); err != nil {
			return err
		}
	}
	return do("apply", "--server-side", "--field-manager", manager, "-f", former)
}

// startLimit is how long a server may take to start.
const startLimit = 2 * time.Minute

// serve starts a server, and waits for the file that says how to reach it.
func serve(oracle, config string) (stop func(), err error) {
	if err := os.Remove(config); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	cmd := command(oracle, "serve", "-kubeconfig", config)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop = func() {
		// The server ends by an interrupt, and whatever it says then is of no use.
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	}
	for began := time.Now(); !exists(config); time.Sleep(100 * time.Millisecond) {
		if time.Since(began) > startLimit {
			stop()
			return nil, fmt.Errorf("%s serve was not ready after %s", oracle, startLimit)
		}
	}
	return stop, nil
}

// comparison is the table of what was compared; empty for nothing.
func comparison(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return "\n| what is applied | command | objects | time | memory at the peak |\n|---|---|---:|---:|---:|\n" + strings.Join(lines, "")
}
