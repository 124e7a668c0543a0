package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

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
