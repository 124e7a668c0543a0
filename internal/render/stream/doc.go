// Package stream is how the results of a run reach a format: one after the other,
// as they come, so that nobody holds all of them.
package stream
