package serve_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// startProgram runs 'ssactl serve' until the test ends, and gives the process of its server.
func startProgram(t *testing.T, ssactl string) (*rest.Config, string) {
	t.Helper()
	cmd := exec.Command(ssactl, "serve", "--end-with-stdin")
	in, line := begin(t, cmd)
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("ssactl serve: %v", err)
		}
	})
	path := strings.Trim(strings.TrimPrefix(line, "export KUBECONFIG="), "'")
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		t.Fatal(err)
	}
	config.QPS = -1
	return config, childOf(t, cmd.Process.Pid)
}

// begin starts a program, and gives its standard input and the first line that it prints.
func begin(t *testing.T, cmd *exec.Cmd) (io.Closer, string) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	return in, strings.TrimSpace(line)
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
