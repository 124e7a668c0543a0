package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// compare asks kubectl about the manifests of a case, with their former release on a real
// server, and ssactl about the same; nil without kubectl.
func compare(o options, c benchCase, dir string) (*comparison, error) {
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
	write := []string{"--server-side", "--field-manager", c.manager, "-f", filepath.Join(dir, "manifests.yaml")}
	write = append(write, c.flags...)
	ways := []func() *exec.Cmd{
		func() *exec.Cmd { return kubectl(append([]string{"apply", "--dry-run=server"}, write...)...) },
		func() *exec.Cmd { return kubectl(append([]string{"diff"}, write...)...) },
		func() *exec.Cmd { return exec.Command(o.ssactl, c.args("apply", dir)...) },
		func() *exec.Cmd { return exec.Command(o.ssactl, c.args("diff", dir)...) },
	}
	took := &comparison{benchCase: c}
	for i, command := range ways {
		if took.costs[i], err = costOf(o.runs, command); err != nil {
			return nil, err
		}
	}
	return took, nil
}

// comparison is what kubectl and ssactl took for the same.
type comparison struct {
	benchCase
	// costs are those of kubectl apply, kubectl diff, ssactl apply and ssactl diff.
	costs [4]cost
}

func (c comparison) line() string {
	kubectlApply, kubectlDiff, apply, diff := c.costs[0], c.costs[1], c.costs[2], c.costs[3]
	return fmt.Sprintf("| %s | %d | %.2f s | %.2f s | %.2f s | %.2f s | %.1f and %.1f |\n", c.title, c.objects,
		kubectlApply.wall.Seconds(), kubectlDiff.wall.Seconds(), apply.wall.Seconds(), diff.wall.Seconds(),
		kubectlApply.wall.Seconds()/apply.wall.Seconds(), kubectlDiff.wall.Seconds()/diff.wall.Seconds())
}

// comparisonTable is empty for nothing.
func comparisonTable(all []comparison) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(
		"| what is applied | objects | kubectl apply | kubectl diff | ssactl apply | ssactl diff | times as fast, apply and diff |\n",
	)
	b.WriteString("|---|---:|---:|---:|---:|---:|---:|\n")
	for _, c := range all {
		b.WriteString(c.line())
	}
	return b.String() + "\n"
}
