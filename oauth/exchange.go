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

	maxDialText = 256 // runes of an error from before anything was received: name, address and reason fit
)

// Exchange turns the code of a callback into a token. The code is valid for 5 minutes and good for one request, so
// Exchange sends exactly one: it does not retry, and it follows no redirect.
//
// A refusal is an *Error. Any other failure is ErrNotSent, after which the same code may be tried again, or
// ErrOutcomeUnknown, after which the install must start again. No error holds the secret, the code or a token.
//
// The Install has no Generation yet. It is not stored: Handler does that, in an order that keeps the last token issued.
//
//api:endpoint POST {auth_url}/apps/authorize/token
func (a App) Exchange(ctx context.Context, code string) (Install, error) {
	base, err := a.base()
	if err != nil {
		return Install{}, fmt.Errorf("%w: %w", ErrNotSent, err)
	}
	if code == "" || len(code) > maxCode {
		return Install{}, fmt.Errorf("%w: %w: code of %d bytes: want 1 to %d", ErrNotSent, errQuery, len(code), maxCode)
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

	if resp.StatusCode == http.StatusSwitchingProtocols { // what follows is no body: reading it would end neither with ctx nor with the timeout
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
	req.GetBody = nil // with it, net/http may send the body a second time
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
		// A fresh connection cannot be one that the platform has just closed, which would leave the outcome open.
		transport = &http.Transport{
			DisableKeepAlives:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxAnswer,
			Protocols:              &http1,
		}
	}
	return &http.Client{
		Transport: transport,
		// A redirect would carry the client secret to wherever it points.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// sentTrace tells whether a request may have left the process. A transport that reports nothing may have sent it.
type sentTrace struct {
	asked, connected atomic.Bool
}

func (t *sentTrace) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { t.asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { t.connected.Store(true) },
	})
}

// fail describes err without the address that net/http puts into it. Only what a caller may branch on stays wrapped,
// because a hostile server can have its own words in the rest.
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
