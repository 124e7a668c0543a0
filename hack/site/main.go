package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	root := flag.String("C", ".", "folder of the repository")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: site [-C REPOSITORY] DIRECTORY")
		os.Exit(2)
	}
	if err := build(os.DirFS(*root), flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}
