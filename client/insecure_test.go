package client

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

func TestPlainHTTPIsForLoopbackHostsOrAsked(t *testing.T) {
	good := Config{StoreID: 1, Token: StaticToken("t"), UserAgent: "A (a@b.c)"}
	for _, good.BaseURL = range []string{
		"http://127.0.0.1:8080", "http://127.8.9.10/api", "http://[::1]:8080", "http://[::ffff:127.0.0.1]", "HTTP://LocalHost:8080",
		"http://localhost.:8080", "http://platform.localhost", "http://a.b.LOCALHOST./",
	} {
		if _, err := New(good); err != nil {
			t.Errorf("got %v, want a client", err)
		}
	}
	for _, base := range []string{
		"http://platform:8080", "http://api.example.com", "http://10.0.0.7", "http://0.0.0.0:8080", "http://[::]", "http://[fe80::1%25lo]", "http://126.0.0.1",
		"http://localhost.example.com", "http://notlocalhost", "http://127.0.0.1.example.com", "http://127.1", "http://2130706433", "http://[::ffff:10.0.0.1]",
	} {
		good.BaseURL, good.InsecureHTTP = base, false
		if _, err := New(good); err == nil || !strings.Contains(err.Error(), "BaseURL \""+base) || !strings.Contains(err.Error(), "must be https") || !strings.HasSuffix(err.Error(), "Config.InsecureHTTP") {
			t.Errorf("%s: got %v, want an error that names the field which allows it", base, err)
		}
		good.InsecureHTTP = true
		if _, err := New(good); err != nil {
			t.Errorf("with InsecureHTTP: got %v, want a client", err)
		}
	}
	for _, good.BaseURL = range []string{"ftp://platform:8080", "//platform:8080", "platform:8080", "http://", "http://me:secret@platform"} {
		if _, err := New(good); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s with InsecureHTTP: got %v, want an error", good.BaseURL, err)
		}
	}
}

func TestStoresPassInsecureHTTPOn(t *testing.T) {
	var asked string
	s := &Stores{
		Config: Config{
			BaseURL: "http://platform:8080", UserAgent: "A (a@b.c)", InsecureHTTP: true,
			HTTPClient: &http.Client{Transport: hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
				asked = r.URL.String()
				return hostile.Status(200, `{}`)(r)
			})},
		},
		Tokens: func(context.Context, ID) (oauth2.TokenSource, error) { return StaticToken("t"), nil },
	}
	c, err := s.Client(t.Context(), 7)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil || asked != "http://platform:8080/2025-03/7/store" {
		t.Errorf("asked %s, %v", asked, err)
	}
}

// RFC 6761 reserves the names below localhost for this machine. A resolver may not know that, and ask the network.
func TestNamesBelowLocalhostAreDialedHere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "localhost", "localhost.", "platform.localhost", "a.b.LocalHost."} {
		c, err := NewTransport().DialContext(t.Context(), "tcp", net.JoinHostPort(host, port))
		if err != nil {
			t.Errorf("%s: %v", host, err)
			continue
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}
