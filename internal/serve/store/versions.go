package store

import "go.etcd.io/etcd/api/v3/mvccpb"

// version is one value of a key. A deletion is a version too: it has no value.
type version struct {
	// modified and created are revisions; count is 1 for the version that created the key.
	modified, created, count int64
	lease                    int64
	value                    Value
	deleted                  bool
}

// versions are those of one key, the oldest first.
type versions struct {
	key string
	all []version
}

func byKey(a, b *versions) bool { return a.key < b.key }

// at is the version at a revision; nil if the key did not exist then.
func (v *versions) at(revision int64) *version {
	for i := len(v.all) - 1; i >= 0; i-- {
		if v.all[i].modified > revision {
			continue
		}
		if v.all[i].deleted {
			return nil
		}
		return &v.all[i]
	}
	return nil
}

// pair is a version as etcd's API has it.
func (v *version) pair(key string) *mvccpb.KeyValue {
	out := v.bare(key)
	out.Value = v.value.alone()
	return out
}

// bare is a version without its value.
func (v *version) bare(key string) *mvccpb.KeyValue {
	return &mvccpb.KeyValue{
		Key: []byte(key), CreateRevision: v.created, ModRevision: v.modified, Version: v.count, Lease: v.lease,
	}
}

// trim forgets the versions that a newer one at or before a revision follows, and returns the
// number of bytes of their values. The key is gone if a deletion is all that is left.
func (v *versions) trim(revision int64) (freed int64, gone bool) {
	first := 0
	for first+1 < len(v.all) && v.all[first+1].modified <= revision {
		freed += v.all[first].value.size()
		first++
	}
	if first > 0 {
		v.all = append([]version(nil), v.all[first:]...)
	}
	return freed, len(v.all) == 1 && v.all[0].deleted && v.all[0].modified <= revision
}
