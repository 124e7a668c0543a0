// Command ssactl reports what a Server-Side Apply would do, without a cluster.
package main

import (
	"os"

	"github.com/ssactl/ssactl/internal/cmd"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

func main() {
	program.Started()
	os.Exit(cmd.Main(os.Args[1:], iostreams.System(os.Getenv)))
}
