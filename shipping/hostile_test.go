package shipping

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// What strangers may send is refused before the function is called, in little memory.
func TestHostileInput(t *testing.T) {
	many := func(item string, n int) []byte {
		return with(t, "items", raw("["+strings.Repeat(item+",", n-1)+item+"]"))
	}
	for _, v := range []struct {
		name   string
		body   []byte
		status int
	}{
		{"many empty items", many("{}", 300_000), 400},
		{"many items", many(`{"id":1,"quantity":1}`, 3_900), 200},
		{"too many items", many(`{"id":1,"quantity":1}`, 4_100), 400},
		{"a million digits", with(t, "items.0.dimensions.width", raw("1"+strings.Repeat("0", 1_000_000))), 400},
		{"a million digits on which no rate depends", with(t, "total_price", raw("1"+strings.Repeat("0", 1_000_000))), 200},
		{"a great exponent", with(t, "items.0.dimensions.width", raw("1e1000000000")), 400},
		{"a great exponent in a text", with(t, "items.0.dimensions.width", "1e1000000000"), 400},
		{"a great quantity", with(t, "items.0.quantity", raw("9223372036854775807")), 400},
		{"more than 64 bits", with(t, "items.0.id", raw("9223372036854775808")), 400},
		{"a long text", with(t, "destination.city", strings.Repeat("x", 1<<19)), 200},
		{"too long a text", with(t, "destination.city", strings.Repeat("x", 1<<20)), 413},
		{"control characters", with(t, "carrier.id", "\x1b[31m\n"), 200},
	} {
		p := newProbe(always(ship(t, "standard")), nil)
		var w *httptest.ResponseRecorder
		spent := hostile.Cost(func() { w = post(p, v.body) })
		if w.Code != v.status {
			t.Errorf("%s: got %d %.80s, want %d", v.name, w.Code, w.Body, v.status)
		}
		if spent.Bytes > 48<<20 {
			t.Errorf("%s: took %v, want 48 MiB at most", v.name, spent)
		}
		for _, f := range p.failures() {
			if text := f.Error(); strings.Contains(text, "Rosario") || strings.ContainsAny(text, "\x00\x1b\n") || len(text) > 1000 {
				t.Errorf("%s: reported %q", v.name, text)
			}
		}
	}
}
