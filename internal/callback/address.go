package callback

import (
	"net/url"
	"strings"
)

// IsHTTPS reports whether s is an absolute https address without a password.
func IsHTTPS(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil
}

// Host prints an address without what may be secret in it: its path may be a token. What has an @ is not
// printed at all, because a password may have been mistaken for something else: https://me:1?2@app.example
// has the host me:1.
func Host(s string) string {
	if s == "" {
		return ""
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || strings.Contains(s, "@") {
		return "an address that cannot be shown"
	}
	return u.Scheme + "://" + u.Host + "/…"
}
