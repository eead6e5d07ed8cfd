package oauth

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// cookies are the cookies that bind states to browsers. A name ends in a hash of the value, so two first visits that
// overlap set two cookies, and neither replaces the other.
type cookies struct {
	prefix string
	secure bool
}

// The __Host- prefix prevents other hosts and plain http from setting a cookie. Some browsers reject it over plain http
// on the developer's own machine, so loopbackCookies are used there.
var (
	hostCookies     = cookies{"__Host-oauth-browser-", true}
	loopbackCookies = cookies{"oauth-browser-loopback-", false}
)

const (
	maxBrowsers = 32 // several if first visits overlapped

	// cookieLifetime covers the life of a state and the time for which its outcome is stored.
	cookieLifetime = 2 * stateLifetime
)

// known returns the names of the browser, oldest first, and the cookies that cannot be used.
func (c cookies) known(r *http.Request) (names []nonce, useless []string) {
	for _, cookie := range r.Cookies() {
		if !strings.HasPrefix(cookie.Name, c.prefix) {
			continue
		}
		browser, ok := parseNonce(cookie.Value)
		if !ok || cookie.Name != c.of(browser) || len(names) == maxBrowsers {
			useless = append(useless, cookie.Name)
			continue
		}
		names = append(names, browser)
	}
	return names, useless
}

func (c cookies) of(browser nonce) string {
	sum := sha256.Sum256(browser[:])
	return c.prefix + base64.RawURLEncoding.EncodeToString(sum[:6])
}

// name returns the name of the browser, or a new one if it has none. Later installations use the same name, so the
// number of cookies does not grow.
func (c cookies) name(r *http.Request) nonce {
	if names, _ := c.known(r); len(names) > 0 {
		return names[0]
	}
	return newNonce()
}

// keep sets the cookie of the browser, and deletes useless ones.
func (c cookies) keep(w http.ResponseWriter, r *http.Request, browser nonce) {
	_, useless := c.known(r)
	for _, name := range useless[:min(len(useless), maxBrowsers)] {
		c.set(w, name, "", -1)
	}
	c.set(w, c.of(browser), browser.String(), int(cookieLifetime.Seconds()))
}

func (c cookies) set(w http.ResponseWriter, name, value string, seconds int) {
	http.SetCookie(w, &http.Cookie{
		Name:     name,
		Value:    value,
		Path:     "/",
		MaxAge:   seconds,
		Secure:   c.secure,
		HttpOnly: true,
		SameSite: http.SameSiteLaxMode, // the callback comes from the platform's site by a top-level GET
	})
}
