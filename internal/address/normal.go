package address

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Same reports whether two addresses are spellings of the same one.
func Same(a, b string) bool { return Normal(a) == Normal(b) }

// Normal returns the normal form of an address, which all spellings of it share. Scheme and host are in lower case, and
// the host is in ASCII and has no final dot. There is no default port, no dot segment and no fragment, and an empty
// path is "/". Escapes are in upper case, and only where they are needed. Paths and queries stay case-sensitive.
// Another text is returned as it is.
func Normal(s string) string {
	s = strings.TrimSpace(s)
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return s
	}
	raw := u.RawPath // kept by url.Parse where the path is not written in the usual way
	if raw == "" {
		raw = u.EscapedPath()
	}
	raw = normalEscapes(raw)
	path, err := url.PathUnescape(raw)
	if err != nil {
		return s
	}
	n := u.ResolveReference(&url.URL{Path: path, RawPath: raw})
	n.Host, n.RawQuery, n.ForceQuery, n.Fragment, n.RawFragment = normalHost(u), normalEscapes(u.RawQuery), false, "", ""
	if raw == "" {
		n.Path = "/"
	}
	return n.String()
}

// normalHost returns host and port of an address, without the port if it is the default of the scheme.
func normalHost(u *url.URL) string {
	host := asciiHost(strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")))
	port := u.Port()
	if port == "443" && u.Scheme == "https" || port == "80" && u.Scheme == "http" {
		port = ""
	}
	if port == "" && !strings.Contains(host, ":") {
		return host
	}
	return strings.TrimSuffix(net.JoinHostPort(host, port), ":")
}

// asciiHost returns an international host as requests spell it. The standard library exports no function for that, so
// a request is written and read.
func asciiHost(host string) string {
	if strings.IndexFunc(host, func(r rune) bool { return r > '~' }) < 0 {
		return host
	}
	var written bytes.Buffer
	r, err := http.NewRequest(http.MethodGet, "http://"+host, nil)
	if err == nil {
		err = r.Write(&written)
	}
	if err == nil {
		r, err = http.ReadRequest(bufio.NewReader(&written))
	}
	if err != nil {
		return host
	}
	return r.Host
}

// normalEscapes escapes the characters that a path or query cannot hold. It escapes no unreserved character (RFC 3986).
func normalEscapes(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		escaped := c <= ' ' || c > '~' || strings.IndexByte("\"<>\\^`{|}", c) >= 0
		if c == '%' && i+2 < len(s) {
			if value, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				i += 2
				c, escaped = byte(value), !unreserved(byte(value))
			}
		}
		if escaped {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}
