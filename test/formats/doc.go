// Package formats compares the answer of a command in its formats with files.
package formats
