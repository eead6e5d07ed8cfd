package client

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/internal/condition"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// newTest returns a client over transport.
func newTest(t *testing.T, transport http.RoundTripper, change ...func(*Config)) *Client {
	t.Helper()
	config := Config{
		BaseURL: "https://api.example.com", StoreID: 123, Token: StaticToken("cnry_7f3a"),
		UserAgent: "Test (t@example.com)", HTTPClient: &http.Client{Transport: transport},
	}
	for _, f := range change {
		f(&config)
	}
	c, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// atVersion returns the services of a client at a version.
func atVersion(c *Client, v Version) *engine.Service { return engine.At(c.core(), string(v)) }

func appAt(a *App, v Version) *engine.Service { return engine.At(a.core(), string(v)) }

// as returns a service as another type.
func as[S engine.AnyService](s *engine.Service) *S {
	as := S(*s)
	return &as
}

func TestConfigNamesFieldValueAndRule(t *testing.T) {
	good := Config{BaseURL: "https://api.example.com", StoreID: 1, Token: StaticToken("t"), UserAgent: "A (a@b.c)"}
	for want, change := range map[string]func(*Config){
		"BaseURL is empty":            func(c *Config) { c.BaseURL = "" },
		"must be https":               func(c *Config) { c.BaseURL = "http://api.example.com" },
		"scheme, host and path only":  func(c *Config) { c.BaseURL = "https://u:p@api.example.com" },
		`"https://:443": must`:        func(c *Config) { c.BaseURL = "https://:443" }, // it was accepted
		"is not a URL":                func(c *Config) { c.BaseURL = "https://u:cnry_7f3a%zz@api.example.com" },
		`"https://api.example.com": `: func(c *Config) { c.BaseURL = "https://api.example.com?key=cnry_7f3a" },
		"StoreID 0":                   func(c *Config) { c.StoreID = 0 },
		"Token is nil":                func(c *Config) { c.Token = nil },
		"a contact in parentheses":    func(c *Config) { c.UserAgent = "App" },
	} {
		config := good
		change(&config)
		if _, err := New(config); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "cnry") {
			t.Errorf("got %v, want an error with %q and no secret", err, want)
		}
	}
	for _, good.BaseURL = range []string{"http://127.0.0.1:8080/api/", "https://api.example.com/v1/platform", "https://api.example.com/7"} {
		if _, err := New(good); err != nil {
			t.Errorf("got %v, want a client", err)
		}
	}
	// Every call of these was answered 404, as if no record were there.
	for _, good.BaseURL = range []string{"https://api.example.com/v1", "https://api.example.com/2025-03/", "https://api.example.com/api/unstable", "https://api.example.com/v1/123", "https://api.example.com/2025-03/123/"} {
		if _, err := New(good); err == nil || !strings.HasSuffix(err.Error(), ": must be the address without version and store") {
			t.Errorf("%s: got %v, want an error", good.BaseURL, err)
		}
	}
}

func TestRequestCarriesWhatThePlatformWants(t *testing.T) {
	s := hostile.Answers(hostile.Status(200, `{"id":1}`))
	c := newTest(t, s)
	if err := engine.Do(t.Context(), atVersion(c, VersionV1), engine.Request{Method: "PUT", Path: "/products/{id}", Args: []any{ID(7)}, Body: map[string]int{"a": 1}}, nil); err != nil {
		t.Fatal(err)
	}
	r := s.Seen[0]
	for _, c := range [][2]string{
		{r.URL.String(), "https://api.example.com/v1/123/products/7"},
		{r.Header.Get("Authorization"), "Bearer cnry_7f3a"}, {r.Header.Get("Authentication"), ""},
		{r.Header.Get("User-Agent"), "Test (t@example.com)"}, {r.Header.Get("Content-Type"), "application/json; charset=utf-8"},
		{s.Bodies[0], `{"a":1}`},
	} {
		if c[0] != c[1] {
			t.Errorf("got %q, want %q", c[0], c[1])
		}
	}
	c = newTest(t, s, func(c *Config) { c.Auth = AuthStyleAuthentication })
	if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
		t.Fatal(err)
	}
	r = s.Seen[1]
	if r.Header.Get("Authentication") != "bearer cnry_7f3a" || r.Header.Get("Authorization") != "" || r.URL.Path != "/2025-03/123/store" {
		t.Errorf("got %v for %s", r.Header, r.URL)
	}
}

// The platform wants a Content-Type with every POST, PUT and PATCH; those without a body had none.
func TestWritesHaveAContentType(t *testing.T) {
	for method, want := range map[string]string{
		"POST": "application/json; charset=utf-8", "PUT": "application/json; charset=utf-8", "PATCH": "application/json; charset=utf-8", "GET": "", "DELETE": "",
	} {
		s := hostile.Answers(hostile.Status(200, `{"id":1}`))
		if err := newTest(t, s).Do(t.Context(), Request{Method: method, Path: "/things"}, nil); err != nil {
			t.Fatal(err)
		}
		if got := s.Seen[0].Header.Get("Content-Type"); got != want {
			t.Errorf("%s without a body: Content-Type %q, want %q", method, got, want)
		}
	}
}

func TestPathSegmentsAreEscaped(t *testing.T) {
	for value, want := range map[string]string{
		"../../x": "..%2F..%2Fx", "a/b": "a%2Fb", "%2e%2e": "%252e%252e", "a?b#c": "a%3Fb%23c", "ção x": "%C3%A7%C3%A3o%20x",
	} {
		s := hostile.Answers(hostile.Status(200, `{}`))
		if err := newTest(t, s).Do(t.Context(), Request{Path: "/products/sku/{sku}", Args: []any{value}}, nil); err != nil {
			t.Errorf("%q: %v", value, err)
			continue
		}
		if got := s.Seen[0].URL.EscapedPath(); got != "/2025-03/123/products/sku/"+want {
			t.Errorf("%q went to %s, want the segment %s", value, got, want)
		}
	}
	for _, r := range []Request{
		{Path: "/products/sku/{sku}", Args: []any{""}}, {Path: "/products/sku/{sku}", Args: []any{".."}}, {Path: "/products/{id}"},
		{Path: "/products", Args: []any{1}}, {Path: "products"}, {Path: "/products?x=1"}, {Path: "/a//b"}, {Path: "/store", Version: ".."},
	} {
		s := hostile.Answers(hostile.Status(200, `{}`))
		if err := newTest(t, s).Do(t.Context(), r, nil); err == nil || len(s.Seen) > 0 {
			t.Errorf("%+v: error %v, %d requests; want a local refusal", r, err, len(s.Seen))
		}
	}
}

func TestErrorReadsEveryBodyShape(t *testing.T) {
	for body, want := range map[string]Error{
		`{"code":404,"message":"Not Found","description":"Product with such id does not exist"}`: {Code: "404", Message: "Not Found", Description: "Product with such id does not exist"},
		`{"code":422,"message":"Unprocessable Entity","description":"Validation error","coupon_id":["required"],"duplicate_variant_ids":[1]}`: {
			Code: "422", Message: "Unprocessable Entity", Description: "Validation error", Fields: map[string][]string{"coupon_id": {"required"}}},
		`{"code":-1,"message":true,"description":9,"src":[],"size":[1],"note":"x"}`: {Code: "-1", Description: "9"},
		"{\"message\":\"a\\tb\\rc\\u202ed\\u0007e\\ufffdf\"}":                       {Message: "a b cdef"},
		`{"src":["can't be blank"]}`:                                                {Fields: map[string][]string{"src": {"can't be blank"}}},
		// Messages about fields that are named as those of the platform's own texts were dropped once.
		`{"code":["has already been taken"],"description":["is too long"],"error":["a"],"message":["b"],"status":["c"]}`: {
			Fields: map[string][]string{"code": {"has already been taken"}, "description": {"is too long"}, "error": {"a"}, "message": {"b"}, "status": {"c"}}},
		`{"code":422,"message":"Unprocessable Entity","description":["is too long"]}`:   {Code: "422", Message: "Unprocessable Entity", Fields: map[string][]string{"description": {"is too long"}}},
		`{"status":422,"message":null,"error":"no","code":"taken"}`:                     {Code: "taken", Message: "no"}, // whatever the order
		`{"status":422,"error":"denied","error_description":"ask the merchant"}`:        {Code: "422", Message: "ask the merchant"},
		`{"error":"Problems parsing JSON"}`:                                             {Message: "Problems parsing JSON"},
		`{"error":{"status":403,"code":"ForbiddenException","detail":"no"}}`:            {Code: "ForbiddenException", Message: "ForbiddenException", Description: "no"},
		`{"error":{"status":400,"code":"BadRequestException","detail":["a","b"]}}`:      {Code: "BadRequestException", Message: "BadRequestException", Description: "a; b"},
		`{"description":"bad","messages":{"shipping.carrier":["should not be empty"]}}`: {Description: "bad", Fields: map[string][]string{"shipping.carrier": {"should not be empty"}}},
		"<html>\n<b>502\x1b[31m</b>":                                                    {Description: "<html> <b>502[31m</b>"},
		``:                                                                              {}, `null`: {}, `[]`: {Description: "[]"}, `{"code":null}`: {},
	} {
		err := newTest(t, hostile.Answers(hostile.Status(409, body))).Do(t.Context(), Request{Path: "/store"}, nil)
		var got *Error
		if !errors.As(err, &got) {
			t.Fatalf("%s: %v", body, err)
		}
		if got.Status != 409 || got.Code != want.Code || got.Message != want.Message || got.Description != want.Description || fmt.Sprint(got.Fields) != fmt.Sprint(want.Fields) {
			t.Errorf("%s: got %+v, want %+v", body, got, want)
		}
	}
	err := newTest(t, hostile.Answers(hostile.Status(422, `{"duplicate_variant_ids":[5,6]}`))).Do(t.Context(), Request{Path: "/store"}, nil)
	var ids []ID
	if e := new(Error); !errors.As(err, &e) || !e.Extra("duplicate_variant_ids", &ids) || fmt.Sprint(ids) != "[5 6]" || e.Extra("nothing", &ids) || e.Extra("duplicate_variant_ids", new(string)) {
		t.Errorf("Extra gave %v", ids)
	}
}

func TestErrorWithoutMembers(t *testing.T) {
	err := newTest(t, hostile.Answers(hostile.Status(422, `<html>`))).Do(t.Context(), Request{Path: "/store"}, nil)
	if e := new(Error); !errors.As(err, &e) || e.Extra("duplicate_variant_ids", new([]ID)) {
		t.Errorf("got a member of no JSON: %v", err)
	}
}

// An answer with secrets keeps what the platform said as members, and nothing that was cut out of it.
func TestErrorWithSecrets(t *testing.T) {
	for body, want := range map[string]string{`{"message":"no","description":"why"}`: "why", `<html>cnry`: ""} {
		err := newTest(t, hostile.Answers(hostile.Status(422, body))).Do(t.Context(), Request{Path: "/store", Secrets: true}, nil)
		if e := new(Error); !errors.As(err, &e) || e.Description != want || e.Body != nil {
			t.Errorf("%s: got %q and the body %q, want %q and none", body, e.Description, e.Body, want)
		}
	}
}

// What people read of an error.
func TestErrorText(t *testing.T) {
	for want, err := range map[string]error{
		"GET /store: 404 Not Found": &Error{Method: "GET", Route: "/store", Status: 404, Message: "Not Found", Attempts: 1},
		"GET /store: 520":           &Error{Method: "GET", Route: "/store", Status: 520},
		"POST /products: 422 Unprocessable Entity: no; name: too long, taken; price: want": &Error{Method: "POST", Route: "/products", Status: 422,
			Message: "no", Fields: map[string][]string{"price": {"want"}, "name": {"too long", "taken"}}},
		"PUT /x: 200: gone (the write may have been applied: read before repeating it) (3 attempts) (request r1)": &Error{Method: "PUT", Route: "/x", Status: 200,
			cause: errors.New("gone"), unknown: true, Attempts: 3, RequestID: "r1"},
		"GET /store: 429 Too Many Requests (retry after 1.5s) (2 attempts)": &Error{Method: "GET", Route: "/store", Status: 429, RetryAfter: 1500*time.Millisecond + 1, Attempts: 2},
		"GET /store: reset": &Error{Method: "GET", Route: "/store", cause: errors.New("reset")},
		"decode item 0: no": &DecodeError{Index: 0, Err: errors.New("no")},
		"decode answer: no": &DecodeError{Index: -1, Err: errors.New("no")},
	} {
		if err.Error() != want {
			t.Errorf("got  %s\nwant %s", err, want)
		}
	}
	cause := errors.New("no")
	if err := (&DecodeError{Index: 0, Err: cause}); !errors.Is(err, cause) || !errors.Is(err, ErrUnreadableItem) {
		t.Errorf("%v is not what it is of", err)
	}
}

// Some answers have the same text as message and description.
func TestErrorSaysNothingTwice(t *testing.T) {
	err := newTest(t, hostile.Answers(hostile.Status(422, `{"message":"name is too long","description":"name is too long"}`))).Do(t.Context(), Request{Path: "/store"}, nil)
	if err == nil || strings.Count(err.Error(), "name is too long") != 1 {
		t.Errorf("got %v", err)
	}
}

func TestSentinels(t *testing.T) {
	all := map[int]error{400: ErrValidation, 401: ErrUnauthorized, 402: ErrPaymentRequired, 403: ErrForbidden, 404: ErrNotFound, 422: ErrValidation, 429: ErrRateLimited, 501: ErrServer}
	for code, own := range all {
		for want, answer := range map[error]hostile.Answer{own: hostile.Refuses(code), ErrIntermediary: hostile.Status(code, `<html>`)} {
			if code == 501 {
				want = own // a failure, whoever answers
			}
			err := newTest(t, hostile.Answers(answer), func(c *Config) { c.Retry.Attempts, c.MaxWait = 1, 1 }).Do(t.Context(), Request{Path: "/store"}, nil)
			for _, sentinel := range append(slices.Collect(maps.Values(all)), ErrIntermediary) {
				if errors.Is(err, sentinel) != (sentinel == want) {
					t.Errorf("%d: errors.Is(%v) = %v, want %v", code, sentinel, errors.Is(err, sentinel), want)
				}
			}
		}
	}
}

func TestRedirectsAreNeverFollowed(t *testing.T) {
	n := 0
	for _, code := range []int{301, 302, 303, 307, 308} {
		for _, target := range []string{
			"https://evil.test/?token=1", "http://api.example.com/", "https://sub.api.example.com/", "https://api.example.com:8443/", "//evil.test/",
			"https://api.example.com@evil.test/", "https://cnry_7f3a:x@api.example.com/", "https://api.example.com/2025-03/123/products", "/elsewhere", "?again", ":bad", "",
		} {
			for _, method := range []string{"GET", "POST"} {
				n++
				s := hostile.Answers(hostile.Status(code, "", "Location", target))
				err := newTest(t, s).Do(t.Context(), Request{Method: method, Path: "/products", Body: 1}, nil)
				if len(s.Seen) != 1 || !errors.Is(err, condition.ErrRedirect) || strings.Contains(err.Error(), "token=1") || strings.Contains(err.Error(), "cnry") {
					t.Errorf("%s, %d to %s: %d requests, %v; want one and an error that names the host only", method, code, target, len(s.Seen), err)
				}
			}
		}
	}
	t.Logf("%d redirects, one request each", n)
}

func TestAnswersAreBounded(t *testing.T) {
	small := func(c *Config) { c.MaxBody = 64 }
	s := hostile.Answers(hostile.Status(200, `"`+strings.Repeat("x", 100)+`"`))
	if err := newTest(t, s, small).Do(t.Context(), Request{Path: "/store"}, new(string)); !errors.Is(err, engine.ErrTooLarge) || len(s.Seen) != 1 {
		t.Errorf("%d requests, %v; want one and engine.ErrTooLarge", len(s.Seen), err)
	}
	huge := strings.Repeat("x", engine.MaxErrorBody+100)
	var e *Error
	if err := newTest(t, hostile.Answers(hostile.Status(400, huge))).Do(t.Context(), Request{Path: "/store"}, nil); !errors.As(err, &e) || len(e.Body) != engine.MaxErrorBody || len(e.Description) > maxSnippet {
		t.Errorf("an error body of %d bytes was kept as %d, described in %d", len(huge), len(e.Body), len(e.Description))
	}
	for name, answer := range map[string]func(*http.Request) (*http.Response, error){
		"empty": hostile.Status(200, ""), "HTML": hostile.Status(200, "<html>", "Content-Type", "text/html"), "trailing data": hostile.Status(200, `{} {}`),
	} {
		if err := newTest(t, hostile.Answers(answer)).Do(t.Context(), Request{Path: "/store"}, new(Store)); !errors.As(err, new(*DecodeError)) || errors.Is(err, ErrUnreadableItem) {
			t.Errorf("%s: got %v, want a *DecodeError that is not of an item", name, err)
		}
	}
	if err := newTest(t, hostile.Answers(hostile.Status(204, ""))).Do(t.Context(), Request{Path: "/store"}, new(Store)); err != nil {
		t.Errorf("204: %v", err)
	}
}

// The bound holds for what comes out of the decompression, not for what was sent.
func TestCompressedAnswersAreBounded(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		zeros := make([]byte, 1<<20)
		for range 256 {
			if _, err := z.Write(zeros); err != nil {
				return // the client has had enough
			}
		}
		_ = z.Close()
	}))
	defer server.Close()
	c, err := New(Config{BaseURL: server.URL, StoreID: 1, Token: StaticToken("t"), UserAgent: "Test (t@example.com)", MaxBody: 2 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer c.CloseIdleConnections()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = c.Do(t.Context(), Request{Path: "/store"}, new(string))
	runtime.ReadMemStats(&after)
	if !errors.Is(err, engine.ErrTooLarge) {
		t.Errorf("got %v, want engine.ErrTooLarge", err)
	}
	if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 32 {
		t.Errorf("reading it allocated %d MiB", mib)
	}
}

func TestUnreadableAnswerToAWriteIsAnUnknownOutcome(t *testing.T) {
	err := newTest(t, hostile.Answers(hostile.Status(201, `{"id":"x"}`))).Do(t.Context(), Request{Method: "POST", Path: "/products", Body: 1}, new(Product))
	if !errors.Is(err, ErrOutcomeUnknown) || !errors.As(err, new(*DecodeError)) {
		t.Errorf("got %v", err)
	}
}

func TestNothingSecretInErrors(t *testing.T) {
	reset := errors.New("read: connection reset by peer")
	for _, answer := range []func(*http.Request) (*http.Response, error){hostile.Refuses(401), hostile.Status(500, `<html>`), hostile.Fails(reset), hostile.Truncated(200)} {
		synctest.Test(t, func(t *testing.T) {
			var log strings.Builder
			c := newTest(t, hostile.Answers(answer), func(c *Config) {
				c.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			})
			err := c.Do(t.Context(), Request{Path: "/customers", Query: map[string][]string{"q": {"cnry_7f3a"}}}, nil)
			post := c.Do(t.Context(), Request{Method: "POST", Path: "/customers", Body: map[string]string{"email": "cnry_7f3a"}}, nil)
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
				for _, v := range []any{err, post, c, atVersion(c, VersionV1)} {
					if got := fmt.Sprintf(verb, v); strings.Contains(got, "cnry_7f3a") {
						t.Errorf("%s prints a secret: %s", verb, got)
					}
				}
			}
			if log.Len() == 0 || strings.Contains(log.String(), "cnry_7f3a") {
				t.Errorf("logged %q, want the attempts without secrets", log.String())
			}
		})
	}
}

func TestNewerTokenIsPickedUpOnce(t *testing.T) {
	tokens := []string{"old", "new"}
	asked := 0
	source := tokenFunc(func() (*oauth2.Token, error) {
		defer func() { asked++ }()
		return &oauth2.Token{AccessToken: tokens[min(asked, 1)]}, nil
	})
	for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} { // a 401 means that nothing was done
		for _, attempts := range []int{1, 3} { // and is no attempt
			asked = 0
			s := hostile.Answers(hostile.Refuses(401), hostile.Status(200, `{}`))
			err := newTest(t, s, func(c *Config) { c.Token, c.Retry.Attempts = source, attempts }).Do(t.Context(), Request{Method: method, Path: "/products", Body: 1}, nil)
			if len(s.Seen) != 2 || err != nil || s.Seen[1].Header.Get("Authorization") != "Bearer new" || s.Bodies[1] != "1" || asked != 2 {
				t.Errorf("%s of %d attempts: %d requests, %v, asked for %d tokens; want 2, success, and 2", method, attempts, len(s.Seen), err, asked)
			}
		}
	}
	s := hostile.Answers(hostile.Refuses(401))
	if err := newTest(t, s).Do(t.Context(), Request{Path: "/store"}, nil); len(s.Seen) != 1 || !errors.Is(err, ErrUnauthorized) {
		t.Errorf("same token: %d requests, %v; want one", len(s.Seen), err)
	}
}

// A source that gave neither token nor error made the call panic, and one that had none any more hid the 401.
func TestNoTokenIsAnError(t *testing.T) {
	for _, test := range []struct {
		name   string
		tokens []*oauth2.Token
		want   string
	}{
		{"nil", []*oauth2.Token{nil}, "GET /store: access token: Config.Token returned an empty one"},
		{"empty", []*oauth2.Token{{}}, "GET /store: access token: Config.Token returned an empty one"},
		{"then nil", []*oauth2.Token{{AccessToken: "a"}, nil}, "GET /store: 401 Unauthorized"},
		{"then empty", []*oauth2.Token{{AccessToken: "a"}, {}}, "GET /store: 401 Unauthorized"},
	} {
		asked := 0
		source := tokenFunc(func() (*oauth2.Token, error) {
			defer func() { asked++ }()
			return test.tokens[min(asked, len(test.tokens)-1)], nil
		})
		err := newTest(t, hostile.Answers(hostile.Refuses(401)), func(c *Config) { c.Token = source }).Do(t.Context(), Request{Path: "/store"}, nil)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
}

// A token from a file that ends in a line break was sent three times in vain, and the error said that it would pass.
func TestTokenThatNoHeaderTakes(t *testing.T) {
	for _, token := range []Secret{"canary\n", " canary", "can ary", "canary\x00", "canar\u00fd"} {
		s := hostile.Answers(hostile.Status(200, `{}`))
		err := newTest(t, s, func(c *Config) { c.Token = StaticToken(token) }).Do(t.Context(), Request{Path: "/store"}, nil)
		const want = "GET /store: access token: Config.Token returned one with a space, a line break or another character that no token has"
		if err == nil || err.Error() != want || errors.Is(err, ErrNoAnswer) || len(s.Seen) != 0 {
			t.Errorf("%q: got %v after %d requests, want %s", string(token), err, len(s.Seen), want)
		}
	}
}

// Null where a record is due gave a record of zeros and no error: a product without price and stock, a create with the
// id 0.
func TestNullIsNoRecord(t *testing.T) {
	drift := func(c *Config) { c.OnDrift = func(context.Context, Drift) {} } // decodes in another way
	for name, change := range map[string]func(*Config){"plain": func(*Config) {}, "with drift": drift} {
		v := atVersion(newTest(t, hostile.Answers(hostile.Status(200, "null\n")), change), Version202503)
		const want = "GET /products/{id}: 200: decode answer: must be a JSON object, got null"
		if p, err := (*ProductService)(v).Get(t.Context(), 1); p != nil || err == nil || err.Error() != want {
			t.Errorf("%s: got %+v, %v, want %s", name, p, err, want)
		}
		if p, err := (*ProductService)(v).Create(t.Context(), ProductInput{Name: Plain("Mug")}); p != nil || !errors.Is(err, ErrOutcomeUnknown) {
			t.Errorf("%s: got %+v, %v, want ErrOutcomeUnknown", name, p, err)
		}
		var raw json.RawMessage
		var object Object
		var page *Page[Product]
		for _, out := range []any{&raw, &object, &page} {
			if err := engine.Do(t.Context(), v, engine.Request{Path: "/store"}, out); err != nil {
				t.Errorf("%s: %T: got %v, want nothing", name, out, err)
			}
		}
	}
}

func TestStoresShareTransportAndKeepClients(t *testing.T) {
	made := 0
	s := &Stores{
		Config: Config{BaseURL: "https://api.example.com", UserAgent: "Test (t@example.com)"},
		Tokens: func(_ context.Context, store ID) (oauth2.TokenSource, error) {
			if made++; store == 13 {
				return nil, errors.New("not installed")
			}
			return StaticToken("t"), nil
		},
		Max: 2,
	}
	get := func(store ID) *Client {
		c, err := s.Client(t.Context(), store)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	one, two := get(1), get(2)
	if get(1) != one || one.core().Config().Transport != two.core().Config().Transport || one.core() == two.core() || made != 2 {
		t.Errorf("clients are not kept, or do not share the transport (%d made)", made)
	}
	get(3) // lets go of 2, the least recently used
	if get(1) != one || get(2) == two {
		t.Error("want the client that was not used for longest to go first")
	}
	if _, err := s.Client(t.Context(), 13); err == nil || s.tenants.Len() > 2 {
		t.Errorf("got %v with %d clients kept", err, s.tenants.Len())
	}
	s.Forget(1)
	if get(1) == one {
		t.Error("Forget kept the client")
	}
	synctest.Test(t, func(t *testing.T) {
		idle := &Stores{Config: s.Config, Tokens: s.Tokens, Idle: time.Minute}
		first, _ := idle.Client(t.Context(), 1)
		time.Sleep(2 * time.Minute)
		_, _ = idle.Client(t.Context(), 2)
		if again, _ := idle.Client(t.Context(), 1); again == first {
			t.Error("an idle client was kept")
		}
	})
}

// A caller once waited for the client that another was making whatever its deadline was, and
// after a failure those who waited made clients of their own.
func TestStoresMakeOneClientOfAStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away, calls := errors.New("database away"), 0
		s := &Stores{
			Config: Config{BaseURL: "https://api.example.com", UserAgent: "Test (t@example.com)"},
			Tokens: func(context.Context, ID) (oauth2.TokenSource, error) {
				calls++
				if time.Sleep(time.Second); calls == 1 {
					return nil, away
				}
				return StaticToken("t"), nil
			},
		}
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := s.Client(t.Context(), 1); !errors.Is(err, away) {
				t.Errorf("the first: %v, want the error of Tokens", err)
			}
		})
		synctest.Wait() // it asks for the token
		var waited [3]*Client
		for i := range waited {
			all.Go(func() { waited[i], _ = s.Client(t.Context(), 1) })
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		start := time.Now()
		if _, err := s.Client(ctx, 1); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 50*time.Millisecond {
			t.Errorf("got %v after %v, want the deadline", err, time.Since(start))
		}
		all.Wait()
		kept, err := s.Client(ctx, 1) // one that is there costs no wait
		for _, c := range waited {
			if err != nil || c == nil || c != kept {
				t.Errorf("waited for %p; the one that is kept is %p (%v)", c, kept, err)
			}
		}
		if calls != 2 {
			t.Errorf("asked for %d tokens, want 2", calls)
		}
	})
}
