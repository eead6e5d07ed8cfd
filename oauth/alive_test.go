package oauth_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/oauth"
)

// answers is a platform that gives one answer, and counts the requests.
func answers(status int, body string, count *int) roundTrip {
	return func(r *http.Request) (*http.Response, error) {
		*count++
		return &http.Response{
			StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Request: r, ContentLength: int64(len(body)),
			Body: io.NopCloser(strings.NewReader(body)),
		}, nil
	}
}

// Only what the platform itself says counts: a token is not dead because a proxy refuses.
func TestAliveBy(t *testing.T) {
	const words = `{"code":%d,"message":"No","description":"said the platform"}`
	for _, test := range []struct {
		status      int
		body        string
		alive, fail bool
	}{
		{200, `{"id":817495}`, true, false},
		{401, fmt.Sprintf(words, 401), false, false},
		{402, fmt.Sprintf(words, 402), true, false},
		{403, fmt.Sprintf(words, 403), true, false},
		{401, "<html>gateway</html>", false, true},
		{403, "", false, true},
		{404, fmt.Sprintf(words, 404), false, true},
		{500, fmt.Sprintf(words, 500), false, true},
	} {
		count := 0
		alive := oauth.AliveBy(client.Config{
			BaseURL: "https://api.example", UserAgent: "Tests (tests@app.example)", Retry: client.Retry{Attempts: 1},
			HTTPClient: &http.Client{Transport: answers(test.status, test.body, &count)},
		})
		got, err := alive(t.Context(), oauth.Install{StoreID: storeA, Token: "secret-token"})
		if got != test.alive || (err != nil) != test.fail || err != nil && strings.Contains(err.Error(), "secret-token") {
			t.Errorf("%d %q: %v, %v; want %v and an error: %v", test.status, test.body, got, err, test.alive, test.fail)
		}
		if want := 1 + map[bool]int{true: 1}[test.status == 401 && !test.fail]; count != want {
			t.Errorf("%d %q: %d requests, want %d", test.status, test.body, count, want)
		}
	}
	if _, err := oauth.AliveBy(client.Config{BaseURL: "https://api.example"})(t.Context(), oauth.Install{StoreID: storeA, Token: "t"}); err == nil {
		t.Error("a configuration without a user agent is no error")
	}
}

// At the platform a token is alive until the next installation, or the uninstall.
func TestAliveByServer(t *testing.T) {
	server := clienttest.New(t)
	alive := oauth.AliveBy(client.Config{
		BaseURL: server.URL(), UserAgent: "Tests (tests@app.example)", HTTPClient: &http.Client{Transport: server.Transport()},
	})
	expect := func(what string, token client.Secret, want bool) {
		t.Helper()
		if got, err := alive(t.Context(), oauth.Install{StoreID: server.StoreID(), Token: token}); got != want || err != nil {
			t.Errorf("%s: alive %v, %v; want %v", what, got, err, want)
		}
	}
	install := func(scopes ...string) client.Secret {
		token, err := server.Install(scopes...)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	first := install("read_products")
	expect("a token with few scopes", first, true)
	second := install()
	expect("after another installation", first, false)
	expect("of the last installation", second, true)
	if err := server.Uninstall(); err != nil {
		t.Fatal(err)
	}
	expect("after the uninstall", second, false)
}
