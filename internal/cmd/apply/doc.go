// Package apply previews Server-Side Apply, and its difference from what is live.
package apply
