// Package glyph knows how a text shows itself: which characters are safe to
// print, how many columns they take, and how a line is cut or wrapped.
package glyph
