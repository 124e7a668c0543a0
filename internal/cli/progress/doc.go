// Package progress draws a bar with rate and time left for whoever waits at a
// terminal. It is the only importer of the library that draws it.
package progress
