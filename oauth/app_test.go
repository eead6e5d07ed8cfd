package oauth_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/oauth"
)

func TestAuthorizeURL(t *testing.T) {
	for _, tt := range []struct{ authURL, state, want string }{
		{"https://auth.example", "", "https://auth.example/apps/7/authorize"},
		{"https://auth.example/", "a b&c=d#e", "https://auth.example/apps/7/authorize?state=a+b%26c%3Dd%23e"},
		{"https://auth.example:8443/market/", "s", "https://auth.example:8443/market/apps/7/authorize?state=s"},
		{"http://localhost:9", "s", "http://localhost:9/apps/7/authorize?state=s"},
		{"http://127.0.0.1:9", "s", "http://127.0.0.1:9/apps/7/authorize?state=s"},
		{"http://[::1]:9", "s", "http://[::1]:9/apps/7/authorize?state=s"},
	} {
		got, err := oauth.App{ID: 7, Secret: "s", AuthURL: tt.authURL}.AuthorizeURL(tt.state)
		if err != nil || got != tt.want {
			t.Errorf("%s: got %q, %v; want %q", tt.authURL, got, err, tt.want)
		}
	}
}

func TestAppIsChecked(t *testing.T) {
	for _, tt := range []struct {
		app  oauth.App
		want string
	}{
		{oauth.App{}, "oauth: configuration: App.ID 0: must be a positive app id"},
		{oauth.App{ID: -1}, "oauth: configuration: App.ID -1: must be a positive app id"},
		{oauth.App{ID: 7}, "oauth: configuration: App.Secret is empty: must be the client secret"},
		{oauth.App{ID: 7, Secret: "s"}, `oauth: configuration: App.AuthURL "": must be an absolute URL with a host`},
		{oauth.App{ID: 7, Secret: "s", UserAgent: "a\r\nb"}, `oauth: configuration: App.UserAgent "ab": must be printable ASCII`},
		{oauth.App{ID: 7, Secret: "s", UserAgent: "appé"}, `oauth: configuration: App.UserAgent "appé": must be printable ASCII`},
		{oauth.App{ID: 7, Secret: "s", UserAgent: "app\x7f"}, `oauth: configuration: App.UserAgent "app": must be printable ASCII`},
		{with("https://auth.example?"), `oauth: configuration: App.AuthURL "https://auth.example": must not have a query or fragment`},
		{with("http://192.0.2.1"), `oauth: configuration: App.AuthURL "http://192.0.2.1": must be https; http is for loopback hosts only, unless App.InsecureHTTP is set`},
		{with("http://[::1%25eth0]"), `oauth: configuration: App.AuthURL "http://[::1%25eth0]": must be https; http is for loopback hosts only, unless App.InsecureHTTP is set`},
		{with("auth.example"), `oauth: configuration: App.AuthURL "auth.example": must be an absolute URL with a host`},
		{with("https:auth.example"), `oauth: configuration: App.AuthURL "https:": must be an absolute URL with a host`},
		{with("https://:443"), `oauth: configuration: App.AuthURL "https://:443": must be an absolute URL with a host`},
		{with("ftp://auth.example"), `oauth: configuration: App.AuthURL "ftp://auth.example": must be https`},
		{with("http://auth.example"), `oauth: configuration: App.AuthURL "http://auth.example": must be https; http is for loopback hosts only, unless App.InsecureHTTP is set`},
		{with("http://127.1"), `oauth: configuration: App.AuthURL "http://127.1": must be https; http is for loopback hosts only, unless App.InsecureHTTP is set`},
		{with("http://localhost.evil.example"), `oauth: configuration: App.AuthURL "http://localhost.evil.example": must be https; http is for loopback hosts only, unless App.InsecureHTTP is set`},
		{with("https://u:cnry_7f3a@auth.example"), `oauth: configuration: App.AuthURL "https://auth.example": must not have a user or password`},
		{with("https://auth.example/?cnry_7f3a"), `oauth: configuration: App.AuthURL "https://auth.example/": must not have a query or fragment`},
		{with("https://auth.example/#cnry_7f3a"), `oauth: configuration: App.AuthURL "https://auth.example/": must not have a query or fragment`},
		{with("https://u:cnry_7f3a@auth example"), `oauth: configuration: App.AuthURL cannot be parsed: must be https://host`},
	} {
		got, err := tt.app.AuthorizeURL("s")
		if got != "" || fmt.Sprint(err) != tt.want {
			t.Errorf("%+v: got %q, %v; want %s", tt.app, got, err, tt.want)
		}
		if strings.Contains(fmt.Sprint(err), "cnry_7f3a") {
			t.Errorf("%v: repeats what may be a secret", err)
		}
	}
}

// The client secret goes to that host, so plain http needs a word of its own.
func TestInsecureHTTP(t *testing.T) {
	app := with("http://platform:8080")
	app.InsecureHTTP = true
	got, err := app.AuthorizeURL("s")
	if want := "http://platform:8080/apps/7/authorize?state=s"; err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	app.AuthURL = "ftp://platform"
	if _, err := app.AuthorizeURL("s"); err == nil || err.Error() != `oauth: configuration: App.AuthURL "ftp://platform": must be https` {
		t.Errorf("ftp: got %v, want it rejected", err)
	}
}

func with(authURL string) oauth.App { return oauth.App{ID: 7, Secret: "s", AuthURL: authURL} }
