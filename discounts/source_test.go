package discounts

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

func prefixes(t *testing.T, texts ...string) []netip.Prefix {
	t.Helper()
	all, err := ParseSources(texts...)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSources(t *testing.T) {
	const proxy, platform, stranger = "10.0.0.1:443", "192.0.2.7", "198.51.100.7"
	for _, v := range []struct {
		name, remote string
		forwarded    []string
		want         bool
	}{
		{"listed", platform + ":1", nil, true},
		{"listed without a port", platform, nil, true},
		{"listed, mapped into IPv6", "[::ffff:192.0.2.7]:1", nil, true},
		{"in a listed network", "[2001:db8:1::5]:1", nil, true},
		{"in a listed network, with a zone", "[2001:db8:1::5%eth0]:1", nil, true},
		{"not listed", stranger + ":1", nil, false},
		{"not an address", "unix", nil, false},
		{"nothing", "", nil, false},
		{"a stranger who claims to be listed", stranger + ":1", []string{platform}, false},
		{"listed, and claims to be a stranger", platform + ":1", []string{stranger}, true},
		{"by the proxy", proxy, []string{platform}, true},
		{"by the proxy, with spaces", proxy, []string{"  " + platform + " "}, true},
		{"by the proxy, with a port", proxy, []string{platform + ":9999"}, true},
		{"by the proxy, mapped", proxy, []string{"::ffff:192.0.2.7"}, true},
		{"by two proxies", proxy, []string{platform + ", 10.0.0.2"}, true},
		{"by two proxies, in two headers", proxy, []string{platform, "10.0.0.2"}, true},
		{"a stranger by the proxy", proxy, []string{stranger}, false},
		{"a stranger by the proxy who claims", proxy, []string{platform + ", " + stranger}, false},
		{"a stranger by the proxy who claims in another header", proxy, []string{platform, stranger}, false},
		{"rubbish last", proxy, []string{platform + ", evil"}, false},
		{"rubbish first", proxy, []string{"evil, " + platform}, true},
		{"an empty element", proxy, []string{platform + ","}, false},
		{"the proxy itself", proxy, nil, false},
		{"only proxies", proxy, []string{"10.0.0.2"}, false},
	} {
		s := &Sources{Proxies: prefixes(t, "10.0.0.0/24")}
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.RemoteAddr = v.remote
		r.Header["X-Forwarded-For"] = v.forwarded
		if s.Allows(r) {
			t.Errorf("%s: allowed by an empty list", v.name)
		}
		s.Set(prefixes(t, platform, "2001:db8:1::/48")...)
		if got := s.Allows(r); got != v.want {
			t.Errorf("%s: got %v", v.name, got)
		}
		s.Set(prefixes(t, "::ffff:192.0.2.0/120", "2001:db8:1::/48")...)
		if got := s.Allows(r); got != v.want {
			t.Errorf("%s: by a mapped network: got %v", v.name, got)
		}
		if s.Set(); s.Allows(r) {
			t.Errorf("%s: allowed after the list was emptied", v.name)
		}
	}
}

func TestParseSources(t *testing.T) {
	for _, bad := range []string{"", "example.com", "192.0.2.0/33", "192.0.2.7:1", "10.0.0.0/8 "} {
		if got, err := ParseSources("192.0.2.1", bad); err == nil {
			t.Errorf("%q: got %v", bad, got)
		}
	}
	if got := prefixes(t, "192.0.2.77/24", "::ffff:10.1.2.3"); got[0].String() != "192.0.2.0/24" || got[1].String() != "10.1.2.3/32" {
		t.Errorf("got %v", got)
	}
}
