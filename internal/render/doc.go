// Package render is the registry of output formats, and what cli calls.
//
// A command's document becomes the presentation model by one view
// (internal/render/view to internal/render/model), and formats show the model
// and know no command: internal/render/text, markdown and html. So a new command
// is one view, and a new format one package. What a command alone has, such as
// patches and scripts, are formats of its Answer.
//
// Below these, internal/render/words names objects, managers and values in one
// line, and internal/render/glyph knows which characters are safe and how wide
// they are. Nothing here asks the API server, and nothing is computed twice.
// Secrets are masked before a document comes here (internal/report/redact).
package render
