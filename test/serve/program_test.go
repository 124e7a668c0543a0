package serve_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// startProgram runs 'ssactl serve' until the test ends, and gives the process of its server.
func startProgram(t *testing.T, ssactl string) (config *rest.Config, pid string) {
	t.Helper()
	cmd := exec.Command(ssactl, "serve", "--end-with-stdin")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("ssactl serve: %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	path := strings.Trim(strings.TrimPrefix(strings.TrimSpace(line), "export KUBECONFIG="), "'")
	if config, err = clientcmd.BuildConfigFromFlags("", path); err != nil {
		t.Fatal(err)
	}
	config.QPS = -1
	return config, childOf(t, cmd.Process.Pid)
}

// childOf is the process that another one has started.
func childOf(t *testing.T, parent int) string {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		// One that has ended meanwhile is not it.
		text, _ := os.ReadFile(path)
		_, after, _ := strings.Cut(string(text), ") ")
		if fields := strings.Fields(after); len(fields) > 1 && fields[1] == fmt.Sprint(parent) {
			return filepath.Base(filepath.Dir(path))
		}
	}
	t.Fatal("ssactl serve has no server")
	return ""
}
