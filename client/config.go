package client

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/printable"
)

// Version names a version of the API, as it stands in paths.
type Version string

// The versions of the API.
const (
	VersionV1       Version = "v1"       // the first version, which gets no new features
	Version202503   Version = "2025-03"  // the newest stable version
	VersionUnstable Version = "unstable" // where new features appear first, and change without notice
)

// AuthStyle selects the header that carries the access token.
type AuthStyle uint8

const (
	// AuthStyleBearer sends "Authorization: Bearer <token>".
	AuthStyleBearer AuthStyle = iota
	// AuthStyleAuthentication sends "Authentication: bearer <token>", which some
	// deployments require. On an unexpected 401 try the other form. Calls about disputes
	// always use AuthStyleBearer, because the contract states it for them.
	AuthStyleAuthentication
)

// header returns the header that carries the token at a route.
func (s AuthStyle) header(route, token string) (name, value string) {
	if s == AuthStyleBearer || strings.HasSuffix(route, "/disputes") || strings.Contains(route, "/disputes/") {
		return "Authorization", "Bearer " + token
	}
	return "Authentication", "bearer " + token
}

// Config describes one app acting on one store. BaseURL, StoreID, Token and
// UserAgent are required; the zero value of every other field works.
//
// Four bounds hold for a call. MaxWait bounds the time that the call waits for the rate limit, in all of its requests
// together. Retry.Attempts bounds how often the call is attempted; a request that was answered 429, or 401 while its
// token was replaced, is repeated as the same attempt. Retry.Total bounds the time from the first attempt to the start
// of the last. The retry quota bounds the retries of all calls of a client: 20, and one more for every ten calls. After
// a failure Attempts is checked first, then what the endpoint allows, MaxWait and Total for the wait, and the quota
// last. After a 429 only MaxWait counts, and Total if there was an attempt before. The end of the caller's context
// precedes all of them.
type Config struct {
	// BaseURL is the address of the API without version and store, which are refused, for example
	// "https://api.example.com". Only loopback hosts (127.0.0.0/8, ::1, localhost and names below it) may use http,
	// unless InsecureHTTP is set.
	BaseURL string
	// InsecureHTTP allows http for other hosts, such as that of another container. Access tokens and data of customers
	// then travel in clear text, and any host on the path can read and change them. Set it only for a network that
	// nobody else has access to.
	InsecureHTTP bool
	// StoreID is the store that requests act on: the user_id of the installation.
	StoreID ID
	// Token gives the access token. It is asked for every attempt, so that the token of a newer installation is picked
	// up; it must be safe for concurrent use. A ContextTokenSource is asked with the context of the call.
	Token oauth2.TokenSource
	// UserAgent names the app and a contact in parentheses: "My App (dev@my.app)".
	// The platform refuses requests without it.
	UserAgent string
	// Auth selects the authentication header. Zero is AuthStyleBearer.
	Auth AuthStyle
	// HTTPClient lends its Transport; its other settings are not used. If it or its
	// Transport is nil, NewTransport makes one.
	HTTPClient *http.Client
	// Retry says what is done about failures. The zero value makes up to three
	// attempts where a repetition is safe.
	Retry Retry
	// MaxWait bounds the time that a call waits for the rate limit, before its first request and after each 429. If the
	// bucket or the platform asks for more, the call fails at once with ErrRateLimited and the time to wait. It also
	// bounds a single wait that the platform asks for after another failure. The bucket of a store belongs to all
	// processes of the app, and a client shares it with the others: set MaxWait to at least a second for each call that
	// all processes together make at a time. Zero is 30 seconds.
	MaxWait time.Duration
	// AttemptTimeout bounds one attempt, body included. Zero is 30 seconds.
	AttemptTimeout time.Duration
	// MaxBody bounds a decompressed answer in bytes. Zero is 32 MiB. In memory an answer may take 4 MiB and 32 times
	// its bytes; more is refused by a *DecodeError.
	MaxBody int64
	// Logger is told of every attempt at level Debug: method, route, status and
	// duration, never a query, a body or a secret. Nil logs nothing.
	Logger *slog.Logger
	// OnDrift is told when an answer differs from the contract in a way that was
	// tolerated. It is called during decoding and must not block. Nil skips the search.
	OnDrift func(ctx context.Context, d Drift)
	// OnAttempt is called before each call (Attempt.Number is 0) and before each request of it, for traces and metrics.
	// Package client/otelcommerce makes one. It returns the context that the call or the request goes on with, and a
	// function that is called once at its end, whatever the end is. The context must be made of ctx: the token source,
	// the transport, Logger and OnDrift see its values, and its end is the end of the call or the request. A nil
	// context counts as ctx, and a nil function is not called. Both functions may be called concurrently and must not
	// block. A panic of theirs is logged at level Error, and the call goes on. If OnAttempt is nil, it costs nothing.
	OnAttempt func(ctx context.Context, a Attempt) (context.Context, func(AttemptEnd))
}

// Retry configures repetitions. What may be repeated at all is decided per endpoint.
type Retry struct {
	// Attempts is the most that one call makes. Zero is 3, 1 switches retries off. A request that was answered 429 was
	// not processed: it waits and is repeated as the same attempt, even if Attempts is 1.
	Attempts int
	// Total bounds the time from the first attempt to the start of the last.
	// Zero is 30 seconds.
	Total time.Duration
	// Effects lets calls with an effect outside the platform's records (mails,
	// payments) be repeated after a 429 too. Such a call that was not sent yet waits for the rate limit like others.
	Effects bool
}

// Format prints the address, the store and the app: a token source may show its
// token when it is printed.
func (c Config) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "client.Config{BaseURL: %q, StoreID: %d, UserAgent: %q}", c.BaseURL, c.StoreID, c.UserAgent)
}

const (
	defaultAttempts       = 3
	defaultTotal          = 30 * time.Second
	defaultMaxWait        = 30 * time.Second
	defaultAttemptTimeout = 30 * time.Second
	defaultMaxBody        = 32 << 20
	maxHeader             = 1 << 20
)

// check returns the parsed base address, or what is wrong with the configuration.
func (c *Config) check() (*url.URL, error) {
	base, err := url.Parse(c.BaseURL)
	switch {
	case c.BaseURL == "":
		return nil, errors.New("client: Config.BaseURL is empty: want the address of the API")
	case err != nil:
		return nil, errors.New("client: Config.BaseURL is not a URL: want the address of the API") // there may be a password in it
	case base.Hostname() == "" || base.User != nil || base.RawQuery != "" || base.Fragment != "":
		shown := url.URL{Scheme: base.Scheme, Host: base.Host, Path: base.Path}
		return nil, fmt.Errorf("client: Config.BaseURL %s: want scheme, host and path only", printable.Quote(shown.String()))
	case versioned(base.Path):
		return nil, fmt.Errorf("client: Config.BaseURL %s: want the address without version and store", printable.Quote(c.BaseURL))
	case base.Scheme != "https" && !(base.Scheme == "http" && (c.InsecureHTTP || loopback(base.Hostname()))):
		return nil, fmt.Errorf("client: Config.BaseURL %s: want https; http is for loopback hosts, and for others with Config.InsecureHTTP", printable.Quote(c.BaseURL))
	case c.StoreID <= 0:
		return nil, fmt.Errorf("client: Config.StoreID %d: want the id of a store", c.StoreID)
	case c.Token == nil:
		return nil, errors.New("client: Config.Token is nil: want a source of access tokens")
	case !contact(c.UserAgent):
		return nil, fmt.Errorf(`client: Config.UserAgent %s: want the app's name and a contact in parentheses, like "My App (dev@my.app)"`, printable.Quote(c.UserAgent))
	}
	return base, nil
}

func (c *Config) setDefaults() {
	c.Retry.Attempts = orDefault(c.Retry.Attempts, defaultAttempts)
	c.Retry.Total = orDefault(c.Retry.Total, defaultTotal)
	c.MaxWait = orDefault(c.MaxWait, defaultMaxWait)
	c.AttemptTimeout = orDefault(c.AttemptTimeout, defaultAttemptTimeout)
	c.MaxBody = orDefault(c.MaxBody, defaultMaxBody)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
}

// engine returns the configuration of the engine, and checks nothing.
func (c Config) engine(base *url.URL) engine.Config {
	c.setDefaults()
	token := byContext(c.Token, c.AttemptTimeout)
	c.Token = nil
	return engine.Config{
		Base: base, Version: string(Version202503), Store: int64(c.StoreID), Token: token, Header: c.Auth.header, UserAgent: c.UserAgent,
		Transport: c.transport(), Attempts: c.Retry.Attempts, Total: c.Retry.Total, Effects: c.Retry.Effects, MaxWait: c.MaxWait,
		AttemptTimeout: c.AttemptTimeout, MaxBody: c.MaxBody, Logger: c.Logger, Codec: &codec{config: c, watch: c.watchers()},
		OnAttempt: c.attempts(),
	}
}

// transport returns the caller's transport, or else a new one.
func (c *Config) transport() http.RoundTripper {
	if c.HTTPClient != nil && c.HTTPClient.Transport != nil {
		return c.HTTPClient.Transport
	}
	return NewTransport()
}

func orDefault[N int | int64 | time.Duration](n, fallback N) N {
	if n <= 0 {
		return fallback
	}
	return n
}

// versioned reports whether a path ends in a version of the API, or in one and a store.
func versioned(base string) bool {
	above, last := path.Split(strings.TrimSuffix(base, "/"))
	if id, err := ParseID(last); err == nil && id > 0 {
		_, last = path.Split(strings.TrimSuffix(above, "/"))
	}
	return slices.Contains([]Version{VersionV1, Version202503, VersionUnstable}, Version(last))
}

// contact reports whether a user agent has the form "name (contact)" and fits in a header.
func contact(userAgent string) bool {
	name, rest, ok := strings.Cut(userAgent, "(")
	in, _, closed := strings.Cut(rest, ")")
	return ok && closed && strings.TrimSpace(name) != "" && strings.TrimSpace(in) != "" && !strings.ContainsFunc(userAgent, func(r rune) bool { return r < ' ' || r > '~' })
}
