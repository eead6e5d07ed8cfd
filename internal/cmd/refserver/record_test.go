package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/recording"
)

// open opens a file as record does, adds a line, and returns what is in it.
func open(t *testing.T, before string) (after string, err error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "calls.jsonl")
	if err := os.WriteFile(name, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := openRecording(name)
	if err == nil {
		_, err = io.WriteString(f, "NEXT")
		_ = f.Close()
	}
	raw, _ := os.ReadFile(name)
	return string(raw), err
}

// A recording is continued after its last whole line, and a file that is none is left as it is.
func TestOpenRecording(t *testing.T) {
	const line = `{"at":"2026-01-05T10:00:00Z","status":200}` + "\n"
	long := `{"at":"2026-01-05T10:00:00Z","body":"` + strings.Repeat("x", 200<<10)
	for before, want := range map[string]string{
		"":            "NEXT",
		line:          line + "NEXT",
		line + "{":    line + "NEXT",
		line + long:   line + "NEXT",
		line + line:   line + line + "NEXT",
		line[:20]:     "NEXT",
		long:          "NEXT",
		line + "\n":   line + "\nNEXT",
		line + "\nab": line + "\nNEXT",
	} {
		if got, err := open(t, before); got != want || err != nil {
			t.Errorf("%.60q: got %.60q, %v", before, got, err)
		}
	}
	for _, before := range []string{"text", "text\n", "{}\n", "{\"a\":1}", "\n", "-----BEGIN KEY-----\n" + line} {
		if got, err := open(t, before); got != before || err == nil {
			t.Errorf("%q became %q, %v", before, got, err)
		}
	}
}

// recorderProgram is the command record in a process of its own.
func recorderProgram() error {
	args := []string{"record", "--json", "--to", os.Getenv("RECORD_TO"), "--app", os.Getenv("RECORD_APP")}
	return run(context.Background(), args, os.Stdout, os.Stderr)
}

// A recorder that is killed has whole lines in its file, and another continues it.
func TestRecorderKilled(t *testing.T) {
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `{"rates":[]}`)
	}))
	defer app.Close()
	name := filepath.Join(t.TempDir(), "calls.jsonl")
	const quote = `{"items":[],"destination":{"name":"Ana Souza","postal_code":"1602"}}`
	for round := range 2 {
		child := proctest.Start(t, "recorder", "RECORD_TO="+name, "RECORD_APP="+app.URL)
		var at map[string]string
		if err := json.Unmarshal([]byte(child.Line(t)), &at); err != nil {
			t.Fatal(err)
		}
		var senders sync.WaitGroup
		for range 4 {
			senders.Go(func() {
				client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
				for range 1000 {
					resp, err := client.Post(at["listen"]+"/rates", "application/json", strings.NewReader(quote))
					if err != nil {
						return // the recorder was killed
					}
					_, _ = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
				}
			})
		}
		for lines(t, name) < 50*(round+1) {
			select {
			case <-child.Ended():
				t.Fatal("the recorder ended on its own")
			default:
			}
		}
		child.Kill(t)
		senders.Wait()
	}
	f, err := openRecording(name) // which cuts off what the second had not finished
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	raw, err := os.ReadFile(name)
	if err != nil || bytes.Contains(raw, []byte("Souza")) {
		t.Errorf("%v, or a name is recorded", err)
	}
	n := 0
	for _, err := range recording.Read(bytes.NewReader(raw)) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n < 100 {
		t.Errorf("got %d lines", n)
	}
}

// lines counts those of a file.
func lines(t *testing.T, name string) int {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return bytes.Count(raw, []byte("\n"))
}

// replayOf runs the command replay of some lines, and returns what it prints.
func replayOf(t *testing.T, app http.HandlerFunc, lines string, flags ...string) (string, error) {
	t.Helper()
	server := httptest.NewServer(app)
	defer server.Close()
	name := filepath.Join(t.TempDir(), "calls.jsonl")
	if err := os.WriteFile(name, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err := run(t.Context(), append([]string{"replay", name, "--to", server.URL, "--json"}, flags...), &out, io.Discard)
	return out.String(), err
}

// network is a transport of this process.
type network func(*http.Request) (*http.Response, error)

func (n network) RoundTrip(r *http.Request) (*http.Response, error) { return n(r) }

// With several calls at once, the app gets as many and no more, and the results are in the order of the file.
func TestReplayAtOnce(t *testing.T) {
	var file strings.Builder
	for i := range 40 {
		fmt.Fprintf(&file, `{"at":"2026-01-05T10:00:00Z","kind":"rates","method":"POST","target":"/%d","status":422,"body":"{}"}`+"\n", i)
	}
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64
		gate := make(chan bool)
		app := network(func(r *http.Request) (*http.Response, error) {
			calls.Add(1)
			<-gate
			return &http.Response{StatusCode: 422, Body: http.NoBody, Request: r}, nil
		})
		r := &replayer{to: "http://app.example", atOnce: 8, kinds: recording.Kinds(), client: &http.Client{Transport: app}}
		var got []int
		ended := make(chan error)
		go func() {
			ended <- r.each(t.Context(), strings.NewReader(file.String()), func(one replayed) error {
				got = append(got, one.Line)
				if one.Verdict != same {
					t.Errorf("got %+v", one)
				}
				return nil
			})
		}()
		synctest.Wait()
		if n := calls.Load(); n != 8 {
			t.Errorf("%d calls at once, want 8", n)
		}
		close(gate)
		if err := <-ended; err != nil || len(got) != 40 || !slices.IsSorted(got) {
			t.Errorf("got lines %v, %v", got, err)
		}
	})
}

// Payment calls are signed with the key, deliveries with the secret, and other headers are sent as they are asked for.
func TestReplaySigns(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "key.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	if err := os.WriteFile(file, block, 0o600); err != nil {
		t.Fatal(err)
	}
	const lines = `{"at":"2026-01-05T10:00:00Z","kind":"payments","operation":"refund","method":"POST","host":"pay.example","target":"/r","status":202,"body":"{}"}
{"at":"2026-01-05T10:00:00Z","kind":"deliveries","method":"POST","target":"/h","status":200,"body":"{}"}
`
	var got []string
	app := func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"X-Signature", "X-Timestamp", "X-Platform-Hmac-Sha256", "Authorization"} {
			if r.Header.Get(name) != "" {
				got = append(got, r.URL.Path+" "+name)
			}
		}
		if r.URL.Path == "/r" {
			w.WriteHeader(http.StatusAccepted)
		}
	}
	if out, err := replayOf(t, app, lines, "--key", file, "--secret", "s", "--header", "Authorization: Basic x"); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	want := []string{"/r X-Signature", "/r X-Timestamp", "/r Authorization", "/h X-Platform-Hmac-Sha256", "/h Authorization"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := os.WriteFile(file, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := replayOf(t, app, lines, "--key", file); exit(err, nil, io.Discard) != statusUsage {
		t.Errorf("a file without a key: got %v", err)
	}
}

// A recorder in front of itself would call itself until nothing is left.
func TestRecordsNotItself(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "localhost", "0.0.0.0"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		address := l.Addr().String()
		_ = l.Close()
		_, port, _ := net.SplitHostPort(address)
		app := "http://" + net.JoinHostPort(host, port)
		file := filepath.Join(t.TempDir(), "calls.jsonl")
		err = run(t.Context(), []string{"record", "--to", file, "--app", app, "--listen", address}, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), "must not be the address that the recorder listens on") {
			t.Errorf("%s: %v", app, err)
		}
	}
}

// A replay that fails at an address whose token is not in the recording names the flag that sends it.
func TestReplayNamesTheMap(t *testing.T) {
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/hooks/s3cr3t-T0ken" {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer app.Close()
	file := filepath.Join(t.TempDir(), "calls.jsonl")
	call := `{"at":"2026-01-05T10:00:00Z","kind":"deliveries","method":"POST","host":"a.example",` +
		`"target":"/hooks/x9qz3b-K4mno","status":200,"body":"{}"}` + "\n"
	if err := os.WriteFile(file, []byte(call), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"replay", file, "--to", app.URL, "--secret", "s"}
	var out strings.Builder
	if err := run(t.Context(), args, &out, io.Discard); !errors.Is(err, errFound) {
		t.Errorf("got %v", err)
	}
	if want := "--map x9qz3b-K4mno=SEGMENT"; !strings.Contains(out.String(), want) {
		t.Errorf("nothing names %s: %s", want, out.String())
	}
	out.Reset()
	err := run(t.Context(), append(args, "--map", "x9qz3b-K4mno=s3cr3t-T0ken"), &out, io.Discard)
	if err != nil || strings.Contains(out.String(), "--map") {
		t.Errorf("mapped: %v, %s", err, out.String())
	}
}
