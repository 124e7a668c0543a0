// Package words names things in one line, in the words of all formats: objects,
// sources, field managers, times, counts and values. What it gives is safe to
// print.
package words
