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
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Version names a version of the API, as it is written in paths.
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
	// AuthStyleAuthentication sends "Authentication: bearer <token>", which some deployments require. If the platform
	// answers 401 unexpectedly, try the other style. Calls about disputes always use AuthStyleBearer, because the
	// contract requires it for them.
	AuthStyleAuthentication
)

// header returns the header that carries the token at a route.
func (s AuthStyle) header(route, token string) (name, value string) {
	if s == AuthStyleBearer || strings.HasSuffix(route, "/disputes") || strings.Contains(route, "/disputes/") {
		return "Authorization", "Bearer " + token
	}
	return "Authentication", "bearer " + token
}

// Config describes one app acting on one store. BaseURL, StoreID, Token and UserAgent are required. The zero value of
// every other field works.
//
// Four limits apply to a call:
//
//   - MaxWait limits the total time that the call waits for the rate limit.
//   - Retry.Attempts limits the attempts of the call. A request that was answered 429 is repeated as the same attempt.
//     So is a request that was answered 401 while its token was replaced.
//   - Retry.Total limits the time from the first attempt to the start of the last.
//   - The retry quota limits the retries of all calls of a client. It is 20, plus one for every ten calls.
//
// After a failure, Attempts is checked first, then the retry class of the endpoint, then MaxWait and Total for the
// wait, and the quota last. After a 429 only MaxWait applies, and also Total if there was an earlier attempt. The end
// of the caller's context takes precedence over all of them.
type Config struct {
	// BaseURL is the address of the API, for example "https://api.example.com". An address that contains a version or a
	// store is rejected. Only loopback hosts (127.0.0.0/8, ::1, localhost and names below it) may use http, unless
	// InsecureHTTP is set.
	BaseURL string
	// InsecureHTTP allows http for other hosts, such as another container. Access tokens and customer data are then
	// sent in clear text, and any host on the path can read and change them. Set it only in a network that nobody else
	// can access.
	InsecureHTTP bool
	// StoreID is the store that requests act on. It is the user_id of the installation.
	StoreID ID
	// Token returns the access token. It is called for every attempt, so that the token of a newer installation is
	// used. It must be safe for concurrent use. A ContextTokenSource receives the context of the call.
	Token oauth2.TokenSource
	// UserAgent names the app and a contact in parentheses: "My App (dev@my.app)".
	// The platform rejects requests without it.
	UserAgent string
	// Auth selects the authentication header. Zero is AuthStyleBearer.
	Auth AuthStyle
	// HTTPClient provides the Transport; its other settings are not used. If it or its Transport is nil, NewTransport
	// makes one. The Transport must not retry: it would send a create again that the platform has applied. Retry
	// decides about retries. A Transport that repeats a create over net/http, with the context of the request, is
	// stopped, and the error is ErrOutcomeUnknown. That is not possible for a Transport that has another connection to
	// the platform, or that repeats a create because a reused connection ended without an answer.
	HTTPClient *http.Client
	// Retry configures retries. The zero value makes up to three attempts where a retry is safe.
	Retry Retry
	// MaxWait limits the time that a call waits for the rate limit, before its first request and after each 429. If a
	// longer wait is required, the call fails at once with ErrRateLimited and the time to wait. MaxWait also limits a
	// single wait that the platform requires after another failure. A Retry-After of a 429 or 503 holds all calls of
	// the store for its whole time, at most an hour. All processes of the app share the rate limit of a store. Set
	// MaxWait to at least one second for each call that all processes together make at the same time. Zero means 30
	// seconds.
	MaxWait time.Duration
	// AttemptTimeout limits one attempt, including the response body. Zero means 30 seconds.
	AttemptTimeout time.Duration
	// MaxBody limits the size of a decompressed response in bytes. Zero means 32 MiB. The decoded response may use 4
	// MiB plus 32 times its size in memory. A larger one fails with a *DecodeError.
	MaxBody int64
	// Logger logs every attempt at level Debug, with method, route, status and duration. It never logs a query, a body
	// or a secret. Nil logs nothing.
	Logger *slog.Logger
	// OnDrift is called when a response differs from the contract in a way that was tolerated. It is called during
	// decoding and must not block. If it is nil, differences are not searched for.
	OnDrift func(ctx context.Context, d Drift)
	// OnAttempt is called before each call (Attempt.Number is 0) and before each of its requests, for traces and
	// metrics. Package client/otelcommerce has an implementation. It returns the context of the call or the request,
	// and a function that is called exactly once when that ends. The context must be derived from ctx. The token
	// source, the transport, Logger and OnDrift see its values, and when it ends, the call or the request ends. A nil
	// context means ctx, and a nil function is not called. Both functions may be called concurrently and must not
	// block. If one of them panics, the panic is logged at level Error and the call continues. A nil OnAttempt costs
	// nothing.
	OnAttempt func(ctx context.Context, a Attempt) (context.Context, func(AttemptEnd))
}

// Retry configures retries. Each endpoint has a retry class, which determines the failures after which it may be
// retried.
type Retry struct {
	// Attempts is the maximum number of attempts of one call. Zero means 3, and 1 disables retries. A request that was
	// answered 429 was not processed, so it waits and is repeated as the same attempt, even if Attempts is 1.
	Attempts int
	// Total limits the time from the first attempt to the start of the last. Zero means 30 seconds. An attempt that
	// uses all of AttemptTimeout is then not repeated, because a write that is repeated later could undo a newer one. A
	// Transport of NewTransport waits 20 seconds for the header of a response, so a call without an answer is repeated
	// once if its retry class permits that.
	Total time.Duration
	// Effects allows retries after a 429 also for calls with an effect outside the platform's records, such as mails
	// and payments. Such a call that was not sent yet waits for the rate limit like others.
	Effects bool
}

// Format prints the address, the store and the user agent only, because a printed token source may show its token.
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

// check returns the parsed base address, or an error that describes an invalid field.
func (c *Config) check() (*url.URL, error) {
	base, err := url.Parse(c.BaseURL)
	switch {
	case c.BaseURL == "":
		return nil, errors.New("client: Config.BaseURL is empty: must be the address of the API, such as https://api.example.com")
	case err != nil:
		return nil, errors.New("client: Config.BaseURL is not a URL: must be the address of the API, such as https://api.example.com") // there may be a password in it
	case base.Hostname() == "" || base.User != nil || base.RawQuery != "" || base.Fragment != "":
		shown := url.URL{Scheme: base.Scheme, Host: base.Host, Path: base.Path}
		return nil, fmt.Errorf("client: Config.BaseURL %s: must be scheme, host and path only", wire.Quote(shown.String()))
	case versioned(base.Path):
		return nil, fmt.Errorf("client: Config.BaseURL %s: must be the address without version and store", wire.Quote(c.BaseURL))
	case base.Scheme != "https" && !(base.Scheme == "http" && (c.InsecureHTTP || loopback(base.Hostname()))):
		return nil, fmt.Errorf("client: Config.BaseURL %s: must be https; http requires a loopback host or Config.InsecureHTTP", wire.Quote(c.BaseURL))
	case c.StoreID <= 0:
		return nil, fmt.Errorf("client: Config.StoreID %d: must be the id of a store", c.StoreID)
	case c.Token == nil:
		return nil, errors.New("client: Config.Token is nil: must be a source of access tokens")
	case !contact(c.UserAgent):
		return nil, fmt.Errorf(`client: Config.UserAgent %s: must be the app's name and a contact in parentheses, such as "My App (dev@my.app)"`, wire.Quote(c.UserAgent))
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

// engine returns the configuration of the engine. It checks nothing.
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
