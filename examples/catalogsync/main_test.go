package main

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// asProgram makes the test binary the program, for tests that start it as a process of its own.
const asProgram = "CATALOGSYNC_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	goleak.VerifyTestMain(m)
}

// result is what a run printed and its exit status.
type result struct {
	status int
	out    string
}

func (r result) check(t *testing.T, status int, lines ...string) {
	t.Helper()
	if r.status != status {
		t.Errorf("exit status %d, want %d", r.status, status)
	}
	for _, line := range lines {
		if !strings.Contains(r.out, line) {
			t.Errorf("%q is not in the transcript", line)
		}
	}
	if t.Failed() {
		t.Log(r.out)
	}
}

func play(t *testing.T, env map[string]string, args ...string) result {
	t.Helper()
	var out bytes.Buffer
	status := run(t.Context(), args, func(name string) string { return env[name] }, &out)
	return result{status, out.String()}
}

// platform is a reference server behind a gate.
type platform struct {
	*clienttest.Server
	api *v202503.API
	env map[string]string
	db  string
	*gate
}

func startPlatform(t *testing.T, o clienttest.Options) *platform {
	t.Helper()
	srv := clienttest.New(t, o)
	token, err := srv.Install()
	if err != nil {
		t.Fatal(err)
	}
	p := &platform{Server: srv, api: v202503.New(srv.Client()), db: filepath.Join(t.TempDir(), "a mirror?.db")}
	if p.gate, err = newGate(srv.Transport()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.gate.close() })
	p.env = map[string]string{
		"COMMERCE_BASE_URL": p.gate.url, "COMMERCE_STORE_ID": srv.StoreID().String(), "COMMERCE_DB": p.db,
		"COMMERCE_TOKEN": string(token), "COMMERCE_APP_SECRET": string(srv.App().Secret), "COMMERCE_PER_PAGE": "10",
	}
	return p
}

// environ is env as a process is given it.
func (p *platform) environ() []string {
	all := []string{asProgram + "=1"}
	for name, value := range p.env {
		all = append(all, name+"="+value)
	}
	return all
}

// equal fails the test unless the mirror is equal to the store.
func (p *platform) equal(t *testing.T) {
	t.Helper()
	var out bytes.Buffer
	o, err := readOptions(nil, func(name string) string { return p.env[name] }, &out)
	if err != nil {
		t.Fatal(err)
	}
	s, err := open(t.Context(), o, newTranscript(&out))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.compare(t.Context()); err != nil || s.t.wrong > 0 {
		t.Errorf("error %v\n%s", err, out.String())
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
}

func (p *platform) fault(t *testing.T, f clienttest.Fault) {
	t.Helper()
	if err := p.Fault(f); err != nil {
		t.Fatal(err)
	}
}

// query returns the only value that a query of the file gives.
func (p *platform) query(t *testing.T, query string, args ...any) string {
	t.Helper()
	m, err := openMirror(t.Context(), p.db)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.close() }()
	var value sql.NullString
	if err := m.db.QueryRowContext(t.Context(), query, args...).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value.String
}

func (p *platform) fill(t *testing.T, products, orders int) *shop {
	t.Helper()
	s := newShop(p.Server)
	if err := s.fill(t.Context(), products, orders); err != nil {
		t.Fatal(err)
	}
	return s
}

// watcher keeps what is printed, and calls functions with the rest of the first line that begins with their prefix.
type watcher struct {
	mu    sync.Mutex
	all   bytes.Buffer
	calls map[string]func(rest string)
}

func newWatcher() *watcher { return &watcher{calls: map[string]func(string){}} }

func (w *watcher) on(prefix string, call func(rest string)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls[prefix] = call
}

func (w *watcher) Write(p []byte) (int, error) {
	w.mu.Lock()
	w.all.Write(p)
	var calls []func()
	for prefix, call := range w.calls {
		if rest, ok := strings.CutPrefix(string(p), prefix); ok {
			delete(w.calls, prefix)
			calls = append(calls, func() { call(strings.TrimSuffix(rest, "\n")) })
		}
	}
	w.mu.Unlock()
	for _, call := range calls {
		call()
	}
	return len(p), nil
}

func (w *watcher) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.String()
}
