// Package owners prints who owns which field of live objects (command.go), and why one
// field is as it is (field.go).
package owners
