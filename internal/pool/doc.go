// Package pool does independent work in parallel and hands out what it gives in
// order, while the rest is still being done.
package pool
