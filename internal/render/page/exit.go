package page

import "github.com/ssactl/ssactl/internal/report"

// exitOf is why the exit code is 1 though nothing is refused: what --fail-on or a policy
// says no to. It is empty where the exit code is another, or has another reason.
func exitOf(e report.Ending) string {
	if !e.FailOn.Met() || len(e.Problems) > 0 || e.Interrupted != nil {
		return ""
	}
	return "exit 1: " + e.FailOn.String()
}

// ExitReason is the same for writes.
func ExitReason(s report.Summary, e report.Ending) string {
	if s.Refused() {
		return ""
	}
	return exitOf(e)
}
