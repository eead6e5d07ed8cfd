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
		{oauth.App{}, "oauth: configuration: App.ID 0: want a positive app id"},
		{oauth.App{ID: -1}, "oauth: configuration: App.ID -1: want a positive app id"},
		{oauth.App{ID: 7}, "oauth: configuration: App.Secret is empty: want the client secret"},
		{oauth.App{ID: 7, Secret: "s"}, `oauth: configuration: App.AuthURL "": want an absolute URL with a host`},
		{oauth.App{ID: 7, Secret: "s", UserAgent: "a\r\nb"}, `oauth: configuration: App.UserAgent "ab": want printable ASCII`},
		{oauth.App{ID: 7, Secret: "s", UserAgent: "appé"}, `oauth: configuration: App.UserAgent "appé": want printable ASCII`},
		{oauth.App{ID: 7, Secret: "s", UserAgent: "app\x7f"}, `oauth: configuration: App.UserAgent "app": want printable ASCII`},
		{with("https://auth.example?"), `oauth: configuration: App.AuthURL "https://auth.example": want no query and no fragment`},
		{with("http://192.0.2.1"), `oauth: configuration: App.AuthURL "http://192.0.2.1": want https; http is for loopback hosts only`},
		{with("http://[::1%25eth0]"), `oauth: configuration: App.AuthURL "http://[::1%25eth0]": want https; http is for loopback hosts only`},
		{with("auth.example"), `oauth: configuration: App.AuthURL "auth.example": want an absolute URL with a host`},
		{with("https:auth.example"), `oauth: configuration: App.AuthURL "https:": want an absolute URL with a host`},
		{with("https://:443"), `oauth: configuration: App.AuthURL "https://:443": want an absolute URL with a host`},
		{with("ftp://auth.example"), `oauth: configuration: App.AuthURL "ftp://auth.example": want https`},
		{with("http://auth.example"), `oauth: configuration: App.AuthURL "http://auth.example": want https; http is for loopback hosts only`},
		{with("http://127.1"), `oauth: configuration: App.AuthURL "http://127.1": want https; http is for loopback hosts only`},
		{with("http://localhost.evil.example"), `oauth: configuration: App.AuthURL "http://localhost.evil.example": want https; http is for loopback hosts only`},
		{with("https://u:cnry_7f3a@auth.example"), `oauth: configuration: App.AuthURL "https://auth.example": want no user or password`},
		{with("https://auth.example/?cnry_7f3a"), `oauth: configuration: App.AuthURL "https://auth.example/": want no query and no fragment`},
		{with("https://auth.example/#cnry_7f3a"), `oauth: configuration: App.AuthURL "https://auth.example/": want no query and no fragment`},
		{with("https://u:cnry_7f3a@auth example"), `oauth: configuration: App.AuthURL cannot be parsed: want https://host`},
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

func with(authURL string) oauth.App { return oauth.App{ID: 7, Secret: "s", AuthURL: authURL} }
