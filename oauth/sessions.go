package oauth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// DefaultMaxAge is the default of Sessions.MaxAge.
const DefaultMaxAge = 12 * time.Hour

// minSessionKey is the minimum length of a key in bytes. A shorter key could be guessed.
const minSessionKey = 16

// leftSuffix ends the name of the cookie that a sign-out leaves.
const leftSuffix = "-left"

// ErrSignedOut means that no signed-in merchant sent the request: it has no cookie, the cookie is forged or too old, or
// the installation in the cookie has ended.
var ErrSignedOut = errors.New("oauth: not signed in")

// Sessions signs merchants in by a signed cookie. Use SignIn as the SignIn of a Handler. Of returns the installation of
// a request:
//
//	sessions := &oauth.Sessions{Key: key, Tokens: tokens, PublicURL: url}
//	install := &oauth.Handler{…, SignIn: sessions.SignIn}
//	…
//	in, err := sessions.Of(r)
//	if errors.Is(err, oauth.ErrSignedOut) {
//		install.Begin(w, r, r.URL.RequestURI())
//		return
//	}
//
// Nothing is stored. The cookie names the store and the installation, so a session ends with the installation, at all
// replicas. A colleague who opens the app replaces the token, but not the installation, and signs nobody else out. If
// two users sign in with one browser, the later one is signed in. After the token was retired or deleted, a new
// installation requires that each user signs in again. The cookie is HttpOnly and SameSite=Lax, so a page of another
// site cannot send it with a POST. A GET must therefore change nothing. A new Key ends all sessions. Key and Tokens are
// required. The fields must not be changed after the first use. Sessions is safe for concurrent use.
type Sessions struct {
	// Key signs the cookie: 16 bytes or more that nobody can guess, equal in all replicas.
	Key client.Secret
	// Tokens holds the installations. It is the same TokenStore as that of the Handler.
	Tokens TokenStore
	// PublicURL is the address at which browsers reach this site, as in Handler. The cookie is Secure unless PublicURL
	// is http with a loopback host.
	PublicURL string
	// Cookie is the name of the cookie. Empty means "__Host-session", so that no other host of the domain can set it.
	// If PublicURL is http with a loopback host, empty means "session".
	Cookie string
	// MaxAge is how long a session lasts. Zero means DefaultMaxAge.
	MaxAge time.Duration
}

// Format prints the name of the type for every verb, because there is a key inside.
func (s *Sessions) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "oauth.Sessions") }

// Check returns an error that describes an invalid configuration, or nil. Call it when the program starts.
func (s *Sessions) Check() error {
	switch _, err := cookiesFor(s.PublicURL); {
	case len(s.Key) < minSessionKey:
		return fmt.Errorf("oauth: Sessions.Key has %d bytes: must have %d or more", len(s.Key), minSessionKey)
	case s.Tokens == nil:
		return errNoTokens
	case s.MaxAge < 0:
		return fmt.Errorf("oauth: Sessions.MaxAge is %v: must be 0 or more", s.MaxAge)
	default:
		return err
	}
}

// repeatedKey is in the context of a request that repeats the callback of an installation.
type repeatedKey struct{}

// SignIn adds the cookie of an installation to an answer. A callback that a Handler has answered before, such as one in
// the history of the browser, does not sign in again after SignOut.
func (s *Sessions) SignIn(w http.ResponseWriter, r *http.Request, in Install) error {
	if err := s.Check(); err != nil {
		return err
	}
	if r != nil {
		if _, err := r.Cookie(s.name() + leftSuffix); err == nil {
			if r.Context().Value(repeatedKey{}) != nil {
				return nil
			}
			http.SetCookie(w, s.cookie(s.name()+leftSuffix, "", -1))
		}
	}
	age := s.MaxAge
	if age == 0 {
		age = DefaultMaxAge
	}
	value := fmt.Sprintf("%d.%d.%d", in.StoreID, in.installation(), time.Now().Add(age).Unix())
	http.SetCookie(w, s.cookie(s.name(), value+"."+s.sign(value), int(age.Seconds())))
	return nil
}

// signed reports whether a signature is that of the value.
func (s *Sessions) signed(value, signature string) bool {
	return hmac.Equal([]byte(signature), []byte(s.sign(value)))
}

// SignOut removes the cookie from the browser. While the callback of an installation can be repeated, a second cookie
// stops it from signing in again.
func (s *Sessions) SignOut(w http.ResponseWriter) {
	http.SetCookie(w, s.cookie(s.name(), "", -1))
	http.SetCookie(w, s.cookie(s.name()+leftSuffix, "1", int(2*stateLifetime/time.Second)))
}

func (s *Sessions) cookie(name, value string, age int) *http.Cookie {
	return &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: age, HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: s.secure(),
	}
}

// secure reports whether browsers may send the cookie over https only.
func (s *Sessions) secure() bool {
	of, err := cookiesFor(s.PublicURL)
	return err != nil || of.secure
}

func (s *Sessions) name() string {
	switch {
	case s.Cookie != "":
		return s.Cookie
	case s.secure():
		return "__Host-session"
	default:
		return "session"
	}
}

// sign returns the signature of a value in the cookie of this name.
func (s *Sessions) sign(value string) string {
	mac := hmac.New(sha256.New, []byte(s.Key))
	_, _ = fmt.Fprintf(mac, "oauth.Sessions %q %s", s.name(), value) // never fails
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Of returns the installation whose merchant sent the request, loaded from Tokens. Its error matches ErrSignedOut if
// the merchant is not signed in. Any other error comes from Tokens or the configuration and says nothing about the
// merchant.
func (s *Sessions) Of(r *http.Request) (Install, error) {
	if err := s.Check(); err != nil {
		return Install{}, err
	}
	cookie, err := r.Cookie(s.name())
	if err != nil {
		return Install{}, fmt.Errorf("%w: no cookie", ErrSignedOut)
	}
	parts := strings.Split(cookie.Value, ".")
	const fields = 4 // store, generation, end, signature
	if len(parts) != fields || !s.signed(strings.Join(parts[:3], "."), parts[3]) {
		return Install{}, fmt.Errorf("%w: the cookie is not signed with the key", ErrSignedOut)
	}
	var numbers [3]int64
	for i := range numbers {
		numbers[i], _ = strconv.ParseInt(parts[i], 10, 64) // the signature was checked
	}
	store, installation, end := numbers[0], numbers[1], numbers[2]
	if time.Now().Unix() >= end {
		return Install{}, fmt.Errorf("%w: the session has expired", ErrSignedOut)
	}
	in, err := s.Tokens.Load(r.Context(), client.ID(store))
	switch {
	case errors.Is(err, ErrNotInstalled), err == nil && in.installation() != installation:
		return Install{}, fmt.Errorf("%w: the installation has ended", ErrSignedOut)
	case err != nil:
		return Install{}, fmt.Errorf("oauth: load installation: %w", err)
	}
	return in, nil
}
