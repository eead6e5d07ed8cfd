package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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

// Each flag of the server reaches its option.
func TestServerFlags(t *testing.T) {
	c, err := parse([]string{"--repeat-customers", "--strict"}, io.Discard)
	if err != nil || !c.server.RepeatOK || !c.server.Strict {
		t.Errorf("got %+v, %v", c.server, err)
	}
	if c, err = parse(nil, io.Discard); err != nil || c.server.RepeatOK {
		t.Errorf("repeated customers are ignored without the flag: %v", err)
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
	} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%v: accepted", args)
		}
	}
}
