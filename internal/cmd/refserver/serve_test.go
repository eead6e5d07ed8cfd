package main

import (
	"encoding/json"
	"html"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

// The demo app has the paths of an app of client/multistore at its origin, and a browser may reach it elsewhere.
func TestAddressesOfTheDemoApp(t *testing.T) {
	for _, tt := range []struct {
		args           []string
		redirect, hook string
	}{
		{nil, "https://app.example/oauth/callback", "https://app.example/hooks/store/redact"},
		{[]string{"--app-origin", "https://post.example"}, "https://post.example/oauth/callback", "https://post.example/hooks/store/redact"},
		{
			[]string{"--app-origin", "https://post.example", "--redirect-url", "http://127.0.0.1:3000/in"},
			"http://127.0.0.1:3000/in", "https://post.example/hooks/store/redact",
		},
	} {
		var in info
		line := begin(t, append([]string{"--addr", "127.0.0.1:0", "--control", "127.0.0.1:0", "--demo", "--json"}, tt.args...)...)
		if err := json.Unmarshal([]byte(line), &in); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		resp, err := http.Get(in.ControlURL + "apps")
		if err != nil {
			t.Fatal(err)
		}
		var apps struct {
			Items []struct {
				RedirectURL string `json:"redirect_url"`
				Addresses   struct {
					StoreRedact string `json:"store_redact"`
				} `json:"addresses"`
			} `json:"items"`
		}
		err = json.NewDecoder(resp.Body).Decode(&apps)
		resp.Body.Close()
		if err != nil || len(apps.Items) != 1 || apps.Items[0].RedirectURL != tt.redirect || apps.Items[0].Addresses.StoreRedact != tt.hook {
			t.Errorf("%q: got %+v, %v; want %s and %s", tt.args, apps.Items, err, tt.redirect, tt.hook)
		}
	}
}

func TestAddressesOfTheDemoAppAreRefused(t *testing.T) {
	for args, want := range map[string]string{
		"--app-origin https://post.example":             "require --demo",
		"--redirect-url https://post.example/in":        "require --demo",
		"--demo --redirect-url /oauth/callback":         `--redirect-url "/oauth/callback": must be an absolute address`,
		"--demo --app-origin http://127.0.0.1:3000":     `--app-origin "http://127.0.0.1:3000": `,
		"--demo --app-origin https://post.example/path": "must have no path",
	} {
		err := run(t.Context(), append([]string{"--addr", "127.0.0.1:0"}, strings.Fields(args)...), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", args, err, want)
		}
	}
}

// env --wait repeats its call until a server that is still starting answers.
func TestEnvWaits(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	var out strings.Builder
	ended := make(chan error, 1)
	go func() {
		ended <- run(t.Context(), []string{"env", "--wait", "1m", "--control", address}, &out, io.Discard)
	}()
	early, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	early.Close()
	l.Close()
	begin(t, "serve", "--addr", "127.0.0.1:0", "--control", address, "--demo", "--json")
	if err := <-ended; err != nil || !strings.Contains(out.String(), "export COMMERCE_TOKEN='") {
		t.Errorf("got %q, %v, want the variables", out.String(), err)
	}
}

// The overview of the console shows the variables that env prints, except the key of payments, which has many lines.
func TestOverviewHasTheVariables(t *testing.T) {
	line := begin(t, "serve", "--addr", "127.0.0.1:0", "--control", "127.0.0.1:0", "--demo", "--console", "--json")
	var facts info
	if err := json.Unmarshal([]byte(line), &facts); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	var out strings.Builder
	if err := run(t.Context(), []string{"env", "--control", facts.ControlURL}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	r, err := http.Get(strings.TrimSuffix(facts.ControlURL, strings.TrimPrefix(control.Prefix, "/")))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	page, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	shown := html.UnescapeString(string(page))
	lines, _, _ := strings.Cut(out.String(), "export COMMERCE_PAYMENTS_KEY")
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); !strings.Contains(shown, line) {
			t.Errorf("the overview lacks %q", line)
		}
	}
	if n := strings.Count(lines, "export "); n != 7 {
		t.Errorf("%d variables, want 7", n)
	}
}
