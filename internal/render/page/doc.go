// Package page has what the pages of all commands are made of: titles, sections, changes,
// cautions, fixes and settings of clients, as the presentation model
// (internal/render/model). The page of a question stands in its room.
package page
