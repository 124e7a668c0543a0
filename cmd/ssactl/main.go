// Command ssactl reports what a Server-Side Apply would do, without a cluster.
package main

import (
	"os"

	"github.com/ssactl/ssactl/internal/cmd"
	"github.com/ssactl/ssactl/internal/cmd/pace"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

func main() {
	pace.Keep()
	os.Exit(cmd.Main(os.Args[1:], iostreams.System(os.Getenv)))
}
