// Package render is the registry of output formats, and what commands call.
//
// What a command answers becomes the presentation model by one view
// (its room in internal/cmd, or answers) to internal/render/model, and formats show the model
// and know no command: internal/render/text, markdown and html, and for systems of
// CI internal/render/ci. So a new command is one view, and a new format one
// package. What a command alone has, such as patches and scripts, are formats of
// its Answer.
//
// The results of simulated writes come one after the other
// (internal/render/stream): a section each, and at the end what they have in
// common (writes.go). Formats that have objects, not the model, are in
// internal/render/objects.
//
// Below these, internal/render/words names objects, managers and values in one
// line, and internal/render/glyph knows which characters are safe and how wide
// they are. Nothing here asks the API server, and nothing is computed twice.
// Secrets are masked before a document comes here (internal/report/redact).
package render
