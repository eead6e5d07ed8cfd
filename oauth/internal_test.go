package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestCheckTarget(t *testing.T) {
	for _, target := range []string{
		"/", "/a", "/a/", "/a/b?c=d&e=%2F%2F#f", "/a?to=//evil", "/a?x=%0d%0a", "/%C3%A9", "/a:b", "/javascript:alert(1)", "/a@b", "/%252fevil", "/...",
	} {
		if err := checkTarget(target); err != nil {
			t.Errorf("%q: got %v, want it accepted", target, err)
		}
	}
	for _, target := range []string{
		"", "a", "a/b", "?a", "#a", "//evil", "//evil/", "//evil/a", "//evil:1/", "//u@evil/", "///evil", "////evil", `/\evil`, `\/evil`, `\\evil`, `/a\evil`, `/a?\evil`, "https:evil", "https:/evil", "https://evil", "HTTPS://evil",
		"javascript:alert(1)", "data:text/html,x", "/%09/evil", "/%0a/evil", "/%0d%0aSet-Cookie:a=b", "/%2f", "/%2fevil", "/%2Fevil", "/%5cevil", "/%5Cevil", "/a/%2f/evil",
		"/\t/evil", "\t//evil", " //evil", "/ /evil", "/a\r\nLocation: //evil", "/a\n", "/a\x00", "/%00", "/%7f", "/.//evil", "/..//evil", "/a/../..//evil", "/./a", "/a/..",
		"/%2e%2e/a", "/%2e/%2fevil", "/a//b", "/a//", "/%zz", "/é", "/\u2215evil", "/\u202eevil", "/\xff", "/" + strings.Repeat("a", 2048), "@evil", ":evil", "evil.example/a",
	} {
		if err := checkTarget(target); err == nil {
			t.Errorf("%q: accepted", target)
		} else if strings.ContainsAny(err.Error(), "\r\n\t\x00") || len(err.Error()) > 500 {
			t.Errorf("%q: error %q repeats what it must not", target, err)
		}
	}
}

// FuzzTarget asks the parser of net/url where a browser would go.
func FuzzTarget(f *testing.F) {
	for _, seed := range []string{"/", "/a?b#c", "//evil", `/\evil`, "/%09/evil", "https:evil", "/%2fevil", "/..//evil"} {
		f.Add(seed)
	}
	base, _ := url.Parse("https://app.example/oauth/callback?code=x")
	f.Fuzz(func(t *testing.T, target string) {
		if checkTarget(target) != nil {
			return
		}
		to, err := base.Parse(target)
		if err != nil || to.Scheme != "https" || to.Host != "app.example" || to.User != nil {
			t.Fatalf("%q leads to %v (%v)", target, to, err)
		}
		// Browsers drop tabs and line breaks and take \ for /; a proxy may decode and clean the path first.
		for _, text := range []string{target, to.Path, path.Clean(to.Path)} {
			text = strings.NewReplacer("\t", "", "\n", "", "\r", "", `\`, "/").Replace(text)
			if !strings.HasPrefix(text, "/") || strings.HasPrefix(text, "//") {
				t.Fatalf("%q can be read as %q", target, text)
			}
		}
		rec := httptest.NewRecorder()
		redirect(rec, target)
		if got := rec.Header().Get("Location"); got != target || strings.ContainsAny(got, "\r\n") {
			t.Fatalf("%q is sent as %q", target, got)
		}
	})
}

// FuzzBrowserCookie holds that a cookie names a browser only in the spelling we gave it, and that no header makes us
// panic.
func FuzzBrowserCookie(f *testing.F) {
	zero := hostCookies.of(nonce{}) + "=" + nonce{}.String()
	for _, seed := range []string{"", zero, zero + "=", zero + "; " + zero, strings.Replace(zero, "=", "=+", 1), strings.Repeat(zero+"; ", 40)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		r := httptest.NewRequest(http.MethodGet, "https://app.example/", nil)
		r.Header.Set("Cookie", header)
		names, _ := hostCookies.known(r)
		if len(names) > maxBrowsers {
			t.Fatalf("%q: %d names", header, len(names))
		}
		for _, browser := range names {
			if !strings.Contains(header, hostCookies.of(browser)+"=") || !strings.Contains(header, browser.String()) {
				t.Fatalf("%q: accepted as %q", header, browser)
			}
		}
	})
}

func TestNonce(t *testing.T) {
	a, b := newNonce(), newNonce()
	if back, ok := parseNonce(a.String()); !ok || back != a || a == b || len(a.String()) != 43 {
		t.Errorf("got %v, %v for %v", back, ok, a)
	}
	for _, s := range []string{"", "A", strings.Repeat("A", 42), strings.Repeat("A", 44), strings.Repeat("A", 42) + "B", strings.Repeat("A", 42) + "=",
		strings.Repeat("A", 41) + "\nA", strings.Repeat("+", 43), strings.Repeat("A", 42) + "é"} {
		if _, ok := parseNonce(s); ok {
			t.Errorf("%q: accepted", s)
		}
	}
}

func TestStateKey(t *testing.T) {
	a, b := newNonce(), newNonce()
	keys := map[string]bool{stateKey(1, a, b): true, stateKey(1, b, a): true, stateKey(2, a, b): true, stateKey(1, a, a): true}
	if len(keys) != 4 {
		t.Errorf("got %d different keys, want 4", len(keys))
	}
	for key := range keys {
		if len(key) != 64 || strings.Contains(key, a.String()) {
			t.Errorf("key %q: want 64 hexadecimal digits", key)
		}
	}
}

func TestMemoryStatesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, limit := range []int{0, 3} {
			want := limit
			if want == 0 {
				want = 10_000
			}
			m := &MemoryStates{Max: limit}
			for i := range want + 2 {
				_ = m.Put(t.Context(), strconv.Itoa(i), Pending{Expires: time.Now().Add(time.Minute)})
			}
			if got := m.pending.entries.Len(); got != want {
				t.Errorf("Max %d: holds %d, want %d", limit, got, want)
			}
			for key, there := range map[string]bool{"0": false, "1": false, "2": true, strconv.Itoa(want + 1): true} {
				for range 2 { // the second time it is gone
					if _, ok, _ := m.Take(t.Context(), key); ok != there {
						t.Errorf("Max %d, %s: got %v, want %v", limit, key, ok, there)
					}
					there = false
				}
			}
			time.Sleep(time.Minute + 1)
			_ = m.Put(t.Context(), "last", Pending{Expires: time.Now().Add(time.Minute)})
			if got := m.pending.entries.Len(); got != 1 {
				t.Errorf("Max %d: holds %d after the rest expired, want 1", limit, got)
			}
		}
	})
}

// A code that was sent stays refused although the memory for codes is full.
func TestRingKeepsOutWhatItHolds(t *testing.T) {
	var r ring[struct{}]
	later := time.Now().Add(time.Hour)
	for _, tt := range []struct {
		key  string
		want bool
	}{{"a", true}, {"b", true}, {"a", false}, {"b", false}, {"c", true}, {"a", true}} {
		if got := r.put(tt.key, struct{}{}, later, 2); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.key, got, tt.want)
		}
	}
}

// A merchant who leaves the queue of installations has sent nothing.
func TestLaneIsLeft(t *testing.T) {
	l := make(lane, 1)
	leave, err := l.enter(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.enter(gone, time.Hour); !errors.Is(err, ErrNotSent) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want ErrNotSent and why", err)
	}
	leave()
	if leave, err = l.enter(t.Context(), time.Hour); err != nil {
		t.Error(err)
	}
	leave()
}

func TestGeneration(t *testing.T) {
	for range 1000 {
		if got := newGeneration(); got <= 0 {
			t.Fatalf("got %d, want a positive number", got)
		}
	}
}

func TestClean(t *testing.T) {
	for _, tt := range []struct{ text, secret, want string }{
		{"plain", "", "plain"},
		{"order/paid\n{level:INFO}", "", "order/paid{level:INFO}"},
		{"\x1b[31mred\x1b[0m\x00\u202e\u2028\ufeff", "", "[31mred[0m"},
		{"a\u200b\u200d\u2060\u00adb\u034f\u115f\u3164\uffa0\u2800c\ufe0f\U000e0101\U000e0041", "", "abc"}, // invisible, and some of them letters
		{"bad \xff byte", "", "bad ? byte"},
		{strings.Repeat("é", 65), "", strings.Repeat("é", 64)},
		{strings.Repeat("a", 60) + "secret-secret", "secret-secret", strings.Repeat("a", 60) + "[red"},
		{"sec\x00ret-secret", "secret-secret", "[redacted]"},
		{"invalid_grant", "i", "invalid_grant"},
	} {
		if got := clean(tt.text, tt.secret); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}
