package parity

import (
	"regexp"
	"sort"
	"strings"
)

// Admission plug-ins look at several objects of one kind in any order, and a map is
// read in any order: which is reported, or told first, is chance.

// limitPattern is one limit that a Pod or claim does not keep.
var limitPattern = regexp.MustCompile(`(?:minimum \S+ usage|maximum \S+ usage|\S+ max limit to request ratio) per `)

// sortLimits orders the limits that the refusal of a Pod or claim tells:
//
//	pods "p" is forbidden: [maximum cpu usage per Container is 2, but limit is 3,
//	maximum memory usage per Container is 1Gi, but limit is 2Gi]
func sortLimits(message string) string {
	object, limits, found := strings.Cut(message, " is forbidden: [")
	starts := limitPattern.FindAllStringIndex(limits, -1)
	if !found || len(starts) == 0 {
		return message
	}
	limits = strings.TrimSuffix(limits, "]") + ", "
	var all []string
	for i, start := range starts {
		end := len(limits)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		all = append(all, limits[start[0]:end])
	}
	sort.Strings(all)
	return object + " is forbidden: [" + strings.Join(all, "")
}

// quotaPattern is how the refusal of an object for a quota begins, with the quota's
// name: one that it exceeds, one that asks for what it does not say, or one with
// unknown usage.
var quotaPattern = regexp.MustCompile(
	`^(.* is forbidden: )(?:exceeded quota|failed quota|status unknown for quota): ([^:,]+)[:,]`,
)

// sameQuota makes the messages of two Statuses the same when they refuse an object
// for different quotas: of several that refuse it, a server tells any.
func sameQuota(want, got any) {
	wantStatus, _ := want.(map[string]any)
	gotStatus, _ := got.(map[string]any)
	wantObject, wantQuota := refusingQuota(wantStatus)
	gotObject, gotQuota := refusingQuota(gotStatus)
	if wantQuota != "" && gotQuota != "" && wantObject == gotObject && wantQuota != gotQuota {
		wantStatus["message"], gotStatus["message"] = wantObject, gotObject
	}
}

func refusingQuota(status map[string]any) (object, quota string) {
	message, _ := status["message"].(string)
	if found := quotaPattern.FindStringSubmatch(message); found != nil {
		return found[1], found[2]
	}
	return "", ""
}

// limitAnnotation says what the defaults of a LimitRange set.
const limitAnnotation = "kubernetes.io/limit-ranger"

// sameLimits makes that annotation the same in two objects that both have it: of
// several LimitRanges, it tells of the last one that a server looks at.
func sameLimits(want, got any) {
	wantLimits, gotLimits := annotationOf(want), annotationOf(got)
	if wantLimits[limitAnnotation] != nil && gotLimits[limitAnnotation] != nil {
		wantLimits[limitAnnotation], gotLimits[limitAnnotation] = "", ""
	}
}

func annotationOf(object any) map[string]any {
	fields, _ := object.(map[string]any)
	annotations, _ := at(fields, "metadata")["annotations"].(map[string]any)
	return annotations
}
