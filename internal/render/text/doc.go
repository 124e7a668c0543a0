// Package text shows the presentation model for people, on a terminal or in a
// file: it wraps, colors and folds, and knows no command.
//
// Every text passes glyph.Visible, and no line is one that the runner of a CI
// system takes for a command. Color carries nothing that the text lacks. Titles,
// commands and quotes are never wrapped; nothing is shortened but the cells of a
// table that is to fit a terminal.
package text
