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
	live, manifests int64 // bytes
	wall, cpu       time.Duration
	peak            int64 // bytes
}

func measure(o options, c benchCase, dir string) (row, error) {
	r := row{benchCase: c}
	live, manifests := filepath.Join(dir, "live.yaml"), filepath.Join(dir, "manifests.yaml")
	var err error
	if r.live, err = bytesOf(live); err != nil {
		return r, err
	}
	if r.manifests, err = bytesOf(manifests); err != nil {
		return r, err
	}
	var walls, cpus []time.Duration
	for range o.runs {
		args := append([]string{"apply", "-f", manifests, "--live", live, "--crds", filepath.Join(dir, "crds.yaml"), "--field-manager", "argocd-controller"}, c.args...)
		cmd := exec.Command(o.ssactl, args...)
		began := time.Now()
		// Exit code 1 is an answer: something conflicts.
		if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 {
			return r, err
		}
		usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		if !ok {
			return r, errors.New("this system does not tell what a process used")
		}
		walls = append(walls, time.Since(began))
		cpus = append(cpus, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		r.peak = max(r.peak, usage.Maxrss<<10)
	}
	r.wall, r.cpu = median(walls), median(cpus)
	return r, nil
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

func (r row) line() string {
	return fmt.Sprintf("| %s | %d | %d MB | %.2f s | %.2f s | %d | %d | %d MB |\n", r.title, r.objects, (r.live+r.manifests)>>20,
		r.wall.Seconds(), r.cpu.Seconds(), r.cpu.Microseconds()/int64(r.objects), int64(float64(r.objects)/r.wall.Seconds()), r.peak>>20)
}

func table(rows []row) string {
	var b strings.Builder
	b.WriteString("| what is applied | objects | input | time | processor time | µs of it an object | objects a second | memory at the peak |\n")
	b.WriteString("|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, r := range rows {
		b.WriteString(r.line())
	}
	return b.String()
}
