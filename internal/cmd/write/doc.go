// Package write previews writes: create, update, patch, scale and delete; and is the
// question of all simulated writes, which apply asks too (command.go). Answers are shown
// while they come.
package write
