package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/ssactl/ssactl/internal/run/app"
)

// lingering is how long the command may take to end after an interrupt.
const lingering = 400 * time.Millisecond

// runCommand runs the command with the kubeconfig. Its exit code is that of the error.
func (o *options) runCommand(ctx context.Context, kubeconfig string) error {
	// The words are those of the user: no shell reads them.
	cmd := exec.CommandContext(ctx, o.command[0], o.command[1:]...)
	cmd.Env = append(environment(), "KUBECONFIG="+kubeconfig)
	cmd.Stdin = o.app.Streams.In
	cmd.Stdout, cmd.Stderr = o.app.Streams.Program()
	// A terminal has sent the interrupt to the command too; elsewhere only this process has it.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = lingering
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit):
		return app.Exited(codeOf(exit))
	case err != nil:
		return fmt.Errorf("run %s: %w", o.command[0], err)
	}
	return nil
}

// environment is that of this process without the variables that lead clients to a cluster.
func environment() []string {
	var out []string
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		switch name {
		case "KUBECONFIG", "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT", "HELM_KUBECONTEXT",
			"HELM_KUBEAPISERVER", "HELM_KUBETOKEN", "HELM_KUBECAFILE":
		default:
			out = append(out, variable)
		}
	}
	return out
}

// codeOf is the exit code as a shell has it: 128 and the number of the signal that ended it.
func codeOf(exit *exec.ExitError) int {
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return exit.ExitCode()
}
