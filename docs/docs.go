// Package docs holds the pages of the documentation that 'ssactl help' shows.
package docs

import "embed"

// Pages are those pages, in Markdown.
//
//go:embed agents.md concepts.md conflicts.md exit-codes.md settings.md snapshot.md clients.md security.md troubleshooting.md
var Pages embed.FS
