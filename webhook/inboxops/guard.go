package inboxops

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// mostForm is how many bytes of a request are read.
const mostForm = 64 << 10

// policy lets the page load its own style and script, send its own forms and nothing else. No text becomes markup.
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

// refusal returns the status and the reason of a request that is not served; 0 if it is.
func (h *Handler) refusal(r *http.Request) (status int, why string) {
	if host := hostOf(r.Host); !slices.Contains(h.Hosts, host) && !slices.Contains(loopbackHosts, host) {
		return http.StatusMisdirectedRequest, "inboxops: this host is not one of the page: add it to Hosts"
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

// notLocal returns why a request may not be of this machine; "" if it is.
func notLocal(r *http.Request) string {
	for name := range r.Header {
		if slices.Contains(proxyHeaders, name) || strings.HasPrefix(name, "X-Forwarded") {
			return "the request came through a proxy (" + name + "), which makes every client a local one"
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
