// Package progress draws a bar with rate and time left for a person at a
// terminal. It is the only importer of the library that draws it.
package progress
