package settings

import "path/filepath"

// StateDir is the user's state directory: $XDG_STATE_HOME, or what it is by default;
// empty where there is no home.
func StateDir(getenv func(string) string) string {
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	if dir := getenv("LOCALAPPDATA"); filepath.IsAbs(dir) {
		return dir
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state")
	}
	return ""
}
