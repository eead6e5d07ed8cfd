package work

import (
	"net/http"
	"testing"
)

func TestMasked(t *testing.T) {
	h := http.Header{
		"Authorization": {"Bearer A"}, "Authentication": {"bearer B"}, "X-Api-Key": {"C"}, "Set-Cookie": {"D", "E"},
		"X-Access-Token": {"F"}, "X-Signature": {"s"}, "Idempotency-Key": {"k"},
	}
	got := Masked(h)
	for name := range h {
		want := "***"
		if name == "X-Signature" || name == "Idempotency-Key" {
			want = h.Get(name)
		}
		if len(got[name]) != 1 || got.Get(name) != want {
			t.Errorf("%s: got %q, want %q", name, got[name], want)
		}
	}
	if h.Get("X-Api-Key") != "C" || Masked(nil) != nil {
		t.Error("the header itself was changed")
	}
}
