package access

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
)

// Sources is the allow-list of the addresses from which the platform calls. The platform shares the list with its
// partners, and handlers must reject requests from other addresses. Several handlers may share a Sources. The zero
// value allows no address. Set may be called at any time. A Sources must not be copied.
//
// The address of a request is the address of its connection. If that is one of Proxies, the address is the last one in
// X-Forwarded-For that is not one of Proxies. Earlier entries could be forged by the sender. If all entries are
// Proxies, the address is the first entry. If a proxy sends no X-Forwarded-For, the address is that of the proxy.
//
// An address may be in both lists, for example 127.0.0.1, if a proxy and a sender run on the same machine. Such a proxy
// must always add X-Forwarded-For, because requests without it count as requests of the sender.
type Sources struct {
	// Proxies are the addresses of your reverse proxies. They must append the address of the connection to the header
	// X-Forwarded-For, as is usual. If Proxies is empty, that header is not read, because any sender can set it.
	// Proxies must not be changed after a handler has started.
	Proxies []netip.Prefix

	allowed atomic.Pointer[[]netip.Prefix]
}

const forwardedFor = "X-Forwarded-For"

// Set replaces the list. Without arguments no address is allowed.
func (s *Sources) Set(allowed ...netip.Prefix) {
	list := make([]netip.Prefix, len(allowed))
	for i, p := range allowed {
		list[i] = unmapped(p)
	}
	s.allowed.Store(&list)
}

// ListedSources returns Sources from two lists of addresses and networks, separated by commas. The first list has the
// allowed addresses. The second list has the Proxies and may be empty. The errors are those of ParseSources.
func ListedSources(allowed, proxies string) (*Sources, error) {
	s := new(Sources)
	list, err := ParseSources(strings.Split(allowed, ",")...)
	if err != nil {
		err = fmt.Errorf("allowed: %w", err)
	}
	s.Set(list...)
	if proxies != "" {
		var wrong error
		if s.Proxies, wrong = ParseSources(strings.Split(proxies, ",")...); wrong != nil {
			err = errors.Join(err, fmt.Errorf("proxies: %w", wrong))
		}
	}
	return s, err
}

// ParseSources parses addresses and networks, such as 192.0.2.7 and 2001:db8::/32, for Set and for Proxies. It returns
// one prefix for each text, in order, and ignores white space around the texts. Addresses that are mapped into IPv6
// (::ffff:192.0.2.7) are treated as IPv4.
//
// The error lists each rejected text by its position, from 1. ParseSources rejects empty texts, addresses with a zone,
// and networks of all addresses. It also rejects networks with host bits, such as 192.0.2.7/24, which would allow all
// of 192.0.2.0/24.
func ParseSources(texts ...string) ([]netip.Prefix, error) {
	all := make([]netip.Prefix, len(texts))
	var wrong []error
	for i, text := range texts {
		p, err := parseSource(strings.TrimSpace(text))
		if err != nil {
			wrong = append(wrong, fmt.Errorf("source %d of %d: %w", i+1, len(texts), err))
		}
		all[i] = p
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return all, nil
}

func parseSource(text string) (netip.Prefix, error) {
	const longest = 64 // characters of an address with zone and prefix
	if text == "" {
		return netip.Prefix{}, errors.New("empty: must be an IP address or a network")
	}
	shown := shownSource(text, longest)
	if a, err := netip.ParseAddr(text); err == nil && len(text) <= longest {
		if a.Zone() != "" {
			return netip.Prefix{}, fmt.Errorf("%s: must have no zone, because addresses are compared without zones", shown)
		}
		a = a.Unmap()
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	switch {
	case err != nil:
		return netip.Prefix{}, fmt.Errorf("%s: must be one IP address or one network, such as 192.0.2.7 or 192.0.2.0/24", shown)
	case unmapped(p).Bits() == 0:
		return netip.Prefix{}, fmt.Errorf("%s: must not be all addresses", shown)
	case p.Masked() != p:
		return netip.Prefix{}, fmt.Errorf("%s: must be %v for the network, or %v for the address", shown, unmapped(p.Masked()), p.Addr().Unmap())
	}
	return unmapped(p), nil
}

// shownSource quotes a text in an error.
func shownSource(text string, most int) string {
	if len(text) > most {
		return fmt.Sprintf("%+q…", strings.ToValidUTF8(text[:most], ""))
	}
	return fmt.Sprintf("%+q", text)
}

// Allows reports whether the request comes from an address of the list.
func (s *Sources) Allows(r *http.Request) bool {
	list := s.allowed.Load()
	if list == nil {
		return false
	}
	from := s.caller(r)
	return from.address.IsValid() && contains(*list, from.address)
}

// Refuses returns the reason why the address of the request is not allowed. It returns false if the address is allowed.
// Handler and Status of the result are not set.
func (s *Sources) Refuses(r *http.Request) (Refused, bool) {
	if s.Allows(r) {
		return Refused{}, false
	}
	from := s.caller(r)
	list := s.allowed.Load()
	return Refused{
		Reason: RefusedAddress, Remote: from.remote, Address: from.address, Hop: from.hop,
		Err: from.complaint(list == nil || len(*list) == 0, r.Header),
	}, true
}

// caller is the origin of a request.
type caller struct {
	remote  netip.Addr // address of the connection
	address netip.Addr // address to compare; invalid if there is none
	hop     int        // position of address in X-Forwarded-For, from 1 at its end; 0 means the connection
	text    string     // the hop as sent
	proxied bool       // remote is a proxy
}

// caller returns the origin of a request; see Sources.
func (s *Sources) caller(r *http.Request) caller {
	o := caller{remote: parseAddr(r.RemoteAddr)}
	o.address = o.remote
	if !o.remote.IsValid() || !contains(s.Proxies, o.remote) {
		return o
	}
	o.proxied = true
	lines := r.Header[forwardedFor]
	for i := len(lines) - 1; i >= 0; i-- {
		for rest, more := lines[i], true; more; {
			o.text = rest
			comma := strings.LastIndexByte(rest, ',')
			if more = comma >= 0; more {
				o.text, rest = rest[comma+1:], rest[:comma]
			}
			o.hop++
			o.address = parseAddr(strings.TrimSpace(o.text))
			if !o.address.IsValid() || !contains(s.Proxies, o.address) {
				return o
			}
		}
	}
	return o
}

// complaint describes why the address is not allowed, and the fix in case the platform sent the request.
func (o caller) complaint(empty bool, h http.Header) error {
	const longest = 45 // characters of an address
	proxies, hop := "", fmt.Sprintf("hop %d from the end of %s (added by the proxy %v)", o.hop, forwardedFor, o.remote)
	if len(h[forwardedFor]) > 0 {
		proxies = fmt.Sprintf("; %s was not read, because %v is not in Proxies: add it there if it is your proxy", forwardedFor, o.remote)
	}
	switch {
	case empty:
		return errors.New("Sources is empty: call Set with the addresses of the platform")
	case !o.remote.IsValid():
		return errors.New("the connection has no IP address: Sources and Proxies need one, so listen on TCP")
	case !o.proxied:
		return fmt.Errorf("the address %v of the connection is not in Sources%s", o.remote, proxies)
	case o.hop == 0:
		return fmt.Errorf("the proxy %v sent no %s: it must add the address that it sees", o.remote, forwardedFor)
	case !o.address.IsValid():
		return fmt.Errorf("%s must be an IP address, got %s", hop, shownSource(strings.TrimSpace(o.text), longest))
	}
	return fmt.Errorf("%v, %s, is not in Sources: add it to Proxies if it is another proxy of yours, or to Sources if it is the platform", o.address, hop)
}

// parseAddr reads an address, with or without a port. The result is invalid if s has no address.
func parseAddr(s string) netip.Addr {
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap().WithZone("")
	}
	if inner, ok := strings.CutPrefix(s, "["); ok && strings.HasSuffix(inner, "]") {
		s = inner[:len(inner)-1]
	}
	a, err := netip.ParseAddr(s)
	if err != nil {
		return netip.Addr{}
	}
	return a.Unmap().WithZone("")
}

func contains(list []netip.Prefix, a netip.Addr) bool {
	for _, p := range list {
		if unmapped(p).Contains(a) {
			return true
		}
	}
	return false
}

// unmapped returns the IPv4 network of a network that is mapped into IPv6.
func unmapped(p netip.Prefix) netip.Prefix {
	const mapping = 96
	if p.Addr().Is4In6() && p.Bits() >= mapping {
		return netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-mapping)
	}
	return p
}
