package payments

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Errors of RefreshHandler.Refresh, as named by OAuth.
var (
	// ErrInvalidClient means that the client or its secret is unknown. It is answered 401.
	ErrInvalidClient = errors.New("invalid_client")
	// ErrInvalidGrant means that the refresh token is invalid or expired. It is answered 400.
	ErrInvalidGrant = errors.New("invalid_grant")
)

// RefreshHandler is an http.Handler for Authentication.RefreshTokenURL, from which the platform requests new
// credentials of a store. Refresh must be set. It must not be copied.
//
// These calls are not signed. A client secret and a refresh token in the body authenticate them.
//
// It answers 200 with the tokens; 401 and 400 for the two errors of OAuth; 400 for a malformed call; 503 and others
// as RefundHandler.
type RefreshHandler struct {
	// Refresh returns new tokens. It must first check the secret: see RefreshRequest.Proves.
	Refresh func(ctx context.Context, r RefreshRequest) (Tokens, error)

	// Budget, Linger, MaxRuns, OnStarted, OnAnswered, OnFailure, OnRefused and Logger are described in Callback.
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

// maxRefresh is the maximum size of the body of a refresh, in bytes.
const maxRefresh = 64 << 10

// RefreshRequest is a request for new tokens. Its secrets are printed as [redacted].
type RefreshRequest struct {
	GrantType    string        `json:"grant_type"`    // refresh_token
	ClientID     string        `json:"client_id"`     // as in the provider's Authentication
	ClientSecret client.Secret `json:"client_secret"` // not verified: see Proves
	RefreshToken client.Secret `json:"refresh_token"` // the last one that was issued
}

// Format prints only the client, for every verb.
func (r RefreshRequest) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "payments.RefreshRequest{ClientID: %q}", r.ClientID)
}

// Proves reports whether the request has the secret. It takes constant time. It returns false for an empty secret.
func (r RefreshRequest) Proves(secret client.Secret) bool {
	return secret != "" && hmac.Equal([]byte(r.ClientSecret), []byte(secret))
}

// Tokens are credentials that the platform uses from now on.
type Tokens struct {
	AccessToken  client.Secret
	RefreshToken client.Secret // for the next refresh
	// ExpiresIn is the validity of AccessToken in whole seconds, at least one.
	ExpiresIn time.Duration
}

// Format prints only the validity, for every verb.
func (t Tokens) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "payments.Tokens{ExpiresIn: %v}", t.ExpiresIn)
}

func (t Tokens) answer() (answer, error) {
	seconds := int64(t.ExpiresIn / time.Second)
	if t.AccessToken == "" || t.RefreshToken == "" || seconds < 1 {
		return answer{}, errors.New("the function returned no tokens that are valid for at least a second")
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

// Check returns an error that describes an invalid configuration, or nil. Call it at program start: a misconfigured
// handler answers every request 503.
func (h *RefreshHandler) Check() error {
	wrong := h.callback().checkBounds("Refresh", h.Refresh == nil)
	return wrong.Err("payments: RefreshHandler")
}

// ServeHTTP implements http.Handler.
func (h *RefreshHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	h.callback().serve(w, r, &h.runs, kind{call: CallRefresh, method: http.MethodPost, check: h.Check, read: h.read, open: true})
}

func (h *RefreshHandler) read(b body) run {
	in := readRefresh(b)
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
	}
}

// readRefresh reads a refresh. All its members are required, but Proves rejects an empty secret.
func readRefresh(b body) RefreshRequest {
	return RefreshRequest{
		GrantType:    take(b, "grant_type", "refresh_token", func(s string) bool { return s == "refresh_token" }),
		ClientID:     take(b, "client_id", "a text", some),
		ClientSecret: client.Secret(take(b, "client_secret", "a text", anything[string])),
		RefreshToken: client.Secret(take(b, "refresh_token", "a text", some)),
	}
}

func oauthRefusal(status int, code error) (answer, error) {
	body, err := wire.Marshal(map[string]string{"error": code.Error()})
	return answer{status, body, code}, err
}
