package control

import (
	"net"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strings"
)

// secure has browsers show nothing of an answer to pages of others.
func secure(header http.Header) {
	for name, value := range map[string]string{
		"Content-Security-Policy":      "default-src 'none'; frame-ancestors 'none'",
		"Cache-Control":                "no-store",
		"X-Content-Type-Options":       "nosniff",
		"Cross-Origin-Resource-Policy": "same-origin",
	} {
		header.Set(name, value)
	}
}

// refusal is why a request is not served, nil if it is.
func (a *API) refusal(r *http.Request) *Error {
	host := hostOf(r.Host)
	if !slices.Contains(loopbackHosts, host) && !slices.Contains(a.o.UnsafeHosts, host) {
		return &Error{
			Status: http.StatusMisdirectedRequest, Message: "the Host header does not name this machine", Field: "Host",
			Value: r.Host,
			Rule:  "must be localhost, 127.0.0.1 or [::1]", Hint: "this rejects pages whose host name resolves to this machine",
		}
	}
	for name := range r.Header {
		if slices.Contains(proxyHeaders, name) || strings.HasPrefix(name, "X-Forwarded") {
			return forbidden("the request came through a proxy ("+name+")", "call the address directly")
		}
	}
	if from, err := netip.ParseAddrPort(r.RemoteAddr); len(a.o.UnsafeHosts) == 0 && (err != nil || !from.Addr().Unmap().IsLoopback()) {
		return forbidden("only programs of this machine are served", "call from this machine")
	}
	if err := a.cross.Check(r); err != nil {
		return forbidden("the request comes from another site", "call from a program, or from a page of this address")
	}
	return nil
}

func forbidden(why, hint string) *Error {
	return &Error{Status: http.StatusForbidden, Message: why, Hint: hint}
}

var loopbackHosts = []string{"localhost", "127.0.0.1", "::1"}

// hostOf is the host of a Host header in lower case, without its port.
func hostOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}

var proxyHeaders = []string{"Forwarded", "Via", "X-Real-Ip", "X-Client-Ip", "Cf-Connecting-Ip", "True-Client-Ip",
	"X-Cluster-Client-Ip"}

// clean reports whether a path is what the mux would make of it.
func clean(p string) bool { return path.Clean(p) == p }
