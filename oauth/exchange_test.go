package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

func answering(status int, body string) (*platform, oauth.App) {
	p := newPlatform()
	p.answer = func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
	return p, oauth.App{ID: appID, Secret: appSecret, AuthURL: "https://auth.example", Transport: p}
}

// Nobody else gets the connection, and nothing is read of it after the answer.
func TestExchangeHasAConnectionOfItsOwn(t *testing.T) {
	p := newPlatform()
	var seen []*http.Request
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r)
		if len(seen) > 2 {
			w.Header().Set("X-Padding", strings.Repeat("a", 1<<20))
		}
		p.mux.ServeHTTP(w, r)
	}))
	defer server.Close()
	app := oauth.App{ID: appID, Secret: appSecret, AuthURL: server.URL, UserAgent: "Test (t@example.com)"}
	for range 2 {
		if _, err := app.Exchange(t.Context(), p.code(storeA)); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range seen {
		if !r.Close || r.RemoteAddr == seen[0].RemoteAddr && r != seen[0] || r.Header.Get("Accept-Encoding") != "" ||
			r.Header.Get("Accept") != "application/json" || r.Header.Get("User-Agent") != "Test (t@example.com)" {
			t.Errorf("closes %v, from %s: %v", r.Close, r.RemoteAddr, r.Header)
		}
	}
	if _, err := app.Exchange(t.Context(), p.code(storeA)); !errors.Is(err, oauth.ErrOutcomeUnknown) {
		t.Errorf("a megabyte of headers: got %v", err)
	}
	open := 0
	app.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		resp, err := p.RoundTrip(r)
		open++
		resp.Body = &closing{resp.Body, &open}
		return resp, err
	})
	for _, code := range []string{p.code(storeA), "unknown"} {
		if _, _ = app.Exchange(t.Context(), code); open != 0 {
			t.Errorf("%s: the body of the answer was not closed", code)
		}
	}
}

type closing struct {
	io.ReadCloser
	open *int
}

func (c *closing) Close() error { *c.open--; return c.ReadCloser.Close() }

func TestExchangeReadsTheStore(t *testing.T) {
	for _, tt := range []struct {
		fields string
		want   client.ID // 0: refused
	}{
		{`"user_id":"789"`, 789},
		{`"user_id":789`, 789},
		{`"store_id":789`, 789},
		{`"store_id":"789"`, 789},
		{`"user_id":"789","store_id":789`, 789},
		{`"user_id":null,"store_id":789`, 789},
		{`"user_id":9007199254740993`, 9007199254740993},
		{`"user_id":"9007199254740993"`, 9007199254740993},
		{`"user_id":9223372036854775807`, 9223372036854775807},
		{`"user_id":"9223372036854775807"`, 9223372036854775807},
		{`"user_id":9223372036854775808`, 0},
		{`"user_id":"9223372036854775808"`, 0},
		{`"user_id":789,"store_id":790`, 0},
		{`"user_id":0`, 0},
		{`"user_id":0,"store_id":789`, 0},
		{`"user_id":-1`, 0},
		{`"user_id":"-1"`, 0},
		{`"user_id":"+1"`, 0},
		{`"user_id":789.0`, 789},
		{`"user_id":789.000`, 789},
		{`"user_id":"789.0"`, 789},
		{`"user_id":7.89e2`, 789},
		{`"user_id":7.89E+2`, 789},
		{`"user_id":"7.89e2"`, 789},
		{`"user_id":78900e-2`, 789},
		{`"user_id":1e3`, 1000},
		{`"user_id":9007199254740993.0`, 9007199254740993},
		{`"user_id":"","store_id":789`, 789},
		{`"user_id":1,"user_id":789`, 789},
		{`"user_id":789.5`, 0},
		{`"user_id":7.895e2`, 0},
		{`"user_id":789e-1`, 0},
		{`"user_id":1e-1`, 0},
		{`"user_id":"789."`, 0},
		{`"user_id":".789e3"`, 0},
		{`"user_id":"1.2.3"`, 0},
		{`"user_id":"1e"`, 0},
		{`"user_id":"1e1e1"`, 0},
		{`"user_id":1e19`, 0},
		{`"user_id":1e999999999999`, 0},
		{`"user_id":1e-999999999999`, 0},
		{`"user_id":0.0`, 0},
		{`"user_id":-789.0`, 0},
		{`"user_id":"NaN"`, 0},
		{`"user_id":" 1"`, 0},
		{`"user_id":"0x10"`, 0},
		{`"user_id":"1_0"`, 0},
		{`"user_id":"١"`, 0},
		{`"user_id":""`, 0},
		{`"user_id":true`, 0},
		{`"user_id":[789]`, 0},
		{`"user_id":{"id":789}`, 0},
		{`"user_id":null`, 0},
		{`"USER_ID":789`, 0},
		{`"x":1`, 0},
	} {
		_, app := answering(200, `{"access_token":"t","token_type":"bearer","scope":"",`+tt.fields+`}`)
		in, err := app.Exchange(t.Context(), "the-code")
		if in.StoreID != tt.want || (err == nil) != (tt.want != 0) {
			t.Errorf("%s: got %d, %v; want %d", tt.fields, in.StoreID, err, tt.want)
		}
		if err != nil && !errors.Is(err, oauth.ErrOutcomeUnknown) {
			t.Errorf("%s: %v is no ErrOutcomeUnknown, though a token was issued", tt.fields, err)
		}
	}
}

func TestExchangeReadsTheAnswer(t *testing.T) {
	const ok = `{"access_token":"t","token_type":"bearer","scope":"read_orders","user_id":1}`
	long := strings.Repeat("é", 300)
	for _, tt := range []struct {
		name   string
		status int
		body   string
		want   string // the error; empty for none
	}{
		{"contract", 200, ok, ""},
		{"created", 201, ok, ""},
		{"Bearer", 200, strings.Replace(ok, "bearer", "BEARER", 1), ""},
		{"no type", 200, `{"access_token":"t","user_id":1}`, ""},
		{"null type", 200, strings.Replace(ok, `"bearer"`, "null", 1), ""},
		{"empty type", 200, strings.Replace(ok, "bearer", "", 1), ""},
		{"byte order mark", 200, "\xef\xbb\xbf" + ok, ""},
		{"white space", 200, "\r\n " + ok + "\n", ""},
		{"other members", 200, strings.Replace(ok, "{", `{"refresh_token":"r","expires_in":3600,"x":{"access_token":"no"},`, 1), ""},
		{"duplicate members", 200, strings.Replace(ok, "{", `{"access_token":"old","token_type":"mac","user_id":2,`, 1), ""},
		{"gzip", 200, "\x1f\x8b\x08", "oauth: token request: status 200: answer is compressed with gzip"},
		{"error with a byte order mark", 400, "\xef\xbb\xbf" + `{"error":"invalid_grant"}`, "oauth: token request: status 400: invalid_grant"},
		{"other type", 200, strings.Replace(ok, "bearer", "mac", 1), "oauth: token request: status 200: token_type is not bearer"},
		{"type of another type", 200, strings.Replace(ok, `"bearer"`, "7", 1), "oauth: token request: status 200: token_type is not bearer"},
		{"no token", 200, `{"token_type":"bearer","user_id":1}`, "oauth: token request: status 200: answer has no usable access_token"},
		{"empty token", 200, `{"access_token":"","user_id":1}`, "oauth: token request: status 200: answer has no usable access_token"},
		{"token with line break", 200, `{"access_token":"a\r\nX: y","user_id":1}`, "oauth: token request: status 200: answer has no usable access_token"},
		{"token with a space", 200, `{"access_token":"a b","user_id":1}`, "oauth: token request: status 200: answer has no usable access_token"},
		{"token of other letters", 200, `{"access_token":"é","user_id":1}`, "oauth: token request: status 200: answer has no usable access_token"},
		{"long token", 200, `{"access_token":"` + strings.Repeat("a", 4097) + `","user_id":1}`, "oauth: token request: status 200: answer has no usable access_token"},
		{"HTML", 200, "<html>maintenance</html>", "oauth: token request: status 200: answer is not a JSON object"},
		{"null", 200, "null", "oauth: token request: status 200: answer is not a JSON object"},
		{"array", 200, "[]", "oauth: token request: status 200: answer is not a JSON object"},
		{"empty", 200, "", "oauth: token request: status 200: answer is not a JSON object"},
		{"two values", 200, ok + ok, "oauth: token request: status 200: answer is not a JSON object"},
		{"too large", 200, `{"x":"` + strings.Repeat("a", 64<<10) + `"}`, "oauth: token request: status 200: answer is larger than 65536 bytes"},
		{"error with 200", 200, `{"error":"invalid_client","error_description":"no"}`, "oauth: token request: status 200: invalid_client: no"},
		{"error", 400, `{"error":"invalid_grant","error_description":"code\u0000 ex\u202epired\r\n"}`, "oauth: token request: status 400: invalid_grant: code expired"},
		{"core error", 401, `{"code":401,"message":"Unauthorized","description":"Invalid"}`, "oauth: token request: status 401: Unauthorized: Invalid"},
		{"error object", 403, `{"error":{"status":403}}`, "oauth: token request: status 403"},
		{"page of a gateway", 403, "<html>no</html>", "oauth: token request: status 403"},
		{"nothing of a gateway", 404, "", "oauth: token request: status 404"},
		{"words of a gateway", 401, `{"message":"Unauthorized"}`, "oauth: token request: status 401: Unauthorized"},
		{"code of another status", 401, `{"code":900902,"message":"no"}`, "oauth: token request: status 401: no"},
		{"echo", 400, `{"error":"invalid_client","error_description":"app-secret-1 the-code"}`, "oauth: token request: status 400: invalid_client: [redacted] [redacted]"},
		{"long error", 422, `{"error":"` + long + `"}`, "oauth: token request: status 422: " + long[:2*64]},
		{"HTML error", 502, "<html>bad gateway</html>", "oauth: token request: status 502"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, app := answering(tt.status, tt.body)
			in, err := app.Exchange(t.Context(), "the-code")
			if tt.want == "" {
				if err != nil || in.Token != "t" || in.StoreID != 1 {
					t.Fatalf("got %+v, %v; want an installation", in, err)
				}
				return
			}
			var refused *oauth.Error
			if !errors.As(err, &refused) || refused.Status != tt.status || err.Error() != tt.want {
				t.Errorf("got %q, want %q", err, tt.want)
			}
			foreign := strings.HasSuffix(tt.name, "of a gateway") || tt.name == "error object" || tt.name == "code of another status"
			if want := tt.status/100 == 2 && refused.Code == "" || tt.status >= 500 || foreign; errors.Is(err, oauth.ErrOutcomeUnknown) != want {
				t.Errorf("errors.Is(%v, ErrOutcomeUnknown): got %v, want %v", err, !want, want)
			}
			if errors.Is(err, oauth.ErrNotSent) || p.exchanges() != 1 {
				t.Errorf("got %v after %d token requests, want one request", err, p.exchanges())
			}
		})
	}
}

func TestExchangeReadsTheScopes(t *testing.T) {
	for _, tt := range []struct{ scope, want string }{
		{`"read_orders"`, "read_orders"},
		{`"write_orders,read_orders"`, "read_orders,write_orders"},
		{`"write_orders read_orders"`, "read_orders,write_orders"},
		{`"write_orders, read_orders  read_orders,,new_scope"`, "new_scope,read_orders,write_orders"},
		{`["write_orders","read_orders","write_orders"]`, "read_orders,write_orders"},
		{`["write_orders, read_content","",null,7,["x"],"read_orders write_orders"]`, "read_content,read_orders,write_orders"},
		{`[]`, ""}, {`""`, ""}, {`null`, ""}, {`{}`, ""}, {`7`, ""},
		{`"read_orders","scope":["read_content"]`, "read_content"}, // the last wins, and nothing of the first remains
		{`["read_orders"],"scope":null`, ""},
	} {
		_, app := answering(200, `{"access_token":"t","user_id":1,"scope":`+tt.scope+`}`)
		in, err := app.Exchange(t.Context(), "the-code")
		if err != nil || in.Scopes.String() != tt.want {
			t.Errorf("%s: got %q, %v; want %q", tt.scope, in.Scopes, err, tt.want)
		}
	}
}

// Some proxies label every answer as text.
func TestExchangeIgnoresTheContentType(t *testing.T) {
	for _, kind := range []string{"", "text/html; charset=utf-8", "application/octet-stream"} {
		p, app := answering(200, "")
		p.answer = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, `{"access_token":"t","user_id":789}`)
		}
		if in, err := app.Exchange(t.Context(), "the-code"); err != nil || in.StoreID != 789 {
			t.Errorf("%q: got %+v, %v; want an installation", kind, in, err)
		}
	}
}

func TestExchangeReadsABoundedAnswer(t *testing.T) {
	for _, status := range []int{200, 500} {
		body := &endless{}
		app := oauth.App{ID: appID, Secret: appSecret, AuthURL: "https://auth.example"}
		app.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: status, Body: io.NopCloser(body)}, nil
		})
		if _, err := app.Exchange(t.Context(), "the-code"); !errors.Is(err, oauth.ErrOutcomeUnknown) {
			t.Errorf("%d: got %v, want ErrOutcomeUnknown", status, err)
		}
		if body.read > 65<<10 {
			t.Errorf("%d: read %d bytes, want about 64 KiB", status, body.read)
		}
	}
}

type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	if e.read > 1<<20 {
		return 0, io.EOF
	}
	e.read += len(p)
	return copy(p, strings.Repeat(" ", len(p))), nil
}

// Whatever happens to the request after the connection stands, there is one.
func TestExchangeSendsOnce(t *testing.T) {
	const ok = `{"access_token":"t","user_id":1}`
	hijack := func(w http.ResponseWriter, raw string) {
		conn, buf, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = buf.WriteString(raw)
		_ = buf.Flush()
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // close with RST
		}
		_ = conn.Close()
	}
	for _, tt := range []struct {
		name   string
		answer func(w http.ResponseWriter, r *http.Request, hangUp func())
		want   error
	}{
		{"500", func(w http.ResponseWriter, _ *http.Request, _ func()) { w.WriteHeader(500) }, oauth.ErrOutcomeUnknown},
		{"503 with Retry-After", func(w http.ResponseWriter, _ *http.Request, _ func()) {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(503)
		}, oauth.ErrOutcomeUnknown},
		{"reset", func(w http.ResponseWriter, _ *http.Request, _ func()) { hijack(w, "") }, oauth.ErrOutcomeUnknown},
		{"no HTTP", func(w http.ResponseWriter, _ *http.Request, _ func()) { hijack(w, "hello "+appSecret+"\r\n\r\n") }, oauth.ErrOutcomeUnknown},
		{"cut short", func(w http.ResponseWriter, _ *http.Request, _ func()) {
			hijack(w, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"+ok)
		}, oauth.ErrOutcomeUnknown},
		{"another protocol, then silence", func(w http.ResponseWriter, _ *http.Request, _ func()) { // this once hung for ever
			conn, buf, err := http.NewResponseController(w).Hijack()
			if err != nil {
				panic(err)
			}
			_, _ = buf.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n")
			_ = buf.Flush()
			_, _ = io.Copy(io.Discard, conn)
			_ = conn.Close()
		}, oauth.ErrOutcomeUnknown},
		{"cancelled", func(_ http.ResponseWriter, r *http.Request, hangUp func()) {
			hangUp()
			<-r.Context().Done()
		}, context.Canceled},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p := newPlatform()
			p.answer = func(w http.ResponseWriter, r *http.Request) { tt.answer(w, r, cancel) }
			srv := httptest.NewServer(p.mux)
			defer srv.Close()
			_, err := oauth.App{ID: appID, Secret: appSecret, AuthURL: srv.URL, UserAgent: "Test (dev@my.app)"}.Exchange(ctx, "the-code")
			if !errors.Is(err, oauth.ErrOutcomeUnknown) || !errors.Is(err, tt.want) || errors.Is(err, oauth.ErrNotSent) {
				t.Errorf("got %v, want ErrOutcomeUnknown and %v", err, tt.want)
			}
			if strings.Contains(fmt.Sprint(err), appSecret) || strings.Contains(fmt.Sprint(err), srv.URL) {
				t.Errorf("%v: names the secret or the address", err)
			}
			if got := p.exchanges(); got != 1 {
				t.Errorf("got %d token requests, want 1", got)
			}
			p.check(t)
		})
	}
}

func TestExchangeTimesOut(t *testing.T) {
	for _, tt := range []struct{ set, want time.Duration }{{0, 15 * time.Second}, {3 * time.Second, 3 * time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			var sent int
			app := oauth.App{ID: appID, Secret: appSecret, AuthURL: "https://auth.example", Timeout: tt.set}
			app.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
				sent++
				<-r.Context().Done()
				return nil, r.Context().Err()
			})
			began := time.Now()
			_, err := app.Exchange(t.Context(), "the-code")
			if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, oauth.ErrOutcomeUnknown) {
				t.Errorf("got %v, want ErrOutcomeUnknown and DeadlineExceeded", err)
			}
			if took := time.Since(began); took != tt.want || sent != 1 {
				t.Errorf("got %v and %d requests, want %v and 1", took, sent, tt.want)
			}
		})
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestExchangeFollowsNoRedirect(t *testing.T) {
	var other atomic.Int64
	evil := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { other.Add(1) }))
	defer evil.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{evil.URL, "/apps/authorize/token", "//" + strings.TrimPrefix(evil.URL, "http://")} {
			p := newPlatform()
			p.answer = func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", to)
				w.WriteHeader(status)
			}
			srv := httptest.NewServer(p.mux)
			_, err := oauth.App{ID: appID, Secret: appSecret, AuthURL: srv.URL}.Exchange(t.Context(), "the-code")
			srv.Close()
			var refused *oauth.Error
			if !errors.As(err, &refused) || refused.Status != status || p.exchanges() != 1 {
				t.Errorf("%d to %s: got %v after %d requests, want an Error after one", status, to, err, p.exchanges())
			}
		}
	}
	if got := other.Load(); got != 0 {
		t.Errorf("the other host got %d requests, want none", got)
	}
}

func TestExchangeNotSent(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	good := oauth.App{ID: appID, Secret: appSecret, AuthURL: closed.URL}
	tls := httptest.NewUnstartedServer(http.NotFoundHandler())
	tls.Config.ErrorLog = log.New(io.Discard, "", 0)
	tls.StartTLS()
	defer tls.Close()
	for _, tt := range []struct {
		name string
		ctx  context.Context
		app  oauth.App
		code string
		want string
	}{
		{"refused", t.Context(), good, "the-code", "connection refused"},
		{"unknown certificate", t.Context(), oauth.App{ID: appID, Secret: appSecret, AuthURL: tls.URL}, "the-code", "certificate"},
		{"ended context", ended, good, "the-code", "context canceled"},
		{"no code", t.Context(), good, "", "code of 0 bytes"},
		{"long code", t.Context(), good, strings.Repeat("a", 1025), "code of 1025 bytes"},
		{"no app", t.Context(), oauth.App{}, "the-code", "App.ID"},
	} {
		_, err := tt.app.Exchange(tt.ctx, tt.code)
		if !errors.Is(err, oauth.ErrNotSent) || errors.Is(err, oauth.ErrOutcomeUnknown) || !strings.Contains(fmt.Sprint(err), tt.want) {
			t.Errorf("%s: got %v, want ErrNotSent and %q", tt.name, err, tt.want)
		}
	}
}
