package oauth

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// App is the app as registered at the platform. It holds no state, so it may be copied, and all methods are safe for
// concurrent use. Printing it does not reveal the secret.
type App struct {
	ID      client.ID     // the app id; required
	Secret  client.Secret // the client secret; required
	AuthURL string        // the authorization address; required; https, or http for a loopback host

	// Name is the name of the app on pages for merchants, such as "Mug Printer". At most 64 characters are shown. Empty
	// means "the app".
	Name string

	// InsecureHTTP allows an AuthURL with http and a host that is not loopback, such as a test platform in a container.
	// DANGER: anyone who can read or change the traffic to that host gets the client secret and the tokens of all
	// stores that installation the app. Never set it if the platform is reached through a network that you do not
	// control.
	InsecureHTTP bool

	// UserAgent names the app and a contact, as in "My App (dev@my.app)". Empty means the default of net/http.
	UserAgent string

	// Timeout bounds a token request from dialing to the last byte of the answer. It also bounds each call of what a
	// Handler is configured with: its stores, Verify and OnError. Zero means 15 s.
	Timeout time.Duration

	// Transport sends the token request. It must not retry a request. Nil means a new HTTP/1.1 connection for each
	// request, without a proxy.
	Transport http.RoundTripper
}

// defaultTimeout leaves a slow platform enough time, and still answers a waiting merchant.
const defaultTimeout = 15 * time.Second

var errConfig = errors.New("oauth: configuration")

// Format prints only the id, for every verb. Without it, fmt would print the secret of a pointer to an App under a verb
// such as %s, because it calls no methods when it reports a bad verb.
func (a App) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "oauth.App{ID:%d}", a.ID)
}

// AuthorizeURL returns the address at which the merchant approves the app: {auth_url}/apps/<app_id>/authorize. The
// platform repeats state to the redirect URL; an empty state is left out. AuthorizeURL fails if ID, Secret or AuthURL
// is missing or malformed, so a program can call it at startup to check its configuration.
//
// Handler creates, stores and checks states. Call AuthorizeURL only if your program does so instead.
//
//api:endpoint GET {auth_url}/apps/{app_id}/authorize
func (a App) AuthorizeURL(state string) (string, error) {
	base, err := a.base()
	if err != nil {
		return "", err
	}
	u := base.JoinPath("apps", a.ID.String(), "authorize")
	if state != "" {
		u.RawQuery = url.Values{"state": {state}}.Encode()
	}
	return u.String(), nil
}

// base checks the configuration and returns the parsed AuthURL.
func (a App) base() (*url.URL, error) {
	if a.ID <= 0 {
		return nil, fmt.Errorf("%w: App.ID %d: must be a positive app id", errConfig, a.ID)
	}
	if a.Secret == "" {
		return nil, fmt.Errorf("%w: App.Secret is empty: must be the client secret", errConfig)
	}
	if strings.ContainsFunc(a.UserAgent, func(r rune) bool { return r < ' ' || r > '~' }) {
		return nil, fmt.Errorf("%w: App.UserAgent %q: must be printable ASCII", errConfig, clean(a.UserAgent))
	}
	return parseAddress("App.AuthURL", a.AuthURL, "unless App.InsecureHTTP is set", func(host string) bool {
		return a.InsecureHTTP || isLoopback(host)
	})
}

// parseAddress checks an address of the configuration. Its scheme must be https, or http for hosts that plain allows;
// except ends the error text about that rule.
func parseAddress(field, address, except string, plain func(host string) bool) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		// The malformed text may hold a password, and so may the parser's error.
		return nil, fmt.Errorf("%w: %s cannot be parsed: must be https://host", errConfig, field)
	}
	var rule string
	switch {
	case u.Hostname() == "" || u.Opaque != "":
		rule = "must be an absolute URL with a host"
	case u.User != nil:
		rule = "must not have a user or password"
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		rule = "must not have a query or fragment"
	case u.Scheme == "http" && !plain(u.Hostname()):
		rule = "must be https; http is for loopback hosts only, " + except
	case u.Scheme != "https" && u.Scheme != "http":
		rule = "must be https"
	default:
		return u, nil
	}
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	return nil, fmt.Errorf("%w: %s %q: %s", errConfig, field, clean(shown.String()), strings.TrimSuffix(rule, ", "))
}

func (a App) timeout() time.Duration {
	if a.Timeout > 0 {
		return a.Timeout
	}
	return defaultTimeout
}

// isLoopback reports whether host can only be this machine.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Zone() == "" && addr.Unmap().IsLoopback()
}
