package output

import "strconv"

// verbosity is how often -v is given. It is a flag without a value, so that --verbose=true and
// a setting of that kind count once.
type verbosity int

// Set implements pflag.Value.
func (v *verbosity) Set(s string) error {
	on, err := strconv.ParseBool(s)
	switch {
	case err != nil:
		return err
	case !on:
		*v = 0
	default:
		*v++
	}
	return nil
}

// String implements pflag.Value.
func (v *verbosity) String() string { return strconv.FormatBool(*v > 0) }

// Type implements pflag.Value.
func (v *verbosity) Type() string { return "bool" }

// IsBoolFlag reports that the flag needs no value.
func (v *verbosity) IsBoolFlag() bool { return true }
