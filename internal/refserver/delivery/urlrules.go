package delivery

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"unicode"
)

// URLRules say which addresses a partner may register.
type URLRules struct {
	// PlatformDomains are the platform's own: they and what is below them are refused.
	PlatformDomains []string
	// AnyPort allows ports other than 443. That these are refused is assumed.
	AnyPort bool
}

// maxURL keeps an address to a length that servers take.
const maxURL = 2048

// Check says why an address is refused, or nil. It examines the text only. The addresses of the name are examined when
// the connection is made.
func (r URLRules) Check(raw string) error {
	if len(raw) > maxURL {
		return fmt.Errorf("url is longer than %d bytes", maxURL)
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return errors.New("url cannot be parsed")
	case u.Scheme != "https":
		return errors.New("url is not https")
	case u.User != nil:
		return errors.New("url has user information")
	case u.Opaque != "" || u.Host == "":
		return errors.New("url has no host")
	case strings.HasSuffix(u.Host, ":"):
		return errors.New("url has an empty port")
	case u.Port() != "" && u.Port() != "443" && !r.AnyPort:
		return errors.New("url has a port other than 443")
	}
	return r.checkHost(strings.TrimSuffix(strings.ToLower(u.Hostname()), "."))
}

func (r URLRules) checkHost(host string) error {
	if strings.ContainsFunc(host, unfit) {
		return errors.New("host has characters other than letters, digits, dots, hyphens and underscores")
	}
	labels := strings.Split(host, ".")
	// The bound of 63 is one on bytes; names in other scripts are not converted first.
	for _, l := range labels {
		if l == "" || len(l) > 63 || strings.HasPrefix(l, "-") || strings.HasSuffix(l, "-") {
			return errors.New("host is not a domain name")
		}
	}
	last := labels[len(labels)-1]
	switch {
	case numeric(last):
		return errors.New("host is an IP address")
	case len(labels) == 1:
		return errors.New("host is a local name")
	case below(host, localNames()):
		return errors.New("host is a local name")
	case below(host, r.PlatformDomains):
		return errors.New("host belongs to the platform")
	}
	return nil
}

// unfit reports whether a character has no place in a host name. Letters of any script are allowed, and so are the
// marks that some scripts write vowels with. Characters that a resolver drops or folds into others are not, because it
// must not read another name than these rules.
func unfit(r rune) bool {
	switch {
	case r <= unicode.MaxASCII:
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-_.", r)
	case unicode.In(r, folded, unicode.Lm, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		return true
	}
	return !unicode.In(r, unicode.L, unicode.M)
}

// folded are letters that are folded into ASCII ones: ligatures and digraphs, ordinals, and letters in a style of their
// own such as fullwidth and mathematical ones.
var folded = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00aa, Hi: 0x00ba, Stride: 0x10},
		{Lo: 0x0132, Hi: 0x0133, Stride: 1},
		{Lo: 0x013f, Hi: 0x0140, Stride: 1},
		{Lo: 0x0149, Hi: 0x0149, Stride: 1},
		{Lo: 0x017f, Hi: 0x017f, Stride: 1},
		{Lo: 0x01c4, Hi: 0x01cc, Stride: 1},
		{Lo: 0x01f1, Hi: 0x01f3, Stride: 1},
		{Lo: 0x1e9a, Hi: 0x1e9a, Stride: 1},
		{Lo: 0x2100, Hi: 0x214f, Stride: 1},
		{Lo: 0xfb00, Hi: 0xfb06, Stride: 1},
		{Lo: 0xff00, Hi: 0xffef, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0x1d400, Hi: 0x1d7ff, Stride: 1}},
}

// numeric matches the last label of an IPv4 address in any of its spellings. To some resolvers 127.1, 2130706433,
// 0x7f.1 and 0177.0.0.1 are all 127.0.0.1.
func numeric(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

func localNames() []string {
	return []string{"localhost", "localdomain", "local", "internal", "intranet", "lan", "home.arpa"}
}

func below(host string, domains []string) bool {
	for _, d := range domains {
		d = strings.ToLower(strings.Trim(d, "."))
		if host == d || strings.HasSuffix(host, "."+d) {
			return true
		}
	}
	return false
}

// Public reports whether an address belongs to the public internet, looking
// through the ways of wrapping an IPv4 address in an IPv6 one.
func Public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	for _, p := range reserved() {
		if p.Contains(a) {
			return false
		}
	}
	return a.IsGlobalUnicast()
}

func reserved() []netip.Prefix {
	var out []netip.Prefix
	for _, s := range []string{
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
		"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
		"198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
		"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32",
		"2002::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
	} {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}
