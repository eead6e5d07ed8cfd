package inboxops

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// mostForm is the largest number of bytes of a request that are read.
const mostForm = 64 << 10

// policy lets the page load only its own style and script, and send only its own forms. No text becomes markup.
const policy = "default-src 'none'; style-src 'self'; img-src data:; script-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

func secure(header http.Header) {
	for name, value := range map[string]string{
		"Content-Security-Policy":      policy,
		"Cache-Control":                "no-store",
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
		"Referrer-Policy":              "same-origin", // with no-referrer, browsers send forms with the origin null
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
	} {
		header.Set(name, value)
	}
}

// refusal returns the status and the reason of a request that is rejected, 0 if it is served.
func (h *Handler) refusal(r *http.Request) (status int, why string) {
	if host := hostOf(r.Host); !slices.Contains(h.Hosts, host) && !slices.Contains(loopbackHosts, host) {
		return http.StatusMisdirectedRequest, "inboxops: host of the request: must be a host of the page; add it to Hosts"
	}
	if h.Allow != nil {
		if !h.Allow(r) {
			return http.StatusForbidden, "inboxops: not allowed"
		}
	} else if why := notLocal(r); why != "" {
		return http.StatusForbidden, "inboxops: " + why + ": set Allow to a function that authenticates requests"
	}
	if err := h.cross.Check(r); err != nil {
		return http.StatusForbidden, "inboxops: the request comes from another site"
	}
	return 0, ""
}

var loopbackHosts = []string{"localhost", "127.0.0.1", "::1"}

// hostOf returns the host of a Host header in lower case, without its port.
func hostOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}

// notLocal returns why a request may be from another machine, "" if it is local.
func notLocal(r *http.Request) string {
	for name := range r.Header {
		if slices.Contains(proxyHeaders, name) || strings.HasPrefix(name, "X-Forwarded") {
			return "the request came through a proxy (" + name + "), which makes every client appear local"
		}
	}
	address, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !address.Addr().Unmap().IsLoopback() {
		return "only programs of this machine are served"
	}
	return ""
}

var proxyHeaders = []string{"Forwarded", "Via", "X-Real-Ip", "X-Client-Ip", "Cf-Connecting-Ip", "True-Client-Ip",
	"X-Cluster-Client-Ip"}
