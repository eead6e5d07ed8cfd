package oauth

import (
	"net/http"
	"net/url"
)

// The cookie that binds a state to a browser. The __Host- prefix keeps other hosts and plain http from setting it; over
// plain http on the developer's own machine browsers refuse it, so there the other one is used.
const (
	browserCookie  = "__Host-oauth-browser"
	loopbackCookie = "oauth-browser-loopback"
)

// cookieName is loopbackCookie only for plain http to a loopback host that no proxy stands before, as far as the request
// tells.
func cookieName(r *http.Request) string {
	host := url.URL{Host: r.Host}
	if r.TLS != nil || !isLoopback(host.Hostname()) {
		return browserCookie
	}
	for _, forwarded := range []string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if r.Header.Get(forwarded) != "" {
			return browserCookie
		}
	}
	return loopbackCookie
}

// knownBrowser returns the browser's name from its cookie.
func knownBrowser(r *http.Request) (nonce, bool) {
	cookies := r.CookiesNamed(cookieName(r))
	if len(cookies) != 1 {
		return nonce{}, false
	}
	return parseNonce(cookies[0].Value)
}

// nameBrowser sets the cookie for as long as a state lives. A browser keeps its name, so that installs begun in two tabs
// can both end.
func nameBrowser(w http.ResponseWriter, r *http.Request) nonce {
	browser, ok := knownBrowser(r)
	if !ok {
		browser = newNonce()
	}
	name := cookieName(r)
	http.SetCookie(w, &http.Cookie{
		Name:     name,
		Value:    browser.String(),
		Path:     "/",
		MaxAge:   int(stateLifetime.Seconds()),
		Secure:   name == browserCookie,
		HttpOnly: true,
		SameSite: http.SameSiteLaxMode, // the callback comes from the platform's site by a top-level GET
	})
	return browser
}
