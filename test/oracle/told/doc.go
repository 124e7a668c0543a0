// Package told tells the stories of ssactl test to a real API server, in two ways.
//
// Tell sends each step that is one request, and checks its expectations on what the server answers
// (told.go, step.go, resource.go).
//
// Ask has ssactl tell the whole story, and sends the server each request that ssactl has asked its
// own about, next to the same live object: those of clients, those of the client and of the other
// writers in rounds, and those that prove plans. Where all answers are the same, so are the steps
// of a client, a fixed point and a cycle (calls.go, asked.go).
package told
