// Package objects writes documents and Kubernetes objects as YAML and JSON, as
// kubectl does, with escapes for whatever does not show itself.
package objects
