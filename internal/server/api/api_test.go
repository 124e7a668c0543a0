package api

import (
	"errors"
	"strings"
	"testing"
)

// TestEndlessQuantity: beyond the limits of apimachinery's arithmetic a server computes
// until it gives up. What does not fit into the exponent is cut as it is there.
func TestEndlessQuantity(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                    false,
		"1":                                   false,
		"1Gi":                                 false,
		"1e3":                                 false,
		"1E":                                  false,
		"1e1000000":                           false,
		"1e1000001":                           true,
		"1E-1000001":                          true,
		"1e4294967297":                        false, // cut to 1
		"1e99999999999999999999":              false, // no number
		strings.Repeat("1", MaxDigits):        false,
		strings.Repeat("1", MaxDigits+1):      true,
		strings.Repeat("1", MaxDigits) + "e1": false,
		"e9999999":                            true,
	} {
		if got := EndlessQuantity(text); got != want {
			t.Errorf("%.20s: %t", text, got)
		}
	}
}

// TestGuarded: a panic is an error of its own, and work is done once for all who ask.
func TestGuarded(t *testing.T) {
	if _, err := Guarded(func() (int, error) { panic("broken") }); !errors.Is(err, ErrPanicked) ||
		!strings.Contains(err.Error(), "broken") {
		t.Errorf("a panic: %v", err)
	}
	failed := errors.New("failed")
	if _, err := Guarded(func() (int, error) { return 0, failed }); !errors.Is(err, failed) ||
		errors.Is(err, ErrPanicked) {
		t.Errorf("an error: %v", err)
	}
	times := 0
	once := OnceGuarded(func() (int, error) { times++; panic("broken") })
	for range 2 {
		if _, err := once(); !errors.Is(err, ErrPanicked) {
			t.Errorf("a panic, once: %v", err)
		}
	}
	if times != 1 {
		t.Errorf("it was done %d times", times)
	}
}

// TestTrees: a text is decoded once, its error as well, and nil remembers nothing.
func TestTrees(t *testing.T) {
	var trees Trees
	text := []byte(`{"a":{"b":1}}`)
	first, err := trees.Of(text)
	if err != nil {
		t.Fatal(err)
	}
	first.Object["mark"] = true
	if again, _ := trees.Of([]byte(string(text))); again.Object["mark"] != true {
		t.Error("an equal text is decoded again")
	}
	if other, _ := trees.Of([]byte(`{"a":1}`)); other.Object["mark"] != nil {
		t.Error("another text is taken for it")
	}
	for range 2 {
		if _, err := trees.Of([]byte(`{`)); err == nil {
			t.Error("what is no JSON is an object")
		}
	}
	if fresh, err := (*Trees)(nil).Of(text); err != nil || fresh.Object["mark"] != nil {
		t.Errorf("without memory: %v, %v", fresh.Object, err)
	}
}

// TestLiveError: the error says whose fault it is, and has its cause.
func TestLiveError(t *testing.T) {
	cause := errors.New("labels are no object")
	err := error(&LiveError{Err: cause})
	if !errors.Is(err, cause) || err.Error() != "the live object is not as an API server stores it: labels are no object" {
		t.Error(err)
	}
}
