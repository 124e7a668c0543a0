// Package iostreams is the way from a command to its input, output and
// commentary, and what is known about them: terminal, width, color.
package iostreams
