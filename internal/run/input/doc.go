// Package input has the flags of what is read and asked: manifests and live objects, the
// server, the request, the client.
package input
