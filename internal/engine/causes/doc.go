// Package causes reads what is wrong with what was asked for out of the API
// server's refusal, and finds it in the manifest.
//
// The server answers with a Status, which lists causes by field, or with a
// sentence, which may run several faults together:
//
//	Status -> its own list              status.go, those of field managers included
//	       -> faults in its message     message.go, by the phrases of phrases.go
//	  -> the place in the body          place.go, item.go for items of lists
//	     what a field may mean          meant.go
//	  -> values by what they are, where value.go
//	     the message names no field
//
// All of this depends on upstream's messages, which change between releases: an unknown
// message has no causes, and is shown as it is.
package causes
