// Package html shows the presentation model as one page that needs nothing
// else: no network, no other file, no script to read it. It knows no command.
//
// Every text passes glyph.Visible and is escaped where it is written, in one
// place (tag.go): nothing in a value can act as markup, script or style, and the
// page's policy allows its own style only.
package html
