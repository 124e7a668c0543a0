package input

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
)

// RequestFlags are those of the request itself.
type RequestFlags struct {
	ClientFlags
	userAgent   string
	Subresource string
	validate    string
	// validation is what check made of validate.
	validation string
}

// DefaultManager is kubectl's user agent, from which the server derives the
// field manager where none is given.
const DefaultManager = "kubectl"

// Add adds the flags of a request.
func (f *RequestFlags) Add(cmd *cobra.Command, subresources ...string) {
	flags := cmd.Flags()
	f.AddManager(cmd, "`name` of the field manager")
	flags.StringVar(&f.validate, "validate", "strict", "what to do about unknown and duplicate fields: strict, warn, or ignore")
	if len(subresources) > 0 {
		flags.StringVar(&f.Subresource, "subresource", "", "write to a `subresource`: "+strings.Join(subresources, ", "))
		MustComplete(cmd, "subresource", subresources)
	}
	MustComplete(cmd, "validate", []string{"strict", "warn", "ignore"})
}

// AddUserAgent lets the field manager be derived as the server derives it.
func (f *RequestFlags) AddUserAgent(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.userAgent, "user-agent", "", "user `agent` from which the server derives the field manager when --field-manager is not given")
}

// Check finds wrong flags. Where a user agent stands in, no field manager is sent.
// Validation is as with kubectl, booleans included.
func (f *RequestFlags) Check(cmd *cobra.Command) error {
	if err := f.ClientFlags.Check(cmd, ManagerFlag); err != nil {
		return err
	}
	if f.userAgent != "" && !f.Named {
		f.Sender, f.Named = "", true
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

// Fill makes a write a request of these flags.
func (f *RequestFlags) Fill(w *engine.Write) {
	w.Subresource, w.Manager, w.UserAgent, w.FieldValidation = f.Subresource, f.Sender, f.userAgent, f.validation
}
