package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/ssactl/ssactl/test/oracle/kube"
)

func runServe(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	file := flags.String("kubeconfig", "", "file to write for clients")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *file == "" {
		return errors.New("serve: -kubeconfig is missing")
	}
	server, err := kube.Start(ctx)
	if err != nil {
		return err
	}
	config, err := json.Marshal(server.Client.Config())
	if err == nil {
		err = os.WriteFile(*file, config, 0o600)
	}
	if err != nil {
		return errors.Join(err, server.Close())
	}
	fmt.Fprintf(out, "serving; %s is for clients, an interrupt ends it\n", *file)
	<-ctx.Done()
	return server.Close()
}
