// Package pool does independent work in parallel and hands out what it gives in
// order, while the rest is still being done. Work that may never end is done
// where it can be left alone.
package pool
