// Package settings reads what a repository sets once for all commands: the file
// .ssactl.yaml, and variables of the environment that start with SSACTL_.
//
//	setting.go  what can be set, the flag that it is of, and its variable
//	file.go     .ssactl.yaml, with the line of each setting
//
// A variable wins over the file, and a flag over both: that is the caller's part.
package settings
