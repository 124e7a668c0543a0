// Package safetext makes texts harmless that others wrote: for the terminal that
// shows them, and for the runner of a CI system, which takes commands from
// whatever a step prints. Writer is the one way to standard output and standard
// error.
package safetext
