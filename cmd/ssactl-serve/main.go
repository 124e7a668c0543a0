// Command ssactl-serve is the API server of ssactl serve, which starts it.
package main

import (
	"os"

	"github.com/ssactl/ssactl/internal/serve"
)

func main() {
	os.Exit(serve.Main(os.Stdin, os.Stdout))
}
