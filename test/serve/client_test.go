package serve_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// untried are the clients that the machine lacks.
var untried struct {
	mu    sync.Mutex
	names []string
}

// TestMain says at the end which clients were not tried: a test that is skipped says it with -v only.
func TestMain(m *testing.M) {
	code := m.Run()
	endShared()
	slices.Sort(untried.names)
	if names := slices.Compact(untried.names); len(names) > 0 {
		fmt.Printf("not tried, since they are not on this machine: %s\n", strings.Join(names, ", "))
	}
	os.Exit(code)
}

// program is the path of a client: the one that a variable names, or the one in PATH. The test is
// skipped where there is none.
func program(t *testing.T, name string) string {
	t.Helper()
	variable := strings.ToUpper(name)
	if named := os.Getenv(variable); named != "" {
		return named
	}
	path, err := exec.LookPath(name)
	if err != nil {
		untried.mu.Lock()
		untried.names = append(untried.names, name)
		untried.mu.Unlock()
		t.Skipf("%s names no program, and %v", variable, err)
	}
	return path
}

// built is the path of ssactl. Without it nothing of what ssactl is to others can be tested.
func built(t *testing.T) string {
	t.Helper()
	path := os.Getenv("SSACTL")
	if path == "" {
		t.Fatal("SSACTL names no program: 'make serve-checks' builds it")
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("SSACTL: %v", err)
	}
	return path
}

// kubeconfigOf is a file that leads a client to a server.
func kubeconfigOf(t *testing.T, config *rest.Config) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	all := clientcmdapi.NewConfig()
	all.Clusters["test"] = &clientcmdapi.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData}
	all.AuthInfos["test"] = &clientcmdapi.AuthInfo{Token: config.BearerToken}
	all.Contexts["test"] = &clientcmdapi.Context{Cluster: "test", AuthInfo: "test"}
	all.CurrentContext = "test"
	if err := clientcmd.WriteToFile(*all, file); err != nil {
		t.Fatal(err)
	}
	return file
}

// command is a client program that is run against a server.
type command struct {
	path string
	env  []string
}

// run runs the client, and gives what it prints and its exit code.
func (c command) run(t *testing.T, input string, args ...string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.path, args...)
	cmd.Env, cmd.Stdin = append(os.Environ(), c.env...), strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}
