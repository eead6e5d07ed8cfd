package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/scenariotest"
)

func TestMain(m *testing.M) {
	proctest.Main(map[string]func() error{scenariotest.Role: scenariotest.Program(scenarioApp)})
	proctest.Example(main) // the demonstration of a test starts this program again and again
	goleak.VerifyTestMain(m)
}

func TestConsole(t *testing.T) { proctest.Console(t) }

// play runs the demonstration and returns what it printed.
func play(t *testing.T, args ...string) string {
	t.Helper()
	t.Setenv(proctest.Program, "1")
	var out bytes.Buffer
	if status := run(t.Context(), args, os.Getenv, &out); status != exitEqual {
		t.Fatalf("status %d, want 0\n%s", status, out.String())
	}
	return out.String()
}

func TestDemonstrationOnSQLite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "inbox.db")
	out := play(t, "-database", path)
	for _, want := range []string{"round 3: a process was killed", "27 of 27 products are equal, 0 deliveries are dead"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
	var again bytes.Buffer
	if status := run(t.Context(), []string{"-database", path}, os.Getenv, &again); status != exitFailed || !strings.Contains(again.String(), "must not have been used before") {
		t.Errorf("status %d, want a database that was used refused: %s", status, again.String())
	}
}

func TestDemonstrationOnPostgreSQL(t *testing.T) {
	cluster, err := pgtest.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Stop()
	out := play(t, "-database", cluster.URL())
	if !strings.Contains(out, "27 of 27 products are equal, 0 deliveries are dead") {
		t.Errorf("the mirror differs:\n%s", out)
	}
}

// The page shows the inbox while the program runs, and stays afterwards with dead deliveries until it is interrupted.
func TestPage(t *testing.T) {
	t.Setenv(proctest.Program, "1")
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	lines, out := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		defer out.Close()
		ended <- run(ctx, []string{"-ops", "127.0.0.1:0"}, os.Getenv, out)
	}()
	address, groups := "", ""
	for line := range scanned(lines) {
		if _, after, ok := strings.Cut(line, "the page of the inbox is at "); ok {
			address = after
			groups = page(t, address) // with processes at work
		}
		if strings.HasPrefix(line, "the page stays") {
			groups = page(t, address+"entries?state=dead")
			interrupt()
		}
	}
	if status := <-ended; status != exitEqual || !strings.Contains(groups, "event without a handler") {
		t.Errorf("status %d, page:\n%s", status, groups)
	}
}

// scanned yields lines until the end.
func scanned(r io.Reader) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s := bufio.NewScanner(r); s.Scan() && yield(s.Text()); {
		}
	}
}

func page(t *testing.T, address string) string {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: status %d, %v: %s", address, answer.StatusCode, err, body)
	}
	return string(body)
}

// TestCompareFindsWhatDiffers: the demonstration can fail.
func TestCompareFindsWhatDiffers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "inbox.db")
	var out bytes.Buffer
	t.Setenv(proctest.Program, "1")
	d := &demo{o: options{database: path}, stdout: &out}
	if err := d.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := d.close(); err != nil {
			t.Error(err)
		}
	}()
	err := d.receiver.kill()
	d.receiver = nil
	if err := errors.Join(err, d.work(t.Context())); err != nil { // without a receiver
		t.Fatal(err)
	}
	if err := d.compare(t.Context()); err != errDiffers || !strings.Contains(out.String(), `the mirror ""`) {
		t.Errorf("got %v, want errDiffers: %s", err, out.String())
	}
}

func TestOptions(t *testing.T) {
	secrets := map[string]string{"COMMERCE_TOKEN": "cnry_7f3a", "COMMERCE_APP_SECRET": "cnry_7f3a"}
	for _, tt := range []struct {
		args string
		env  map[string]string
		want string // "": fine
	}{
		{"", nil, ""},
		{"more", nil, `argument "more"`},
		{"-base-url https://api.example", secrets, "requires -store-id and -database"},
		{"-base-url https://api.example -store-id 1 -database x.db", nil, "requires COMMERCE_TOKEN"},
		{"-base-url https://api.example -store-id 1 -database x.db", secrets, ""},
	} {
		_, err := readOptions(strings.Fields(tt.args), func(name string) string { return tt.env[name] })
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: got %v, want %q", tt.args, err, tt.want)
		}
		if err != nil && strings.Contains(err.Error(), "cnry_7f3a") {
			t.Errorf("%s: the error tells a secret: %v", tt.args, err)
		}
	}
}
