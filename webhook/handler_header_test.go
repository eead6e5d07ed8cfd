package webhook

import (
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestRefusals: shapes of requests and the exact status of each. Those that are
// not accepted must not be parsed.
func TestRefusals(t *testing.T) {
	good := Sign(testSecret, []byte(paidBody))
	binary, _ := hex.DecodeString(good)
	header := func(values ...string) func(*http.Request) {
		return func(r *http.Request) { r.Header[http.CanonicalHeaderKey(SignatureHeader)] = values }
	}
	named := func(name string) func(*http.Request) {
		return func(r *http.Request) { header()(r); r.Header.Set(name, good) }
	}
	body := func(s string) func(*http.Request) {
		return func(r *http.Request) {
			signature := r.Header.Get(SignatureHeader)
			*r = *httptest.NewRequest(http.MethodPost, "/", strings.NewReader(s))
			r.Header.Set(SignatureHeader, signature)
		}
	}
	method := func(m string) func(*http.Request) { return func(r *http.Request) { r.Method = m } }
	encoded := func(values ...string) func(*http.Request) {
		return func(r *http.Request) { r.Header["Content-Encoding"] = values }
	}
	tests := []struct {
		name   string
		change func(*http.Request)
		want   int
	}{
		{"as signed", func(*http.Request) {}, 200},
		{"upper case", header(strings.ToUpper(good)), 200},
		{"mixed case", header(strings.ToUpper(good[:32]) + good[32:]), 200},
		{"identity", encoded("identity"), 200},
		{"another content type", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 200},
		{"unknown length", func(r *http.Request) { r.ContentLength = -1 }, 200},
		{"path and query", func(r *http.Request) { r.URL.RawQuery = "store_id=9" }, 200},

		{"GET", method("GET"), 405},
		{"PUT", method("PUT"), 405},
		{"post in small letters", method("post"), 405},
		{"no method", method(""), 405},

		{"gzip", encoded("gzip"), 415},
		{"identity, gzip", encoded("identity, gzip"), 415},

		{"too long", body(strings.Repeat(" ", DefaultMaxBody+1)), 413},
		{"as long as may be, not signed", body(strings.Repeat(" ", DefaultMaxBody)), 401},

		{"no header", header(), 401},
		{"empty", header(""), 401},
		{"twice", header(good, good), 401},
		{"good then bad", header(good, strings.Repeat("0", 64)), 401},
		{"bad then good", header(strings.Repeat("0", 64), good), 401},
		{"good then empty", header(good, ""), 401},
		{"empty then good", header("", good), 401},
		{"joined by a comma", header(good + "," + good), 401},
		{"joined by comma and space", header(good + ", " + good), 401},
		{"63 digits", header(good[:63]), 401},
		{"63 digits, the first gone", header(good[1:]), 401},
		{"65 digits", header(good + "0"), 401},
		{"65 digits, zero before", header("0" + good), 401},
		{"32 digits", header(good[:32]), 401},
		{"128 digits", header(good + good), 401},
		{"0x before", header("0x" + good), 401},
		{"0x inside the length", header("0x" + good[2:]), 401},
		{"sha256= before", header("sha256=" + good), 401},
		{"sha256= inside the length", header("sha256=" + good[7:]), 401},
		{"v1= before", header("v1=" + good), 401},
		{"quoted", header(`"` + good + `"`), 401},
		{"quoted inside the length", header(`"` + good[1:63] + `"`), 401},
		{"space before", header(" " + good), 401},
		{"space behind", header(good + " "), 401},
		{"space for the last digit", header(good[:63] + " "), 401},
		{"tab behind", header(good + "\t"), 401},
		{"LF behind", header(good + "\n"), 401},
		{"LF for the last digit", header(good[:63] + "\n"), 401},
		{"CRLF behind", header(good + "\r\n"), 401},
		{"NUL behind", header(good + "\x00"), 401},
		{"NUL for the last digit", header(good[:63] + "\x00"), 401},
		{"a g", header("g" + good[1:]), 401},
		{"full-width digit", header("\uff10" + good[3:]), 401},
		{"64 full-width digits", header(strings.Repeat("\uff10", 64)), 401},
		{"Arabic-Indic digits", header(strings.Repeat("٠", 32)), 401},
		{"base64", header(base64.StdEncoding.EncodeToString(binary)), 401},
		{"base64url", header(base64.RawURLEncoding.EncodeToString(binary)), 401},
		{"raw bytes", header(string(binary)), 401},
		{"colons between bytes", header(strings.Join(strings.SplitAfter(good, ""), ":")), 401},
		{"zeros", header(strings.Repeat("0", 64)), 401},
		{"reversed bytes", header(hex.EncodeToString(reversed(binary))), 401},
		{"first digit wrong", header(flip(good, 0)), 401},
		{"last digit wrong", header(flip(good, 63)), 401},
		{"of the empty secret", header(Sign("", []byte(paidBody))), 401},
		{"of a secret with LF", header(Sign(testSecret+"\n", []byte(paidBody))), 401},
		{"of the empty body", header(Sign(testSecret, nil)), 401},
		{"a megabyte", header(strings.Repeat("a", 1<<20)), 401},
		{"name with underscores", named("x_platform_hmac_sha256"), 401},
		{"name without x", named("platform-hmac-sha256"), 401},
		{"name with a suffix", named("x-platform-hmac-sha256-1"), 401},
		{"name of sha1", named("x-platform-hmac-sha1"), 401},
		{"in Authorization", named("Authorization"), 401},
		{"in the trailer", func(r *http.Request) {
			header()(r)
			r.Trailer = http.Header{"X-Platform-Hmac-Sha256": {good}}
		}, 401},
		{"in the query", func(r *http.Request) { header()(r); r.URL.RawQuery = SignatureHeader + "=" + good }, 401},

		{"empty body", body(""), 401},
		{"space behind the body", body(paidBody + " "), 401},
		{"LF behind the body", body(paidBody + "\n"), 401},
		{"CRLF behind the body", body(paidBody + "\r\n"), 401},
		{"BOM before the body", body("\ufeff" + paidBody), 401},
		{"keys in another order", body(`{"event":"order/paid","store_id":123,"id":871254203}`), 401},
		{"spaces between", body(`{"store_id": 123, "event": "order/paid", "id": 871254203}`), 401},
		{"escaped letter", body(`{"store_id":123,"event":"order/p\u0061id","id":871254203}`), 401},
		{"escaped slash", body(`{"store_id":123,"event":"order\/paid","id":871254203}`), 401},
		{"other store", body(`{"store_id":124,"event":"order/paid","id":871254203}`), 401},
		{"cut body", body(paidBody[:len(paidBody)-1]), 401},
	}
	if len(tests) < 60 {
		t.Fatalf("got %d shapes, want 60 at least", len(tests))
	}
	bodies := map[int]string{401: "Unauthorized\n", 405: "Method Not Allowed\n", 413: "Request Entity Too Large\n",
		415: "Unsupported Media Type\n"}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProbe(t, nil)
			r := signed(paidBody)
			tt.change(r)
			w := send(p, r)
			if w.Code != tt.want || w.Body.String() != bodies[tt.want] {
				t.Errorf("got %d %q, want %d %q", w.Code, w.Body, tt.want, bodies[tt.want])
			}
			reached := 0
			if tt.want == http.StatusOK {
				reached = 1
			}
			if p.parses != reached || len(p.calls) != reached || len(p.kept) != 0 {
				t.Errorf("got %d parses, %d calls, %d kept; want %d, %d, 0", p.parses, len(p.calls), len(p.kept),
					reached, reached)
			}
			if allow := w.Header().Get("Allow"); (tt.want == http.StatusMethodNotAllowed) != (allow == "POST") {
				t.Errorf("status %d with Allow %q", w.Code, allow)
			}
		})
	}
}

func TestHeaderName(t *testing.T) {
	p := newProbe(t, func(h *Handler) { h.HeaderName = "x-my-signature" })
	r := signed(paidBody)
	if got := send(p, r).Code; got != http.StatusUnauthorized {
		t.Errorf("default header: got %d, want 401", got)
	}
	r = signed(paidBody)
	r.Header.Set("X-My-Signature", r.Header.Get(SignatureHeader))
	if got := send(p, r).Code; got != http.StatusOK {
		t.Errorf("configured header: got %d, want 200", got)
	}
}

func reversed(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := len(b) - 1; i >= 0; i-- {
		out = append(out, b[i])
	}
	return out
}

func flip(s string, i int) string {
	b := []byte(s)
	if b[i]++; b[i] > '9' {
		b[i] = '0'
	}
	return string(b)
}
