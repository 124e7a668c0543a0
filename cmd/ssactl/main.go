// Command ssactl reports what a Server-Side Apply would do, without a cluster.
package main

import (
	"os"

	"github.com/ssactl/ssactl/internal/cli"
	"github.com/ssactl/ssactl/internal/cli/iostreams"
	"github.com/ssactl/ssactl/internal/cli/pace"
)

func main() {
	pace.Keep()
	os.Exit(cli.Main(os.Args[1:], iostreams.System(os.Getenv)))
}
