package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/scenariotest"
)

func TestMain(m *testing.M) {
	proctest.Main(map[string]func() error{"replica": program, "observed": observed, scenariotest.Role: scenariotest.Program(scenarioApp)})
	goleak.VerifyTestMain(m)
}

// program is the whole program in a child of a test.
func program() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o, err := readOptions(strings.Fields(os.Getenv("FLAGSHIP_ARGS")), os.Getenv)
	if err != nil {
		return err
	}
	o.wait, o.lease, o.every = testWait, testLease, testEvery
	return serve(ctx, o, os.Stdout)
}

func TestOptions(t *testing.T) {
	const all = "-base-url https://api.example -database x.db -carts-from 192.0.2.1"
	secrets := map[string]string{"COMMERCE_APP_SECRET": "cnry_7f3a", "COMMERCE_TOKEN_KEYS": testKey}
	for _, tt := range []struct {
		args string
		env  map[string]string
		want string // "": fine
	}{
		{"", nil, ""},
		{"more", nil, `arguments ["more"]: must be flags`},
		{"-base-url https://api.example", secrets, "-base-url requires -database"},
		{all, nil, "COMMERCE_APP_SECRET: must be set"},
		{all, nil, "COMMERCE_TOKEN_KEYS"},
		{all, map[string]string{"COMMERCE_APP_SECRET": "cnry_7f3a"}, "sqlstore"},
		{all, secrets, ""},
		{"-base-url https://api.example -database x.db", secrets, "source 1 of 1: empty"},
	} {
		_, err := readOptions(strings.Fields(tt.args), func(name string) string { return tt.env[name] })
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: got %v, want %q", tt.args, err, tt.want)
		}
		if err != nil && strings.Contains(err.Error(), "cnry_7f3a") {
			t.Errorf("%s: the error has a secret: %v", tt.args, err)
		}
	}
}

// The demonstration: a browser installs the app, whose page then shows the products of the store.
func TestDemonstration(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	none := func(string) string { return "" }
	go func() { ended <- run(ctx, []string{"-listen", address}, none, in) }()
	for lines := bufio.NewScanner(out); lines.Scan() && !strings.HasPrefix(lines.Text(), "listening"); {
		continue
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	browser := &http.Client{Jar: jar, Transport: transport}
	for path, until := "/oauth/callback", time.Now().Add(time.Minute); ; path = "/" {
		status, shown := read(t)(browser.Get("http://" + address + path))
		if status == http.StatusOK && strings.Contains(shown, "Store 1001") && !strings.Contains(shown, " 0 products") {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("after a minute: %d, %s", status, shown)
		}
		time.Sleep(20 * time.Millisecond)
	}
	savesOffer(t, browser, "http://"+address)
	hasNoSuchPage(t, browser, "http://"+address)
	signsOut(t, browser, "http://"+address)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// read returns the status and the text of a page.
func read(t *testing.T) func(page *http.Response, err error) (status int, text string) {
	return func(page *http.Response, err error) (int, string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = page.Body.Close() }()
		text, err := io.ReadAll(page.Body)
		if err != nil {
			t.Fatal(err)
		}
		return page.StatusCode, string(text)
	}
}

// savesOffer changes the offer. The page says once that this was done, and has the currency of the store.
func savesOffer(t *testing.T, browser *http.Client, site string) {
	t.Helper()
	const notice = `role="status">The offer was saved.`
	status, shown := read(t)(browser.PostForm(site+"/offer", url.Values{"tag": {"gift"}, "most": {"7.00"}}))
	if status != http.StatusOK || !strings.Contains(shown, notice) || !strings.Contains(shown, `value="7.00"`) {
		t.Errorf("saved: got %d, %s", status, shown)
	}
	for _, want := range []string{"Prices are in ARS.", "<dd>0.00 ARS</dd>"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is missing: %s", want, shown)
		}
	}
	if _, shown = read(t)(browser.Get(site + "/")); strings.Contains(shown, notice) {
		t.Error("the notice is shown twice")
	}
}

// hasNoSuchPage visits pages that do not exist, signed in and not.
func hasNoSuchPage(t *testing.T, browser *http.Client, site string) {
	t.Helper()
	stranger := &http.Client{Transport: browser.Transport}
	for _, c := range []struct {
		browser *http.Client
		path    string
	}{{browser, "/nowhere"}, {browser, "/data-requests/x"}, {stranger, "/nowhere"}} {
		status, shown := read(t)(c.browser.Get(site + c.path))
		if status != http.StatusNotFound || !strings.Contains(shown, "This page does not exist.") ||
			!strings.Contains(shown, `href="/"`) {
			t.Errorf("%s: got %d, %s", c.path, status, shown)
		}
	}
}

// signsOut presses the button of the page, after a page of another site has failed to do so.
func signsOut(t *testing.T, browser *http.Client, site string) {
	t.Helper()
	press := func(from string) (status int, signedIn bool) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, site+"/sign-out", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Sec-Fetch-Site", from)
		status, _ = read(t)(browser.Do(r))
		_, shown := read(t)(browser.Get(site + "/"))
		return status, strings.Contains(shown, `action="/sign-out"`)
	}
	if status, signedIn := press("cross-site"); status != http.StatusForbidden || !signedIn {
		t.Errorf("another site: got %d, signed in %v; want 403, still signed in", status, signedIn)
	}
	if status, signedIn := press("same-origin"); status != http.StatusOK || signedIn {
		t.Errorf("the button: got %d, signed in %v; want 200, signed out", status, signedIn)
	}
}
