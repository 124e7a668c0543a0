// Package memory is the storage of the server: it holds the one live object of one call.
//
//	transaction.go  the object before and after the call
//	storage.go      the storage over it, as registries see it
//	lasting.go      objects that need not be encoded in between
package memory
