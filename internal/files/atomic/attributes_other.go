//go:build !linux && !darwin

package atomic

// copyAttributes does nothing where no extended attributes are known.
func copyAttributes(string, string) error { return nil }
