// Package model is what a command's answer looks like, before it is known on
// what: a Document of Sections, each of Blocks, whose texts are Spans with
// roles. The rooms of questions make it of their documents; formats show
// it and know no command (internal/render/text, markdown, html, ci).
//
// The model is inert: it has no colors, widths, escapes or markup. Texts are as
// the inputs have them, and each format makes them safe for its place. Weight
// says what matters, so that formats may order and fold; how, is theirs.
package model
