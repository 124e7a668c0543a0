package etcd_test

import (
	"context"
	"testing"

	"k8s.io/apiserver/pkg/storage"
	suite "k8s.io/apiserver/pkg/storage/testing"
)

// plainly is a test that needs the storage only.
func plainly(test func(context.Context, *testing.T, storage.Interface)) func(context.Context, *testing.T, *fixture) {
	return func(ctx context.Context, t *testing.T, f *fixture) { test(ctx, t, f) }
}

// transforming is one that replaces the transformer.
func transforming(
	test func(context.Context, *testing.T, suite.InterfaceWithPrefixTransformer),
) func(context.Context, *testing.T, *fixture) {
	return func(ctx context.Context, t *testing.T, f *fixture) { test(ctx, t, f) }
}

// tests are those of k8s.io/apiserver/pkg/storage/testing. Not here are those of malformed
// objects (their errors and transformers are private to etcd3) and of sizes (they are of the
// storage, not of what is below it).
var tests = map[string]func(context.Context, *testing.T, *fixture){
	"Create": func(ctx context.Context, t *testing.T, f *fixture) { suite.RunTestCreate(ctx, t, f, f.stored) },
	"GuaranteedUpdate": func(ctx context.Context, t *testing.T, f *fixture) {
		suite.RunTestGuaranteedUpdate(ctx, t, f, f.stored)
	},
	"List": func(ctx context.Context, t *testing.T, f *fixture) {
		suite.RunTestList(ctx, t, f, f.compact, false, f.lists)
	},
	"ConsistentList": func(ctx context.Context, t *testing.T, f *fixture) {
		suite.RunTestConsistentList(ctx, t, f, f.increase, false, true, false)
	},
	"GetListNonRecursive": func(ctx context.Context, t *testing.T, f *fixture) {
		suite.RunTestGetListNonRecursive(ctx, t, f.increase, f)
	},
	"CompactRevision": func(ctx context.Context, t *testing.T, f *fixture) {
		suite.RunTestCompactRevision(ctx, t, f, f.increase, f.compact)
	},
	"ListInconsistentContinuation": func(ctx context.Context, t *testing.T, f *fixture) {
		suite.RunTestListInconsistentContinuation(ctx, t, f, f.compact)
	},
	"WatchFromZero": func(ctx context.Context, t *testing.T, f *fixture) {
		suite.RunTestWatchFromZero(ctx, t, f, f.compact)
	},
	"ProgressNotify": func(ctx context.Context, t *testing.T, f *fixture) {
		suite.RunOptionalTestProgressNotify(ctx, t, f, f.increase)
	},
	"WatchDispatchBookmarkEvents": func(ctx context.Context, t *testing.T, f *fixture) {
		suite.RunTestWatchDispatchBookmarkEvents(ctx, t, f, false)
	},
	"CreateWithTTL":                           plainly(suite.RunTestCreateWithTTL),
	"CreateWithKeyExist":                      plainly(suite.RunTestCreateWithKeyExist),
	"Get":                                     plainly(suite.RunTestGet),
	"UnconditionalDelete":                     plainly(suite.RunTestUnconditionalDelete),
	"ConditionalDelete":                       plainly(suite.RunTestConditionalDelete),
	"DeleteWithSuggestion":                    plainly(suite.RunTestDeleteWithSuggestion),
	"DeleteWithSuggestionAndConflict":         plainly(suite.RunTestDeleteWithSuggestionAndConflict),
	"DeleteWithSuggestionOfDeletedObject":     plainly(suite.RunTestDeleteWithSuggestionOfDeletedObject),
	"ValidateDeletionWithSuggestion":          plainly(suite.RunTestValidateDeletionWithSuggestion),
	"ValidateDeletionWithOnlySuggestionValid": plainly(suite.RunTestValidateDeletionWithOnlySuggestionValid),
	"DeleteWithConflict":                      plainly(suite.RunTestDeleteWithConflict),
	"PreconditionalDeleteWithSuggestion":      plainly(suite.RunTestPreconditionalDeleteWithSuggestion),
	"PreconditionalDeleteWithOnlySuggestion":  plainly(suite.RunTestPreconditionalDeleteWithOnlySuggestionPass),
	"ListPaging":                              plainly(suite.RunTestListPaging),
	"GetListRecursivePrefix":                  plainly(suite.RunTestGetListRecursivePrefix),
	"KeySchema":                               plainly(suite.RunTestKeySchema),
	"NamespaceScopedList":                     plainly(suite.RunTestNamespaceScopedList),
	"GuaranteedUpdateWithTTL":                 plainly(suite.RunTestGuaranteedUpdateWithTTL),
	"GuaranteedUpdateWithConflict":            plainly(suite.RunTestGuaranteedUpdateWithConflict),
	"GuaranteedUpdateWithSuggestionConflict":  plainly(suite.RunTestGuaranteedUpdateWithSuggestionAndConflict),
	"GuaranteedUpdateChecksStoredData":        transforming(suite.RunTestGuaranteedUpdateChecksStoredData),
	"TransformationFailure":                   transforming(suite.RunTestTransformationFailure),
	"ListResourceVersionMatch":                transforming(suite.RunTestListResourceVersionMatch),
	"Watch":                                   plainly(suite.RunTestWatch),
	"ClusterScopedWatch":                      plainly(suite.RunTestClusterScopedWatch),
	"NamespaceScopedWatch":                    plainly(suite.RunTestNamespaceScopedWatch),
	"DeleteTriggerWatch":                      plainly(suite.RunTestDeleteTriggerWatch),
	"WatchFromNonZero":                        plainly(suite.RunTestWatchFromNonZero),
	"DelayedWatchDelivery":                    plainly(suite.RunTestDelayedWatchDelivery),
	"WatchError":                              transforming(suite.RunTestWatchError),
	"WatchContextCancel":                      plainly(suite.RunTestWatchContextCancel),
	"WatcherTimeout":                          plainly(suite.RunTestWatcherTimeout),
	"WatchDeleteEventObjectHaveLatestRV":      plainly(suite.RunTestWatchDeleteEventObjectHaveLatestRV),
	"WatchInitializationSignal":               plainly(suite.RunTestWatchInitializationSignal),
	"SendInitialEventsBackwardCompatibility":  plainly(suite.RunSendInitialEventsBackwardCompatibility),
	"WatchSemantics":                          plainly(suite.RunWatchSemantics),
	"WatchSemanticInitialEventsExtended":      plainly(suite.RunWatchSemanticInitialEventsExtended),
	"WatchListMatchSingle":                    plainly(suite.RunWatchListMatchSingle),
	"WatchErrorIsBlockingFurtherEvents":       transforming(suite.RunWatchErrorIsBlockingFurtherEvents),
}
