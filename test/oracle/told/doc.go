// Package told tells the stories of ssactl test to a real API server: each step is one request,
// and its expectations are checked on what the server answers.
package told
