package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// row is what was measured.
type row struct {
	benchCase
	cost
	live, manifests int64 // bytes
	start           time.Duration
}

func measure(o options, c benchCase, dir string) (row, error) {
	r := row{benchCase: c}
	live, manifests := filepath.Join(dir, c.live), filepath.Join(dir, "manifests.yaml")
	var err error
	if r.live, err = bytesOf(live); err != nil {
		return r, err
	}
	if r.manifests, err = bytesOf(manifests); err != nil {
		return r, err
	}
	r.cost, err = costOf(o.runs, func() *exec.Cmd { return exec.Command(o.ssactl, c.args("apply", dir)...) })
	return r, err
}

// args are those of ssactl. With flags of its own, they say who applies.
func (c benchCase) args(verb, dir string) []string {
	args := []string{verb, "-f", filepath.Join(dir, "manifests.yaml"), "--live", filepath.Join(dir, c.live)}
	if crds := filepath.Join(dir, "crds.yaml"); exists(crds) {
		args = append(args, "--crds", crds)
	}
	if !slices.Contains(c.more, "--client") {
		args = append(args, "--field-manager", c.manager)
	}
	return slices.Concat(args, c.flags, c.more)
}

// manager is who the manifests of test/cluster are for.
const manager = "argocd-controller"

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// cost is what a command took, in the median of some runs.
type cost struct {
	wall, cpu time.Duration
	peak      int64 // bytes
}

func costOf(runs int, command func() *exec.Cmd) (cost, error) {
	var c cost
	var walls, cpus []time.Duration
	for range runs {
		cmd := command()
		began := time.Now()
		// Exit code 1 is an answer: something conflicts, or differs.
		if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 {
			return c, fmt.Errorf("%v: %w", cmd, err)
		}
		usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		if !ok {
			return c, errors.New("this system does not tell what a process used")
		}
		walls = append(walls, time.Since(began))
		cpus = append(cpus, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		c.peak = max(c.peak, usage.Maxrss<<10)
	}
	c.wall, c.cpu = median(walls), median(cpus)
	return c, nil
}

func bytesOf(file string) (int64, error) {
	info, err := os.Stat(file)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// starts is how many runs of "ssactl version" have the start as their median; other
// figures are multiples of it.
const starts = 15

func startOf(o options) (time.Duration, error) {
	c, err := costOf(starts, func() *exec.Cmd { return exec.Command(o.ssactl, "version") })
	return c.cpu, err
}

func (r row) line() string {
	return fmt.Sprintf("| %s | %d | %d MB | %.2f s | %.1f | %d MB |\n", r.title, r.objects, (r.live+r.manifests)>>20,
		r.cpu.Seconds(), r.cpu.Seconds()/r.start.Seconds(), r.peak>>20)
}

func table(rows []row) string {
	var b strings.Builder
	b.WriteString("| what is applied | objects | input | processor time | in starts | memory at the peak |\n")
	b.WriteString("|---|---:|---:|---:|---:|---:|\n")
	for _, r := range rows {
		b.WriteString(r.line())
	}
	return b.String()
}

func startLine(start time.Duration) string {
	return fmt.Sprintf(
		"\nA start is `ssactl version`: %d ms of processor time here, the median of %d.\n",
		start.Milliseconds(),
		starts,
	)
}
