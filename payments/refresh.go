package payments

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// What a RefreshHandler answers by the words of AuthenticationTypeOAuth.
var (
	// ErrInvalidClient: the client or its secret is not known. It is answered 401.
	ErrInvalidClient = errors.New("invalid_client")
	// ErrInvalidGrant: the refresh token is not good, or not any more. It is answered 400.
	ErrInvalidGrant = errors.New("invalid_grant")
)

// RefreshHandler is what Authentication.RefreshTokenURL leads to: the platform wants new
// credentials of a store. Refresh must be set. It must not be copied.
//
// These calls are not signed. What they prove is in them: a client secret and a refresh token.
//
// It answers 200 with the tokens; 401 and 400 for the two errors of AuthenticationTypeOAuth; 400 for what is
// malformed; 503 and the rest as RefundHandler does.
type RefreshHandler struct {
	// Refresh returns new tokens. It looks at the secret first: see RefreshRequest.Proves.
	Refresh func(ctx context.Context, r RefreshRequest) (Tokens, error)

	// Budget, Linger, MaxRuns, OnStarted, OnAnswered, OnFailure, OnRefused and Logger are as in Callback.
	Budget     time.Duration
	Linger     time.Duration
	MaxRuns    int
	OnStarted  func(ctx context.Context, r *http.Request) context.Context
	OnAnswered func(ctx context.Context, a Answer)
	OnFailure  func(ctx context.Context, f *Failure)
	OnRefused  func(ctx context.Context, r client.Refused)
	Logger     *slog.Logger

	runs runs
}

// maxRefresh is the size in bytes above which the body of a refresh is refused.
const maxRefresh = 64 << 10

// RefreshRequest asks for new tokens. Its secrets print as [redacted].
type RefreshRequest struct {
	GrantType    string        `json:"grant_type"`    // refresh_token
	ClientID     string        `json:"client_id"`     // as it stands in the provider's Authentication
	ClientSecret client.Secret `json:"client_secret"` // not checked yet: see Proves
	RefreshToken client.Secret `json:"refresh_token"` // the last one that was given
}

// Format prints the client only, whatever the verb.
func (r RefreshRequest) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "payments.RefreshRequest{ClientID: %q}", r.ClientID)
}

// Proves reports whether the request has the secret, in a time that does not depend on it.
// An empty secret is proved by nothing.
func (r RefreshRequest) Proves(secret client.Secret) bool {
	return secret != "" && hmac.Equal([]byte(r.ClientSecret), []byte(secret))
}

// Tokens are credentials that the platform uses from now on.
type Tokens struct {
	AccessToken  client.Secret
	RefreshToken client.Secret // for the next refresh
	// ExpiresIn is how long AccessToken is good, in whole seconds: one at least.
	ExpiresIn time.Duration
}

// Format prints how long they are good, whatever the verb.
func (t Tokens) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "payments.Tokens{ExpiresIn: %v}", t.ExpiresIn)
}

func (t Tokens) answer() (answer, error) {
	seconds := int64(t.ExpiresIn / time.Second)
	if t.AccessToken == "" || t.RefreshToken == "" || seconds < 1 {
		return answer{}, errors.New("the function returned no tokens that are good for a second")
	}
	body, err := wire.Marshal(struct {
		AccessToken  string `json:"access_token"`
		RefreshToken string `json:"refresh_token"`
		ExpiresIn    int64  `json:"expires_in"`
	}{string(t.AccessToken), string(t.RefreshToken), seconds})
	return answer{status: http.StatusOK, body: body}, err
}

func (h *RefreshHandler) callback() *Callback {
	return &Callback{
		Budget: h.Budget, Linger: h.Linger, MaxRuns: h.MaxRuns, MaxBody: maxRefresh,
		OnStarted: h.OnStarted, OnAnswered: h.OnAnswered, OnFailure: h.OnFailure, OnRefused: h.OnRefused, Logger: h.Logger,
	}
}

// Check returns what is wrong with the configuration, or nil. Call it when the program
// starts: a handler that is misconfigured answers every request 503.
func (h *RefreshHandler) Check() error {
	wrong := h.callback().checkBounds("Refresh", h.Refresh == nil)
	return wrong.Err("payments: RefreshHandler")
}

// ServeHTTP implements http.Handler.
func (h *RefreshHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	h.callback().serve(w, r, &h.runs, kind{call: CallRefresh, method: http.MethodPost, check: h.Check, read: h.read, open: true})
}

func (h *RefreshHandler) read(raw []byte, _ url.Values) (run, error) {
	in, err := readRefresh(raw)
	return func(ctx context.Context) (answer, error) {
		tokens, err := h.Refresh(ctx, in)
		switch {
		case errors.Is(err, ErrInvalidClient):
			return oauthRefusal(http.StatusUnauthorized, ErrInvalidClient)
		case errors.Is(err, ErrInvalidGrant):
			return oauthRefusal(http.StatusBadRequest, ErrInvalidGrant)
		case err != nil:
			return answer{}, err
		}
		return tokens.answer()
	}, err
}

// readRefresh reads a refresh. Its error names members and shows no value, because each may be a secret.
func readRefresh(raw []byte) (in RefreshRequest, err error) {
	const want = "want grant_type refresh_token, client_id, client_secret and refresh_token"
	b, err := readBody(raw)
	if err != nil {
		return in, errors.New("not the strict JSON of a refresh: " + want)
	}
	var wrong []string
	text := func(name string, good func(string) bool) string {
		s, err := valueOf[string](b.members[name])
		if err != nil || !good(s) {
			wrong = append(wrong, name)
		}
		return s
	}
	some := func(s string) bool { return s != "" }
	in = RefreshRequest{
		GrantType:    text("grant_type", func(s string) bool { return s == "refresh_token" }),
		ClientID:     text("client_id", some),
		ClientSecret: client.Secret(text("client_secret", func(string) bool { return true })), // Proves rejects an empty one
		RefreshToken: client.Secret(text("refresh_token", some)),
	}
	if len(wrong) > 0 {
		return in, fmt.Errorf("%s: missing or wrong: %s", strings.Join(wrong, ", "), want)
	}
	return in, nil
}

func oauthRefusal(status int, code error) (answer, error) {
	body, err := wire.Marshal(map[string]string{"error": code.Error()})
	return answer{status, body, code}, err
}
