package recording

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"
)

// Sender makes recorded calls again.
type Sender struct {
	// Handler gets them without a network.
	Handler http.Handler
	// URL is the address that the recorded paths are added to, if Handler is nil.
	URL string
	// Client sends to URL. If nil, http.DefaultClient is used.
	Client *http.Client
	// Sign adds the headers that the platform would send. If nil, there are none.
	Sign func(r Record, header http.Header, body []byte) error
	// Map has the ids that differ between the recorded app and this one. The key is the recorded id, and the value is
	// sent and expected instead.
	Map map[string]string
	// Timeout is how long the platform waits.
	Timeout time.Duration
}

// Mapped returns a record with the ids of this app.
func (s Sender) Mapped(r Record) Record {
	if len(s.Map) == 0 {
		return r
	}
	r.Body, r.Answer = string(s.mapped([]byte(r.Body))), string(s.mapped([]byte(r.Answer)))
	r.Target = s.mappedTarget(r.Target)
	return r
}

// mapped replaces whole values.
func (s Sender) mapped(raw []byte) []byte {
	number := func(_ *node, _, literal string) string {
		if other := s.Map[literal]; isNumber(other) {
			return other
		}
		return literal
	}
	text := func(_ *node, _, text string) string { return s.other(text) }
	out, err := rewrite(raw, nil, visitor{text: text, number: number})
	if err != nil {
		return raw
	}
	return out
}

func (s Sender) other(value string) string {
	if other, ok := s.Map[value]; ok {
		return other
	}
	return value
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// mappedTarget replaces segments of a path and values of a query.
func (s Sender) mappedTarget(target string) string {
	at, err := url.ParseRequestURI(target)
	if err != nil {
		return target
	}
	before, query, asked := strings.Cut(target, "?")
	parts := strings.Split(before, "/")
	for i, part := range parts {
		if plain, err := url.PathUnescape(part); err == nil && s.other(plain) != plain {
			parts[i] = url.PathEscape(s.other(plain))
		}
	}
	if !asked {
		return strings.Join(parts, "/")
	}
	values := at.Query()
	changed := false
	for _, all := range values {
		for i, v := range all {
			changed = changed || s.other(v) != v
			all[i] = s.other(v)
		}
	}
	if changed {
		query = values.Encode()
	}
	return strings.Join(parts, "/") + "?" + query
}

// ErrNoAnswer is wrapped by the error of a call that the app did not answer in time, or not at all.
var ErrNoAnswer = errors.New("no answer")

// Send makes a call whose ids are mapped already. An error that wraps ErrNoAnswer is about the app, any other about
// the call.
func (s Sender) Send(ctx context.Context, r Record) (Answer, error) {
	target := r.Target
	if target == "" {
		target = "/"
	}
	method := r.Method
	if method == "" {
		method = http.MethodPost
	}
	limited, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	if !strings.HasPrefix(target, "/") { // which could name another host, and recordings come from others
		return Answer{}, fmt.Errorf("target %.60q: must begin with a slash", target)
	}
	address := strings.TrimSuffix(s.URL, "/") + target
	req, err := http.NewRequestWithContext(limited, method, address, strings.NewReader(r.Body))
	if err != nil {
		return Answer{}, err
	}
	if r.Body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if s.Sign != nil {
		if err := s.Sign(r, req.Header, []byte(r.Body)); err != nil {
			return Answer{}, err
		}
	}
	begun := time.Now()
	var a Answer
	if s.Handler != nil {
		a.Status, a.Body, err = Serve(s.Handler, req)
	} else {
		a.Status, a.Body, err = s.overNetwork(req)
	}
	a.Took = time.Since(begun)
	if ctx.Err() != nil {
		return a, ctx.Err()
	}
	if err != nil && limited.Err() != nil {
		return Answer{Took: a.Took}, fmt.Errorf("%w within %s", ErrNoAnswer, s.Timeout)
	}
	if err != nil {
		return Answer{Took: a.Took}, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	return a, nil
}

func (s Sender) overNetwork(req *http.Request) (int, []byte, error) {
	c := s.Client
	if c == nil {
		c = http.DefaultClient
	}
	direct := *c
	// The platform follows no redirects.
	direct.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := direct.Do(req)
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // without the address, which may have a token
	}
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusSwitchingProtocols { // its body is the connection, which does not end with ctx
		return resp.StatusCode, nil, nil
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, MostAnswer+1))
	return resp.StatusCode, body, err
}

// Serve has a handler of this process answer, on a goroutine of its own, which it waits for no longer than the context
// of the request lasts. A handler that panics or ends its goroutine has given no answer.
func Serve(h http.Handler, req *http.Request) (status int, body []byte, err error) {
	w, done := httptest.NewRecorder(), make(chan error, 1)
	go func() {
		err := errors.New("the handler ended its goroutine")
		defer func() {
			if v := recover(); v != nil {
				err = fmt.Errorf("the handler panicked: %v", v)
			}
			done <- err
		}()
		h.ServeHTTP(w, req)
		err = nil
	}()
	select {
	case err := <-done:
		if err != nil {
			return 0, nil, err
		}
		return w.Code, w.Body.Bytes(), nil
	case <-req.Context().Done():
		return 0, nil, req.Context().Err()
	}
}
