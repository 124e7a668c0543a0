package cmd

import (
	"bufio"
	"io"
	"os"
)

// stubServe is the server of 'ssactl serve' without one: it says the events of the file
// $STUB_EVENTS, which one has said, and ends with its standard input. $STUB_SPEC gets the
// specification of what to serve.
func stubServe() int {
	in := bufio.NewReader(os.Stdin)
	spec, err := in.ReadBytes('\n')
	if err != nil {
		return 1
	}
	events, err := os.ReadFile(os.Getenv("STUB_EVENTS"))
	if err != nil || os.WriteFile(os.Getenv("STUB_SPEC"), spec, 0o600) != nil {
		return 1
	}
	if _, err := os.Stdout.Write(events); err != nil {
		return 1
	}
	_, _ = io.Copy(io.Discard, in)
	return 0
}
