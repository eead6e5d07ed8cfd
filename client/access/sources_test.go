package access

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
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
		{"in brackets", proxy, []string{"[2001:db8:1::7]"}, true},
		{"in brackets, with a port", proxy, []string{"[2001:db8:1::7]:443"}, true},
		{"in brackets, not listed", proxy, []string{"[2001:db8:2::7]"}, false},
		{"a name", proxy, []string{"unknown"}, false},
		{"an empty header", proxy, []string{""}, false},
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

// An address may be one of a proxy and one of the platform's: a request without X-Forwarded-For is a sender's, and any
// other is judged by the first hop that is no proxy, or by the first of all.
func TestSourcesOnOneMachine(t *testing.T) {
	const both, stranger = "127.0.0.1", "198.51.100.7"
	s := &Sources{Proxies: prefixes(t, "127.0.0.1", "10.0.0.0/8")}
	s.Set(prefixes(t, "127.0.0.1", "10.1.2.3", "192.0.2.7")...)
	for _, v := range []struct {
		name, remote string
		forwarded    []string
		want         bool
	}{
		{"directly", both + ":1", nil, true},
		{"directly, from another proxy that is not listed", "10.0.0.1:1", nil, false},
		{"by the proxy", both + ":1", []string{"192.0.2.7"}, true},
		{"by the proxy, from this machine", both + ":1", []string{both}, true},
		{"by two proxies, from one that is listed", both + ":1", []string{"10.1.2.3, 10.0.0.1"}, true},
		{"by two proxies, from one that is not listed", both + ":1", []string{"10.0.0.2, 10.1.2.3"}, false},
		{"a stranger by the proxy", both + ":1", []string{stranger}, false},
		{"a stranger by the proxy who claims to be this machine", both + ":1", []string{both + ", " + stranger}, false},
		{"a stranger by both", both + ":1", []string{stranger + ", 10.1.2.3"}, false},
		{"nothing from the proxy", both + ":1", []string{""}, false},
		{"a stranger who claims to be this machine", stranger + ":1", []string{both}, false},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.RemoteAddr = v.remote
		r.Header["X-Forwarded-For"] = v.forwarded
		if got := s.Allows(r); got != v.want {
			t.Errorf("%s: got %v", v.name, got)
		}
	}
}

// A refusal names the address, the hop, the proxy, and what must be changed.
func TestSourcesSayWhy(t *testing.T) {
	const proxy, stranger = "10.0.0.1", "198.51.100.7"
	for _, v := range []struct {
		name, remote string
		forwarded    []string
		address      string
		hop          int
		err          string
	}{
		{"the proxy is not in Proxies", "172.16.0.1:80", []string{"192.0.2.7"}, "172.16.0.1", 0,
			"the address 172.16.0.1 of the connection is not in Sources; X-Forwarded-For was not read, because 172.16.0.1 is not in Proxies: add it there if it is your proxy"},
		{"a stranger", stranger + ":80", nil, stranger, 0, "the address 198.51.100.7 of the connection is not in Sources"},
		{"the proxy adds nothing", proxy + ":80", nil, proxy, 0, "the proxy 10.0.0.1 sent no X-Forwarded-For: it must add the address that it sees"},
		{"a proxy before it is unknown", proxy + ":80", []string{"192.0.2.7, 172.16.0.1", "10.0.0.2"}, "172.16.0.1", 2,
			"172.16.0.1, hop 2 from the end of X-Forwarded-For (added by the proxy 10.0.0.1), is not in Sources: add it to Proxies if it is another proxy of yours, or to Sources if it is the platform"},
		{"no address", proxy + ":80", []string{"192.0.2.7, unknown\u202e" + strings.Repeat("x", 90)}, "invalid IP", 1,
			"hop 1 from the end of X-Forwarded-For (added by the proxy 10.0.0.1) must be an IP address, got \"unknown\\u202exxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"…"},
		{"a socket", "@", []string{"192.0.2.7"}, "invalid IP", 0, "the connection has no IP address: Sources and Proxies need one, so listen on TCP"},
	} {
		s := &Sources{Proxies: prefixes(t, "10.0.0.0/24")}
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.RemoteAddr = v.remote
		r.Header["X-Forwarded-For"] = v.forwarded
		if got, refused := s.Refuses(r); !refused || got.Err.Error() != "Sources is empty: call Set with the addresses of the platform" {
			t.Errorf("%s: an empty list: got %v, %v", v.name, refused, got.Err)
		}
		s.Set(prefixes(t, "192.0.2.7")...)
		got, refused := s.Refuses(r)
		if !refused || got.Reason != RefusedAddress || got.Address.String() != v.address || got.Hop != v.hop || got.Err.Error() != v.err {
			t.Errorf("%s: got %v, %v, address %v, hop %d\n%v\nwant %s, hop %d\n%s", v.name, refused, got.Reason, got.Address, got.Hop, got.Err, v.address, v.hop, v.err)
		}
		if remote, _, _ := strings.Cut(v.remote, ":"); got.Remote.IsValid() && got.Remote.String() != remote || got.Remote != parseAddr(r.RemoteAddr) {
			t.Errorf("%s: the connection is from %v", v.name, got.Remote)
		}
		r.RemoteAddr = "192.0.2.7:1"
		if _, refused := s.Refuses(r); refused {
			t.Errorf("%s: refuses the platform", v.name)
		}
	}
}

func TestParseSources(t *testing.T) {
	for text, want := range map[string]string{
		"192.0.2.7": "192.0.2.7/32", " 192.0.2.7\n": "192.0.2.7/32", "192.0.2.0/24": "192.0.2.0/24", "\t2001:db8::/32 ": "2001:db8::/32",
		"::ffff:10.1.2.3": "10.1.2.3/32", "::ffff:192.0.2.0/120": "192.0.2.0/24", "2001:db8::7": "2001:db8::7/128", "192.0.2.7/32": "192.0.2.7/32",
		"128.0.0.0/1": "128.0.0.0/1", "10.0.0.0/8": "10.0.0.0/8",
	} {
		if got := prefixes(t, text); len(got) != 1 || got[0].String() != want {
			t.Errorf("%q: got %v, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"":                     `source 2 of 2: empty: must be an IP address or a network`,
		" \t":                  `source 2 of 2: empty: must be an IP address or a network`,
		"example.com":          `source 2 of 2: "example.com": must be one IP address or one network, such as 192.0.2.7 or 192.0.2.0/24`,
		"192.0.2.0/33":         `source 2 of 2: "192.0.2.0/33": must be one`,
		"192.0.2.7:1":          `source 2 of 2: "192.0.2.7:1": must be one`,
		"192.0.2.7, 192.0.2.8": `source 2 of 2: "192.0.2.7, 192.0.2.8": must be one`,
		"192.0.2.07":           `source 2 of 2: "192.0.2.07": must be one`,
		"192.0.2.7/24":         `source 2 of 2: "192.0.2.7/24": must be 192.0.2.0/24 for the network, or 192.0.2.7 for the address`,
		"2001:db8::1/32":       `source 2 of 2: "2001:db8::1/32": must be 2001:db8::/32 for the network, or 2001:db8::1 for the address`,
		"::ffff:192.0.2.7/120": `source 2 of 2: "::ffff:192.0.2.7/120": must be 192.0.2.0/24 for the network, or 192.0.2.7 for the address`,
		"::ffff:192.0.2.7/90":  `source 2 of 2: "::ffff:192.0.2.7/90": must be `,
		"fe80::1%eth0":         `source 2 of 2: "fe80::1%eth0": must have no zone, because addresses are compared without`,
		"fe80::%eth0/10":       `source 2 of 2: "fe80::%eth0/10": must have no zone`,
		"0.0.0.0/0":            `source 2 of 2: "0.0.0.0/0": must not be all addresses`,
		"::/0":                 `source 2 of 2: "::/0": must not be all addresses`,
		"::ffff:0.0.0.0/96":    `source 2 of 2: "::ffff:0.0.0.0/96": must not be all addresses`,
		"10.1.2.3/0":           `source 2 of 2: "10.1.2.3/0": must not be all addresses`,
	} {
		if got, err := ParseSources("192.0.2.1", text); got != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, %v, want %s", text, got, err, want)
		}
	}
	if _, err := ParseSources("", "192.0.2.1", "x"); err == nil || strings.Count(err.Error(), "source ") != 2 || !strings.Contains(err.Error(), "source 3 of 3") {
		t.Errorf("two wrong ones: got %v", err)
	}
	if got := prefixes(t, "192.0.2.1", "192.0.2.1"); len(got) != 2 {
		t.Errorf("the same twice: got %v, want one for each text", got)
	}
	if got := prefixes(t); len(got) != 0 {
		t.Errorf("nothing: got %v", got)
	}
}

// Two lists separated by commas, of which that of the proxies may be empty.
func TestListedSources(t *testing.T) {
	s, err := ListedSources("192.0.2.1, 198.51.100.0/24", "10.0.0.0/8")
	if err != nil || len(s.Proxies) != 1 || s.Proxies[0].String() != "10.0.0.0/8" {
		t.Errorf("got proxies %v, %v; want 10.0.0.0/8", s.Proxies, err)
	}
	for address, want := range map[string]bool{"192.0.2.1": true, "198.51.100.7": true, "192.0.2.2": false} {
		r := httptest.NewRequest("POST", "/", nil)
		r.RemoteAddr, r.Header = "10.1.2.3:4", http.Header{"X-Forwarded-For": {address}}
		if got := s.Allows(r); got != want {
			t.Errorf("%s before a proxy: %v, want %v", address, got, want)
		}
	}
	if s, err := ListedSources("192.0.2.1", ""); err != nil || s.Proxies != nil {
		t.Errorf("without proxies: %v, %v", s.Proxies, err)
	}
	for _, lists := range [][2]string{{"", ""}, {"192.0.2.1,", ""}, {"192.0.2.1", "x"}} {
		if _, err := ListedSources(lists[0], lists[1]); err == nil {
			t.Errorf("%q: no error", lists)
		}
	}
}
