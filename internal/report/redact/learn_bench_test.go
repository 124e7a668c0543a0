package redact

import (
	"encoding/base64"
	"math/rand/v2"
	"testing"
)

// BenchmarkLearn learns a release of Helm: 300 kB, twice in base64.
func BenchmarkLearn(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	raw := make([]byte, 168_000)
	for i := range raw {
		raw[i] = byte(rng.IntN(256))
	}
	release := base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString(raw)))
	secret := map[string]any{"kind": "Secret", "data": map[string]any{"release": release}}
	b.SetBytes(int64(len(release)))
	for b.Loop() {
		New().Learn(secret)
	}
}
