package address

import (
	"net/url"
	"strings"
)

// most is the length in bytes above which a text is no address: servers take no longer ones. It is looked at before
// anything else.
const most = 8 << 10

// IsHTTPS reports whether s is an absolute https address without a password.
func IsHTTPS(s string) bool {
	if len(s) > most {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil
}

// Host prints an address without its path, which may be a token. An address with an @ is not printed at all, because a
// password may have been parsed as another part: https://me:1?2@app.example has the host me:1.
func Host(s string) string {
	if s == "" {
		return ""
	}
	const hidden = "an address that cannot be shown"
	if len(s) > most {
		return hidden
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || strings.Contains(s, "@") {
		return hidden
	}
	return u.Scheme + "://" + u.Host + "/…"
}
