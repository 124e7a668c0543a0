// Package migrate prints plans to move objects from client-side to server-side apply
// (internal/ownership/migration), as pages, patches and scripts, and carries them out in
// the files of the live objects.
package migrate
