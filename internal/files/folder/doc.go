// Package folder writes a folder of generated files, all of them or none. It
// replaces a folder only when everything in it was generated too.
package folder
