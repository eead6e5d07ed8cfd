package engine

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"5", "-1", "1e9", "9223372036854775807", "Fri, 31 Dec 2099 23:59:59 GMT", " 5", "5, 6"} {
		f.Add(s)
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		for _, name := range []string{"Retry-After", "X-Rate-Limit-Reset"} {
			h := http.Header{name: {s}, "X-Rate-Limit-Limit": {s}, "X-Rate-Limit-Remaining": {s}}
			if wait, ok := retryAfter(h, now); ok && wait < 0 {
				t.Errorf("%s: %q asks to wait %v", name, s, wait)
			}
			if r := RateOf(h); r.Limit < 0 || r.Remaining < 0 || r.Remaining > r.Limit || r.Reset < 0 {
				t.Errorf("%s: %q gives the rate %+v", name, s, r)
			}
		}
	})
}

func FuzzPath(f *testing.F) {
	for _, s := range []string{"../../x", "a/b", "%2e%2e", "a?b#c", "", ".", "ção", "\x00", "a;b"} {
		f.Add(s)
	}
	c := &Config{Base: &url.URL{Scheme: "https", Host: "api.example.com"}, Version: "v1", Store: 1}
	f.Fuzz(func(t *testing.T, s string) {
		r := Request{Path: "/products/sku/{sku}", Args: []any{s}}
		address, err := r.url(c)
		if err != nil {
			return
		}
		u, err := url.Parse(address)
		if err != nil || u.Host != c.Base.Host || u.RawQuery != "" || u.Fragment != "" {
			t.Fatalf("%q gives %s, %v", s, address, err)
		}
		segments := strings.Split(u.EscapedPath(), "/")
		if got, err := url.PathUnescape(segments[len(segments)-1]); err != nil || got != s || len(segments) != 6 {
			t.Errorf("%q arrives as %q in %d segments, %v", s, got, len(segments), err)
		}
	})
}
