// Package app is what all commands share: streams, the masks of Secrets, settings, exit
// codes.
package app
