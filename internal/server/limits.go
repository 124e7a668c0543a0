package server

import (
	"errors"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
)

// limits judges by a LimitRange as upstream does, which tells of what it refuses in
// any order. Here the order is one.
type limits struct {
	*limitranger.DefaultLimitRangerActions
}

var _ limitranger.LimitRangerActions = limits{}

// ValidateLimit refuses what a LimitRange does not allow.
func (l limits) ValidateLimit(limit *corev1.LimitRange, resource string, obj runtime.Object) error {
	err := l.DefaultLimitRangerActions.ValidateLimit(limit, resource, obj)
	if all := utilerrors.Aggregate(nil); errors.As(err, &all) {
		sorted := slices.SortedFunc(slices.Values(all.Errors()), func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
		return utilerrors.NewAggregate(sorted)
	}
	return err
}
