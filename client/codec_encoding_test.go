package client_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// typed answers everything with one body under the given headers.
func typed(t *testing.T, status int, body string, headers ...string) *client.Client {
	t.Helper()
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 1, Token: client.StaticToken("t"), UserAgent: "Test (test@app.example)", Retry: client.Retry{Attempts: 1},
		HTTPClient: &http.Client{Transport: hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			resp := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r}
			for i := 0; i < len(headers); i += 2 {
				resp.Header.Set(headers[i], headers[i+1])
			}
			return resp, nil
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const mark = "\uFEFF"

// TestTypesAndMarksOfGoodAnswers: what is JSON in UTF-8 is read, whatever stands before it and in its headers.
func TestTypesAndMarksOfGoodAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		before  string
		headers []string
	}{
		"a byte order mark":              {mark, []string{"Content-Type", "application/json"}},
		"two byte order marks":           {mark + mark, []string{"Content-Type", "application/json; charset=utf-8"}},
		"a byte order mark and a line":   {mark + "\r\n", nil},
		"HTML":                           {"", []string{"Content-Type", "text/html; charset=UTF-8"}},
		"plain text":                     {"", []string{"Content-Type", "text/plain"}},
		"plain text and a mark":          {mark, []string{"Content-Type", "text/plain"}},
		"no type":                        {"", nil},
		"an old type":                    {"", []string{"Content-Type", "text/json"}},
		"a script":                       {"", []string{"Content-Type", "application/javascript; charset=utf8"}},
		"bytes":                          {"", []string{"Content-Type", "application/octet-stream"}},
		"a type that is none":            {"", []string{"Content-Type", "json; ; ="}},
		"a charset without a name":       {"", []string{"Content-Type", "application/json; charset"}},
		"capitals":                       {"", []string{"Content-Type", "Application/JSON;Charset=\"UTF-8\""}},
		"problem":                        {"", []string{"Content-Type", "application/problem+json"}},
		"another charset, but UTF-8":     {"", []string{"Content-Type", "application/json; charset=iso-8859-1"}},
		"ASCII":                          {"", []string{"Content-Type", "application/json; charset=us-ascii"}},
		"an encoding that is undone":     {"", []string{"Content-Type", "application/json", "Content-Encoding", "gzip"}},
		"an encoding that is undone, br": {mark, []string{"Content-Type", "text/html", "Content-Encoding", "br"}},
		"no encoding":                    {"", []string{"Content-Encoding", "identity"}},
	} {
		c := typed(t, 200, test.before+`{"id":7,"name":{"es":"Ñandú"}}`, test.headers...)
		if p, err := v202503.Products(c).Get(t.Context(), 7); err != nil || p.ID != 7 || p.Name["es"] != "Ñandú" {
			t.Errorf("%s: a record: got %+v, %v", name, p, err)
		}
		if p, err := v202503.Products(c).Create(t.Context(), client.ProductInput{Name: client.Plain("Mug")}); err != nil || p.ID != 7 {
			t.Errorf("%s: a create: got %+v, %v", name, p, err)
		}
		c = typed(t, 200, test.before+`[{"id":7,"name":{"es":"Ñandú"}}]`, test.headers...)
		if page, err := v202503.Products(c).List(client.ProductFilter{}).Page(t.Context()); err != nil || len(page.Items) != 1 || page.Items[0].Name["es"] != "Ñandú" {
			t.Errorf("%s: a list: got %+v, %v", name, page, err)
		}
		c = typed(t, 422, test.before+`{"code":422,"message":"Unprocessable Entity","name":["está vacío"]}`, test.headers...)
		_, err := v202503.Products(c).Get(t.Context(), 7)
		e, ok := errors.AsType[*client.Error](err)
		var name2 []string
		if !ok || e.Code != "422" || len(e.Fields["name"]) != 1 || e.Fields["name"][0] != "está vacío" || !e.Extra("name", &name2) {
			t.Errorf("%s: an error: got %+v", name, err)
		}
	}
	c := typed(t, 204, "", "Content-Type", "text/html")
	if page, err := v202503.Products(c).List(client.ProductFilter{}).Page(t.Context()); err != nil || len(page.Items) != 0 {
		t.Errorf("a list without content: got %+v, %v", page, err)
	}
}

func packed(t *testing.T, w io.WriteCloser, into *bytes.Buffer, text string) string {
	t.Helper()
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return into.String()
}

func gzipped(t *testing.T, text string) string {
	var b bytes.Buffer
	return packed(t, gzip.NewWriter(&b), &b, text)
}

func inUTF16(text string, low, high int) string {
	b := []byte{0, 0}
	b[low], b[high] = 0xff, 0xfe
	for _, u := range utf16.Encode([]rune(text)) {
		var two [2]byte
		two[low], two[high] = byte(u), byte(u>>8)
		b = append(b, two[:]...)
	}
	return string(b)
}

// TestWhatAnErrorSaysOfOtherEncodings: the error names what the body is, and shows none of its bytes. Good answers and
// refusals are alike, but for text, of which a piece helps.
func TestWhatAnErrorSaysOfOtherEncodings(t *testing.T) {
	const text = `{"id":7,"name":{"es":"Ñandú canary"}}`
	var deflated, zipped bytes.Buffer
	raw, err := flate.NewWriter(&deflated, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	gz := gzipped(t, text)
	little, big := inUTF16(text, 0, 1), inUTF16(text, 1, 0)
	const unknown = " (the write may have been applied: read before repeating it)"
	const undo = " and was not decompressed: the transport of Config.HTTPClient must decompress the encodings that it requests, or leave Accept-Encoding and DisableCompression unset"
	for _, test := range []struct {
		name, body string
		headers    []string
		good, bad  string // what an error says of an answer of 200, and of 400
	}{
		{"gzip", gz, []string{"Content-Encoding", "gzip", "Content-Type", "application/json"}, "the body is compressed with gzip" + undo, ""},
		{"gzip without a header", gz, []string{"Content-Type", "application/json"}, "the body is compressed with gzip" + undo, ""},
		{"gzip in another type", gz, []string{"Content-Type", "application/octet-stream"}, "the body is compressed with gzip" + undo, ""},
		{"half of gzip", gz[:20], []string{"Content-Encoding", "GZIP"}, "the body is compressed with gzip" + undo, ""},
		{"deflate", packed(t, raw, &deflated, text), []string{"Content-Encoding", "deflate"}, "the body is compressed with deflate" + undo, ""},
		{"zlib", packed(t, zlib.NewWriter(&zipped), &zipped, text), []string{"Content-Encoding", "deflate", "Content-Type", "text/html"}, "the body is compressed with deflate" + undo, ""},
		{"br", "\x8b\x0f\x80{\"id\":7,\"x\":1}\x03\xf0\xff\xff", []string{"Content-Encoding", "br", "Content-Type", "application/json"}, "the body is compressed with br" + undo, ""},
		{"zstd", "\x28\xb5\x2f\xfd\x04\x58canary", nil, "the body is compressed with zstd" + undo, ""},
		{"gzip twice", gzipped(t, gz), []string{"Content-Encoding", "gzip, gzip"}, "the body is compressed with gzip" + undo, ""},
		{"UTF-16", little, []string{"Content-Type", "application/json"}, "the body is UTF-16 according to its byte order mark: must be UTF-8", ""},
		{"UTF-16, big end first", big, []string{"Content-Type", "text/html"}, "the body is UTF-16 according to its byte order mark: must be UTF-8", ""},
		{"UTF-16 without a mark", little[2:], nil, "the body looks like UTF-16: must be UTF-8", ""},
		{"UTF-32", "\xff\xfe\x00\x00{\x00\x00\x00", nil, "the body is UTF-32 according to its byte order mark: must be UTF-8", ""},
		{"Latin-1", "{\"id\":7,\"name\":{\"es\":\"\xd1and\xfa\"}}", []string{"Content-Type", "application/json; charset=ISO-8859-1"}, `the body is in charset "ISO-8859-1": must be UTF-8`, "400 Bad Request: name.es: and"},
		{"Latin-1 in HTML", "<p>\xd1and\xfa</p>", []string{"Content-Type", "text/html; charset=latin1"}, `the body is in charset "latin1": must be UTF-8`, "<p>and</p>"},
		{"HTML", "<html>\n<p>Sign in</p>", []string{"Content-Type", "text/html"}, `content type "text/html": must be application/json: <html> <p>Sign in</p>`, "<html> <p>Sign in</p>"},
		{"HTML as JSON", "<html>Sign in", []string{"Content-Type", "application/json"}, `content type "application/json": must be application/json: <html>Sign in`, "<html>Sign in"},
		{"HTML without a type", "<html>Sign in", nil, `content type "": must be application/json: <html>Sign in`, "<html>Sign in"},
		{"text", "canary?", []string{"Content-Type", "text/plain"}, `content type "text/plain": must be application/json: canary?`, "canary?"},
		{"a picture", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01", []string{"Content-Type", "image/png"}, `content type "image/png": must be application/json: 19 bytes that are not text`, "19 bytes that are not text"},
		{"nothing", "", []string{"Content-Type", "application/json"}, "the body is empty: must be JSON", ""},
	} {
		c := typed(t, 200, test.body, test.headers...)
		want := "200: decode answer: " + test.good
		_, get := v202503.Products(c).Get(t.Context(), 7)
		_, list := v202503.Products(c).List(client.ProductFilter{}).Page(t.Context())
		_, create := v202503.Products(c).Create(t.Context(), client.ProductInput{Name: client.Plain("Mug")})
		for call, err := range map[string]error{"GET /products/{id}: ": get, "GET /products: ": list, "POST /products: ": create} {
			d, ok := errors.AsType[*client.DecodeError](err)
			wrote := strings.HasPrefix(call, "POST")
			if wrote {
				err = errors.New(strings.TrimSuffix(err.Error(), unknown))
			}
			if !ok || err.Error() != call+want || string(d.Raw) != test.body || errors.Is(create, client.ErrOutcomeUnknown) != true {
				t.Errorf("%s: got %v, want %s", test.name, err, call+want)
			}
		}
		if test.bad == "" && test.body != "" {
			test.bad = "400 Bad Request: not in a form of the platform, so a proxy or gateway may have answered: " + test.good
		}
		_, err := v202503.Products(typed(t, 400, test.body, test.headers...)).Create(t.Context(), client.ProductInput{Name: client.Plain("n")})
		e, ok := errors.AsType[*client.Error](err)
		if !ok || !strings.HasSuffix(strings.TrimSuffix(err.Error(), unknown), test.bad) || string(e.Body) != test.body {
			t.Errorf("%s: an error: got %v, want %s", test.name, err, test.bad)
		}
	}
}

// TestEncodingsOfAnswersWithSecrets: what is said of an encoding holds no part of the body, so it is said there too.
func TestEncodingsOfAnswersWithSecrets(t *testing.T) {
	gz := gzipped(t, `{"id":7}`)
	for status, want := range map[int]string{200: "compressed with gzip", 400: "compressed with gzip"} {
		c := typed(t, status, gz)
		_, err := v202503.PaymentProviders(c).Get(t.Context(), [16]byte{1})
		e, ok := errors.AsType[*client.Error](err)
		if d, _ := errors.AsType[*client.DecodeError](err); !ok || !strings.Contains(err.Error(), want) || e.Body != nil || d != nil && d.Raw != nil {
			t.Errorf("%d: got %v, want %s and no body", status, err, want)
		}
	}
}

// TestGzipBehindTheTransport: the transport of net/http decompresses what it asked for, and no more where the caller's
// asks itself.
func TestGzipBehindTheTransport(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, gzipped(t, mark+`{"id":7}`))
	}))
	defer server.Close()
	for _, asks := range []bool{false, true} {
		transport := server.Client().Transport.(*http.Transport).Clone()
		transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
		}
		transport.TLSClientConfig.ServerName = "example.com"
		c, err := client.New(client.Config{
			BaseURL: "https://api.example.com", StoreID: 1, Token: client.StaticToken("t"), UserAgent: "Test (test@app.example)",
			HTTPClient: &http.Client{Transport: hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
				if asks {
					r = r.Clone(r.Context())
					r.Header.Set("Accept-Encoding", "gzip")
				}
				return transport.RoundTrip(r)
			})},
		})
		if err != nil {
			t.Fatal(err)
		}
		p, err := v202503.Products(c).Get(t.Context(), 7)
		if asks != (err != nil && strings.Contains(err.Error(), "compressed with gzip")) || !asks && (err != nil || p.ID != 7) {
			t.Errorf("a transport that asks for gzip itself (%v): got %+v, %v", asks, p, err)
		}
		transport.CloseIdleConnections()
	}
}
