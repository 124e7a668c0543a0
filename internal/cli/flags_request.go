package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
)

// requestFlags are those of the request itself.
type requestFlags struct {
	manager string
	// named reports whether the field manager was given, or is derived from --user-agent.
	named       bool
	userAgent   string
	subresource string
	validate    string
	clientFlags
	// sent is what check made of the flags: the parameters of the request.
	sent struct{ manager, validation string }
}

// defaultManager is kubectl's user agent, from which the server derives the
// field manager where none is given.
const defaultManager = "kubectl"

func (f *requestFlags) add(cmd *cobra.Command, subresources ...string) {
	flags := cmd.Flags()
	flags.StringVar(&f.manager, "field-manager", defaultManager, "`name` of the field manager")
	flags.StringVar(&f.validate, "validate", "strict", "what to do about unknown and duplicate fields: strict, warn, or ignore")
	if len(subresources) > 0 {
		flags.StringVar(&f.subresource, "subresource", "", "write to a `subresource`: "+strings.Join(subresources, ", "))
		mustComplete(cmd, "subresource", subresources)
	}
	mustComplete(cmd, "validate", []string{"strict", "warn", "ignore"})
	mustCompleteManagers(cmd)
}

// infer has the live objects say who the field manager is where none is given.
func (f *requestFlags) infer(cmd *cobra.Command) {
	flag := cmd.Flags().Lookup("field-manager")
	flag.Usage, flag.DefValue = "`name` of the field manager (default that of --client, else the one that applies all of the live objects, else kubectl)", ""
	f.addClient(cmd)
}

// addUserAgent lets the field manager be derived as the server derives it.
func (f *requestFlags) addUserAgent(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.userAgent, "user-agent", "", "user `agent` from which the server derives the field manager when --field-manager is not given")
}

// check finds wrong flags. Where a user agent stands in, no field manager is sent.
// Validation is as with kubectl, booleans included.
func (f *requestFlags) check(cmd *cobra.Command) error {
	if err := f.clientFlags.check(); err != nil {
		return err
	}
	f.sent.manager, f.named = f.manager, f.userAgent != "" || cmd.Flags().Changed("field-manager")
	if f.userAgent != "" && !cmd.Flags().Changed("field-manager") {
		f.sent.manager = ""
	}
	switch f.validate {
	case "strict", "true":
		f.sent.validation = "Strict"
	case "warn":
		f.sent.validation = "Warn"
	case "ignore", "false":
		f.sent.validation = "Ignore"
	default:
		return fmt.Errorf("--validate %q: use strict, warn, or ignore", f.validate)
	}
	return nil
}

// fill makes a write a request of these flags.
func (f *requestFlags) fill(w *engine.Write) {
	w.Subresource, w.Manager, w.UserAgent, w.FieldValidation = f.subresource, f.sent.manager, f.userAgent, f.sent.validation
}
