// Package page makes the presentation model of what commands answer: one file a
// command, a section an object. Sentences, hints and the commands that a reader
// may copy live here; how they look is left to the formats.
package page
