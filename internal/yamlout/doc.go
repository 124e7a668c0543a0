// Package yamlout writes values as sigs.k8s.io/yaml does, and so kubectl: faster, and in
// one order where the encoder has none for the keys of a map.
//
// Laws: what is written is what the library writes, byte for byte, or its error, where that
// comes out alike in each of its runs; equal values are written alike in each run.
package yamlout
