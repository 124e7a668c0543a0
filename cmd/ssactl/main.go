// Command ssactl tells what a Server-Side Apply would do, without a cluster.
package main

import (
	"os"
	"runtime"

	"github.com/ssactl/ssactl/internal/cli"
	"github.com/ssactl/ssactl/internal/iostreams"
)

// ballast is memory that is never touched, and so takes none of the machine's.
// It makes the garbage collector wait: one apply ends before it first runs, and
// of many objects it runs half as often. Set GOGC to choose otherwise.
const ballast = 64 << 20

func main() {
	var held []byte
	if os.Getenv("GOGC") == "" {
		held = make([]byte, ballast)
	}
	code := cli.Main(os.Args[1:], iostreams.System(os.Getenv))
	runtime.KeepAlive(held)
	os.Exit(code)
}
