// Command oracle asks a real kube-apiserver, started in this process on
// loopback, what ssactl is to answer.
//
//	oracle record  -out FILE [SCENARIOS...]   send the requests of scenarios and record the answers
//	oracle verify  [-served] [SCENARIOS...]   the same, and tell where the answers differ from the recorded ones
//	oracle compare -n N -seed S -out DIR      random walks, answered by both servers; differences go to DIR
//	oracle replay  FILE...                    answer recorded steps by ssactl and print the differences
//	oracle serve   -kubeconfig FILE           run the server for other programs, such as kubectl
//	oracle tell    STORY...                   tell stories of ssactl test to it, and ask it what ssactl asked its own server
//	oracle beside                             ask it what clients read, and then that of ssactl serve the same
//
// Without SCENARIOS, record sends those of the public corpus. With -served, verify asks the server
// of 'ssactl serve' in place of the real one.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

// commands are run with the arguments after their name.
var commands = map[string]func(context.Context, []string, io.Writer) error{
	"record":  runRecord,
	"verify":  runVerify,
	"compare": runCompare,
	"replay":  runReplay,
	"serve":   runServe,
	"tell":    runTell,
	"beside":  runBeside,
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 || commands[args[0]] == nil {
		return fmt.Errorf("give one of the commands record, verify, compare, replay, serve, tell, beside")
	}
	return commands[args[0]](ctx, args[1:], out)
}
