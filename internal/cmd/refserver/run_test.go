package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

func TestMain(m *testing.M) {
	proctest.Main(map[string]func() error{
		"refserver": func() error { os.Exit(program()); return nil },
		"partner":   partnerProgram,
		"recorder":  recorderProgram,
		"app":       appProgram,
		"parent":    parentProgram,
	})
	goleak.VerifyTestMain(m)
}

// begin runs the command and returns the first line it prints. The end of the
// test stops it.
func begin(t *testing.T, args ...string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, args, w, io.Discard)
		w.CloseWithError(io.EOF)
		ended <- err
	}()
	t.Cleanup(func() {
		stop()
		http.DefaultClient.CloseIdleConnections()
		if err := <-ended; err != nil {
			t.Errorf("the command ended with %v", err)
		}
	})
	line, err := bufio.NewReader(r).ReadString('\n')
	go func() { _, _ = io.Copy(io.Discard, r) }()
	if err != nil {
		t.Fatal(err)
	}
	return line
}

func TestDemo(t *testing.T) {
	var in info
	line := begin(t, "--addr", "127.0.0.1:0", "--demo", "--json", "--auto-approve", "--scopes", "read_products,write_orders", "--bucket", "7")
	if err := json.Unmarshal([]byte(line), &in); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	req, err := http.NewRequest("GET", fmt.Sprintf("%s/v1/%d/store", in.BaseURL, in.StoreID), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+in.AccessToken)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 200 || resp.Header.Get("X-Rate-Limit-Limit") != "7" {
		t.Errorf("got %s, bucket %s", resp.Status, resp.Header.Get("X-Rate-Limit-Limit"))
	}

	c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err = c.Get(fmt.Sprintf("%s/apps/%d/authorize?state=s1", in.AuthURL, in.AppID))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	to, err := resp.Location()
	if err != nil || to.Query().Get("state") != "s1" {
		t.Fatalf("%s %v", resp.Status, to)
	}
	body := fmt.Sprintf(`{"client_id":%d,"client_secret":%q,"grant_type":"authorization_code","code":%q}`, in.AppID, in.ClientSecret, to.Query().Get("code"))
	resp, err = c.Post(in.AuthURL+"/apps/authorize/token", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer map[string]string
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	if answer["scope"] != "read_products,write_orders" || answer["user_id"] != fmt.Sprint(in.StoreID) {
		t.Errorf("got %v", answer)
	}
}

// parse reads the flags of the server.
func parse(args ...string) (config, error) {
	var c config
	f := flag.NewFlagSet("serve", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	c.bind(f)
	if err := f.Parse(args); err != nil {
		return c, err
	}
	return c, c.setClock()
}

// Each flag of the server reaches its option.
func TestServerFlags(t *testing.T) {
	c, err := parse("--strict", "--feature", "fulfillment-orders", "--feature", "inventory-levels")
	if err != nil || !c.server.Strict || !slices.Equal(c.features, []string{"fulfillment-orders", "inventory-levels"}) {
		t.Errorf("got %+v, %v", c.server, err)
	}
	if c, err = parse(); err != nil || c.server.Strict {
		t.Errorf("strict without the flag: %v", err)
	}
}

func TestText(t *testing.T) {
	if line := begin(t, "--addr", "127.0.0.1:0", "--demo"); !strings.HasPrefix(line, "base URL   http://127.0.0.1:") {
		t.Errorf("got %q", line)
	}
}

func TestRoutes(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"--routes"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if want := "GET\t/store\tv1,2025-03,unstable\tnone documented\tcontract\n"; !strings.Contains(out.String(), want) {
		t.Errorf("no line %q in:\n%s", want, out.String())
	}
	for line := range strings.Lines(out.String()) {
		if n := strings.Count(line, "\t"); n != 4 {
			t.Errorf("%d tabs in %q", n, line)
		}
	}
}

func TestBadCommandLines(t *testing.T) {
	for _, args := range [][]string{
		{"--nothing"},
		{"word"},
		{"--partner", "https://app.example"},
		{"--partner", "https://app.example=here"},
		{"--partner", "http://app.example=http://127.0.0.1:1"},
		{"--addr", "nowhere"},
		{"--empty-list", "201"},
		{"--user-id", ""},
		{"--repeat-customers"},
		{"--addr", "127.0.0.1:0", "--control", "0.0.0.0:0"},
		{"--addr", "127.0.0.1:0", "--control", "example.com:0"},
		{"--clock", "virtual"},
		{"--control", "127.0.0.1:0", "--clock", "sundial"},
	} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%v: accepted", args)
		}
	}
}

func TestReadings(t *testing.T) {
	other := api.Readings{
		EmptyList200: true, UserIDNumber: true, TokenErrors400: true, PublishedShippingWords: true,
		RepeatedCustomers204: true, AbsentValuesEmpty: true,
	}
	for _, tc := range []struct {
		args string
		want api.Readings
	}{
		{"", api.Readings{}},
		{"--empty-list 404 --user-id text --token-errors 200 --shipping-words contract " +
			"--repeat-customers 409 --absent-values 422", api.Readings{}},
		{"--empty-list 200 --user-id number --token-errors 400 --shipping-words published " +
			"--repeat-customers 204 --absent-values empty", other},
		{"--empty-list 200 --empty-list 404", api.Readings{}},
	} {
		c, err := parse(strings.Fields(tc.args)...)
		if err != nil || c.server.Readings != tc.want {
			t.Errorf("%q: got %+v, %v, want %+v", tc.args, c.server.Readings, err, tc.want)
		}
	}
}

// A misspelt path is reported where the developer looks, without its query.
func TestHintsGoToStderr(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	out, w := io.Pipe()
	var stderr lockedBuilder
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, []string{"--addr", "127.0.0.1:0", "--demo", "--json"}, w, &stderr) }()
	var in info
	if err := json.NewDecoder(out).Decode(&in); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/prodcuts?q=secret", "/products", "/prod%0Aucts"} {
		req, err := http.NewRequest("GET", fmt.Sprintf("%s/v1/%d%s", in.BaseURL, in.StoreID, path), nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+in.AccessToken)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	stop()
	http.DefaultClient.CloseIdleConnections()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	const hint = "No operation of v1 has this path; the nearest is GET /products"
	want := fmt.Sprintf("refserver: 404 \"GET\" \"/v1/%d/prodcuts\": %s\nrefserver: 404 \"GET\" \"/v1/%[1]d/prod%%0Aucts\": %[2]s\n", in.StoreID, hint)
	if got := stderr.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// chanWriter sends each write to a channel.
type chanWriter chan string

func (c chanWriter) Write(p []byte) (int, error) {
	c <- string(p)
	return len(p), nil
}

// A host that the platform cannot reach is reported once, with the flag that connects it.
func TestHostsWithoutRouteGoToStderr(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	out, w := io.Pipe()
	stderr := make(chanWriter, 10)
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, []string{"--addr", "127.0.0.1:0", "--demo", "--json"}, w, stderr) }()
	var in info
	if err := json.NewDecoder(out).Decode(&in); err != nil {
		t.Fatal(err)
	}
	post := func(path, body string) {
		t.Helper()
		req, err := http.NewRequest("POST", fmt.Sprintf("%s/v1/%d%s", in.BaseURL, in.StoreID, path), strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authentication", "bearer "+in.AccessToken)
		req.Header.Set("User-Agent", "Test (dev@app.example)")
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusCreated {
			t.Fatalf("POST %s: %s", path, resp.Status)
		}
	}
	for _, app := range []string{"https://one.example", "https://two.example"} {
		post("/webhooks", fmt.Sprintf(`{"event":"product/created","url":"%s/hooks"}`, app))
		post("/products", `{"name":{"en":"Mug"}}`) // for all apps so far
		if got := <-stderr; !strings.Contains(got, "--partner "+app+"=http://127.0.0.1:PORT") {
			t.Errorf("reported %q, want how to connect %s", got, app)
		}
	}
	stop()
	http.DefaultClient.CloseIdleConnections()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// lockedBuilder is a strings.Builder that several goroutines may write to.
type lockedBuilder struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedBuilder) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuilder) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Without --control there is no control API, on neither address; with it, it is on an address of its own.
func TestControl(t *testing.T) {
	var in info
	status := func(url string) int {
		t.Helper()
		resp, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	line := begin(t, "--addr", "127.0.0.1:0", "--demo", "--json")
	if err := json.Unmarshal([]byte(line), &in); err != nil || in.ControlURL != "" || strings.Contains(line, "control") {
		t.Fatalf("%q: %v", line, err)
	}
	if got := status(in.BaseURL + "/_/api/info"); got != 404 {
		t.Errorf("without --control: %d, want 404", got)
	}
	line = begin(t, "--addr", "127.0.0.1:0", "--demo", "--json", "--control", "127.0.0.1:0", "--clock", "virtual", "--seed", "7",
		"--partner", "https://app.example=http://127.0.0.1:1,http://127.0.0.1:2")
	if err := json.Unmarshal([]byte(line), &in); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	if got := status(in.BaseURL + "/_/api/info"); got != 404 {
		t.Errorf("on the address of the API: %d, want 404", got)
	}
	resp, err := http.Get(in.ControlURL + "info")
	if err != nil {
		t.Fatal(err)
	}
	var shown info
	err = json.NewDecoder(resp.Body).Decode(&shown)
	resp.Body.Close()
	if err != nil || shown != in {
		t.Errorf("info: got %+v, %v, want %+v", shown, err, in)
	}
	if resp, err = http.Get(in.ControlURL + "partners"); err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if !strings.Contains(string(body), `"targets":["http://127.0.0.1:1","http://127.0.0.1:2"]`) {
		t.Errorf("partners: %s", body)
	}
}

func TestHelpFlagListsCommands(t *testing.T) {
	for _, flag := range []string{"-h", "--help"} {
		var out strings.Builder
		if err := run(t.Context(), []string{flag}, &out, io.Discard); err != nil {
			t.Fatalf("%s: %v", flag, err)
		}
		if !strings.Contains(out.String(), "prints the addresses and credentials") {
			t.Errorf("%s: got %q, want the list of commands", flag, out.String())
		}
	}
}
