package oauth

import (
	"net/http"
	"strings"
)

// prefetched reports whether a browser requests a page in advance that nobody may look at.
func prefetched(r *http.Request) bool {
	for _, header := range []string{"Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"} {
		value := strings.ToLower(strings.Join(r.Header.Values(header), ","))
		for _, purpose := range []string{"prefetch", "prerender", "preview"} {
			if strings.Contains(value, purpose) {
				return true
			}
		}
	}
	return false
}

// framed reports whether the page is for a frame of another page, where browsers drop the cookie.
func framed(r *http.Request) bool {
	switch strings.ToLower(r.Header.Get("Sec-Fetch-Dest")) {
	case "iframe", "frame", "embed", "object", "fencedframe":
		return true
	}
	return false
}

// guard keeps the address of this page, which holds the code, from caches and from the next site.
func guard(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
}

// redirect sends the browser to an address that this package has built or checked, without changing it.
func redirect(w http.ResponseWriter, to string) {
	guard(w)
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
}
