package oauth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"
)

const (
	maxAnswer = 64 << 10 // bytes of a token answer, far above any real one
	maxCode   = 1024

	maxDialText = 256 // runes of an error before the answer, enough for name, address and reason
)

// Exchange exchanges the code of a callback for a token. The code is valid for 5 minutes and for one request. Exchange
// therefore sends exactly one request: it does not retry and follows no redirect.
//
// A refusal is an *Error. Any other failure matches ErrNotSent, after which the same code may be tried again, or
// ErrOutcomeUnknown, after which the installation must start again. No error holds the secret, the code or a token.
//
// The returned Install has no Generation and is not stored. Handler stores it so that the token issued last remains.
//
//api:endpoint POST {auth_url}/apps/authorize/token
func (a App) Exchange(ctx context.Context, code string) (Install, error) {
	base, err := a.base()
	if err != nil {
		return Install{}, fmt.Errorf("%w: %w", ErrNotSent, err)
	}
	if code == "" || len(code) > maxCode {
		return Install{}, fmt.Errorf("%w: %w: code of %d bytes: must be 1 to %d", ErrNotSent, errQuery, len(code), maxCode)
	}
	ctx, cancel := context.WithTimeout(ctx, a.timeout())
	defer cancel()
	if ctx.Err() != nil {
		return Install{}, fmt.Errorf("%w: %w", ErrNotSent, ctx.Err())
	}

	var sent sentTrace
	req, err := a.tokenRequest(sent.watch(ctx), base, code)
	if err != nil {
		return Install{}, fmt.Errorf("%w: %s", ErrNotSent, clean(err.Error(), string(a.Secret), code))
	}
	resp, err := a.client().Do(req)
	if err != nil {
		return Install{}, sent.fail(err, string(a.Secret), code)
	}
	defer func() { _ = resp.Body.Close() }()

	if resp.StatusCode == http.StatusSwitchingProtocols { // no body follows; reading would ignore ctx and the timeout
		return Install{}, fmt.Errorf("%w: the server left HTTP for another protocol", ErrOutcomeUnknown)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case resp.StatusCode/100 != 2:
		return Install{}, refusal(resp.StatusCode, body, string(a.Secret), code)
	case err != nil:
		return Install{}, &Error{Status: resp.StatusCode, Description: "answer was cut short"}
	case len(body) > maxAnswer:
		return Install{}, &Error{Status: resp.StatusCode, Description: fmt.Sprintf("answer is larger than %d bytes", maxAnswer)}
	}
	in, err := readAnswer(body, string(a.Secret), code)
	if err != nil {
		var refused *Error
		if !errors.As(err, &refused) {
			refused = &Error{Description: err.Error()}
		}
		refused.Status = resp.StatusCode
		return Install{}, refused
	}
	in.InstalledAt = time.Now().UTC().Round(0)
	return in, nil
}

func (a App) tokenRequest(ctx context.Context, base *url.URL, code string) (*http.Request, error) {
	body, err := json.Marshal(map[string]string{
		"client_id":     a.ID.String(),
		"client_secret": string(a.Secret),
		"grant_type":    "authorization_code",
		"code":          code,
	})
	if err != nil {
		return nil, err
	}
	target := base.JoinPath("apps", "authorize", "token").String()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.GetBody = nil // with GetBody, net/http may send the body a second time
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if a.UserAgent != "" {
		req.Header.Set("User-Agent", a.UserAgent)
	}
	return req, nil
}

func (a App) client() *http.Client {
	transport := a.Transport
	if transport == nil {
		var http1 http.Protocols
		http1.SetHTTP1(true)
		// The platform cannot have just closed a fresh connection, which would leave the outcome unknown.
		transport = &http.Transport{
			DisableKeepAlives:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxAnswer,
			Protocols:              &http1,
		}
	}
	return &http.Client{
		Transport: transport,
		// A redirect would send the client secret to another address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// sentTrace records whether a request may have left the process. A transport that reports nothing may have sent it.
type sentTrace struct {
	asked, connected atomic.Bool
}

func (t *sentTrace) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { t.asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { t.connected.Store(true) },
	})
}

// fail describes err without the address that net/http adds. It wraps only errors that a caller may branch on, because
// a hostile server controls part of the rest.
func (t *sentTrace) fail(err error, secrets ...string) error {
	kind, limit := ErrOutcomeUnknown, maxText
	if t.asked.Load() && !t.connected.Load() {
		kind, limit = ErrNotSent, maxDialText
	}
	for _, ended := range []error{context.DeadlineExceeded, context.Canceled} {
		if errors.Is(err, ended) {
			return fmt.Errorf("%w: %w", kind, ended)
		}
	}
	var withURL *url.Error
	if errors.As(err, &withURL) {
		err = withURL.Err
	}
	return fmt.Errorf("%w: %s", kind, cleanTo(limit, err.Error(), secrets...))
}
