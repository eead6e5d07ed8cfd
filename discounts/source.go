package discounts

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Sources is the allow-list of the addresses that carts come from. The platform shares the
// list with its partners, and all others must be blocked. The zero Sources allow nobody;
// Set may be called at any time. It must not be copied.
type Sources struct {
	// Proxies are the addresses of reverse proxies of yours that the requests pass. They
	// must add the address that they see to the end of the header X-Forwarded-For, as is
	// usual. If there are none, that header is not looked at: anybody can send it.
	Proxies []netip.Prefix

	allowed atomic.Pointer[[]netip.Prefix]
}

// Set replaces the list.
func (s *Sources) Set(allowed ...netip.Prefix) {
	list := make([]netip.Prefix, len(allowed))
	for i, p := range allowed {
		list[i] = unmapped(p)
	}
	s.allowed.Store(&list)
}

// ParseSources reads addresses and networks, such as 192.0.2.7 and 2001:db8::/32.
func ParseSources(texts ...string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for _, text := range texts {
		if a, err := netip.ParseAddr(text); err == nil {
			a = a.Unmap().WithZone("")
			all = append(all, netip.PrefixFrom(a, a.BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("source %q: want an IP address or a network", callback.Printable(text, callback.MostShown))
		}
		all = append(all, unmapped(p.Masked()))
	}
	return all, nil
}

// Allows reports whether the request comes from an address of the list.
func (s *Sources) Allows(r *http.Request) bool {
	list := s.allowed.Load()
	if list == nil {
		return false
	}
	from, ok := s.origin(r)
	return ok && contains(*list, from)
}

// origin returns the address that the request comes from: that of the connection, or
// the last in X-Forwarded-For that is not a proxy of ours. What stands before it was
// written by that stranger.
func (s *Sources) origin(r *http.Request) (netip.Addr, bool) {
	at, ok := parseAddr(r.RemoteAddr)
	if !ok || !contains(s.Proxies, at) {
		return at, ok
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		at, ok := parseAddr(strings.TrimSpace(hops[i]))
		if !ok || !contains(s.Proxies, at) {
			return at, ok
		}
	}
	return netip.Addr{}, false
}

// parseAddr reads an address, with or without a port.
func parseAddr(s string) (netip.Addr, bool) {
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddr(s)
	return a.Unmap().WithZone(""), err == nil
}

func contains(list []netip.Prefix, a netip.Addr) bool {
	for _, p := range list {
		if unmapped(p).Contains(a) {
			return true
		}
	}
	return false
}

// unmapped returns the IPv4 network of one that is mapped into IPv6.
func unmapped(p netip.Prefix) netip.Prefix {
	const mapping = 96
	if p.Addr().Is4In6() && p.Bits() >= mapping {
		return netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-mapping)
	}
	return p
}
