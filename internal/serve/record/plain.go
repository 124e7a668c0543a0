package record

import (
	"bytes"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// plain is an object as JSON, where a text is an object in protobuf; other texts stay.
func plain(media string, text []byte) []byte {
	if !strings.HasPrefix(media, "application/vnd.kubernetes.protobuf") {
		return text
	}
	object, kind, err := legacyscheme.Codecs.UniversalDeserializer().Decode(text, nil, nil)
	if err != nil {
		return text
	}
	object.GetObjectKind().SetGroupVersionKind(*kind)
	encoder := json.NewSerializerWithOptions(
		json.DefaultMetaFactory, legacyscheme.Scheme, legacyscheme.Scheme, json.SerializerOptions{},
	)
	out, err := runtime.Encode(encoder, object)
	if err != nil {
		return text
	}
	return bytes.TrimSpace(out)
}
