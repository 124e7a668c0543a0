package app

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/run/settings"
)

// Configure sets the flags of a command that were not typed from the settings of
// the repository and of the environment. Settings of flags that the command does
// not have are for others.
func (a *App) Configure(cmd *cobra.Command) error {
	list, err := a.settings()
	if err != nil {
		return err
	}
	typed := map[string]bool{}
	for _, s := range list {
		flag := cmd.Flags().Lookup(s.Flag)
		if flag == nil {
			continue
		}
		if _, known := typed[s.Flag]; !known {
			typed[s.Flag] = flag.Changed
		}
		if typed[s.Flag] {
			continue
		}
		typed[s.Flag] = true
		if a.Configured == nil {
			a.Configured = map[string]bool{}
		}
		a.Configured[s.Flag] = true
		for _, value := range s.Values {
			if err := cmd.Flags().Set(s.Flag, value); err != nil {
				return fmt.Errorf("%s: %w", s.Origin, err)
			}
		}
		if verbose, err := cmd.Flags().GetBool("verbose"); err == nil && verbose {
			a.Notice([]string{"set " + s.String()})
		}
	}
	return nil
}

// settings are those of the environment, and then those of the file: the first of
// a flag counts.
func (a *App) settings() ([]settings.Setting, error) {
	list := settings.FromEnvironment(a.Streams.Getenv)
	dir, err := os.Getwd()
	if err != nil {
		return list, nil
	}
	file := settings.Find(dir)
	if file == "" {
		return list, nil
	}
	more, err := settings.FromFile(file, dir)
	return append(list, more...), err
}
