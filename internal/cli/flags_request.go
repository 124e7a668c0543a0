package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
)

// requestFlags are those of the request itself.
type requestFlags struct {
	clientFlags
	userAgent   string
	subresource string
	validate    string
	// validation is what check made of validate.
	validation string
}

// defaultManager is kubectl's user agent, from which the server derives the
// field manager where none is given.
const defaultManager = "kubectl"

func (f *requestFlags) add(cmd *cobra.Command, subresources ...string) {
	flags := cmd.Flags()
	f.addManager(cmd, "`name` of the field manager")
	flags.StringVar(&f.validate, "validate", "strict", "what to do about unknown and duplicate fields: strict, warn, or ignore")
	if len(subresources) > 0 {
		flags.StringVar(&f.subresource, "subresource", "", "write to a `subresource`: "+strings.Join(subresources, ", "))
		mustComplete(cmd, "subresource", subresources)
	}
	mustComplete(cmd, "validate", []string{"strict", "warn", "ignore"})
}

// addUserAgent lets the field manager be derived as the server derives it.
func (f *requestFlags) addUserAgent(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.userAgent, "user-agent", "", "user `agent` from which the server derives the field manager when --field-manager is not given")
}

// check finds wrong flags. Where a user agent stands in, no field manager is sent.
// Validation is as with kubectl, booleans included.
func (f *requestFlags) check(cmd *cobra.Command) error {
	if err := f.clientFlags.check(cmd, managerFlag); err != nil {
		return err
	}
	if f.userAgent != "" && !f.named {
		f.sender, f.named = "", true
	}
	switch f.validate {
	case "strict", "true":
		f.validation = "Strict"
	case "warn":
		f.validation = "Warn"
	case "ignore", "false":
		f.validation = "Ignore"
	default:
		return fmt.Errorf("--validate %q: use strict, warn, or ignore", f.validate)
	}
	return nil
}

// fill makes a write a request of these flags.
func (f *requestFlags) fill(w *engine.Write) {
	w.Subresource, w.Manager, w.UserAgent, w.FieldValidation = f.subresource, f.sender, f.userAgent, f.validation
}
