// Package topic makes pages of the documentation, which are Markdown, blocks of the
// presentation model, so that they are shown in a terminal as answers are.
package topic
