// Package explain explains each conflict of applies in full, with its resolutions
// (internal/ownership/conflict), and many applies by their causes.
package explain
