package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client/contract"
	"github.com/commerceplatform/commerce-go/internal/refserver/doctor"
)

// signatures are of bodies with another id in each run.
var signatures = regexp.MustCompile(`[0-9a-f]{64}`)

// transcript has the programs, and what is printed about them.
const transcript = "../../refserver/doctor/transcript.md"

// The programs of the transcript are examined, and what is printed is what stands there.
func TestDoctorTranscript(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip(err)
	}
	raw, err := os.ReadFile(transcript)
	if err != nil {
		t.Fatal(err)
	}
	pieces := strings.Split(string(raw), "```")
	program, status := "", errFound
	for i := 1; i < len(pieces); i += 2 {
		language, text, _ := strings.Cut(pieces[i], "\n")
		switch language {
		case "js":
			program = startNode(t, text)
		case "text":
			var out bytes.Buffer
			args := []string{"doctor", "http://" + program + "/hooks", "--as", "webhooks", "--own", "--secret", "s3cret"}
			err := run(t.Context(), args, &out, io.Discard)
			if !errors.Is(err, status) {
				t.Errorf("got %v, want %v", err, status)
			}
			status = nil // the second program is the repaired one
			got := signatures.ReplaceAllString(out.String(), "…")
			if *update {
				pieces[i] = "text\n" + got
			} else if text != got {
				t.Errorf("got\n%s\nwant\n%s", got, text)
			}
		}
	}
	if *update {
		if err := os.WriteFile(transcript, []byte(strings.Join(pieces, "```")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// startNode runs a program until the end of the test, and returns where it listens.
func startNode(t *testing.T, program string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	file := filepath.Join(t.TempDir(), "hooks.mjs")
	if err := errors.Join(l.Close(), os.WriteFile(file, []byte(program), 0o600)); err != nil {
		t.Fatal(err)
	}
	node := exec.CommandContext(t.Context(), "node", file, port)
	node.Env = append(os.Environ(), "APP_SECRET=s3cret")
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	var fault error
	go func() {
		defer close(ended)
		fault = node.Wait()
	}()
	t.Cleanup(func() { <-ended }) // it is killed with the context of the test
	for {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return address
		}
		select {
		case <-ended:
			t.Fatalf("the program has ended before it listened: %v", fault)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// With --json the findings are data, and the status is that of a check that found something.
func TestDoctorJSON(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	app := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	go func() { _ = app.Serve(l) }()
	defer app.Close()
	var out, problems bytes.Buffer
	args := []string{"doctor", "--json", "http://" + l.Addr().String(), "--own", "--as", "webhooks", "--secret", "s3cret"}
	if status := exit(run(t.Context(), args, &out, &problems), args, io.Discard); status != statusFound {
		t.Errorf("status %d, want %d", status, statusFound)
	}
	var report doctor.Report
	if err := json.Unmarshal(out.Bytes(), &report); err != nil || len(report.In(doctor.Failed)) == 0 {
		t.Errorf("%v: %s", err, out.String())
	}
	if !strings.Contains(problems.String(), "checking unsigned") {
		t.Errorf("progress: %s", problems.String())
	}
}

func TestDoctorUsage(t *testing.T) {
	for _, args := range [][]string{
		{"doctor", "http://127.0.0.1:1"}, {"doctor", "http://127.0.0.1:1", "--as", "label"},
		{"doctor", "127.0.0.1", "--as", "carrier", "--own"},
		{"doctor", "http://127.0.0.1", "--as", "carrier", "--own", "--start", "node app.mjs"},
		{"doctor", "http://127.0.0.1:1", "--as", "payments", "--own"},
		{"doctor", "http://127.0.0.1:1", "--as", "carrier", "--bound", "0s"},
		{"doctor", "http://127.0.0.1:1", "--as", "carrier", "--own", "--check", "rate"},
	} {
		err := run(t.Context(), args, io.Discard, io.Discard)
		if status := exit(err, args, io.Discard); status != statusUsage {
			t.Errorf("%v: status %d (%v), want %d", args, status, err, statusUsage)
		}
	}
}

// Who interrupts the doctor does not get the status of an endpoint without findings.
func TestDoctorInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	args := []string{"doctor", "http://127.0.0.1:1", "--as", "carrier", "--own"}
	if status := exit(run(ctx, args, io.Discard, io.Discard), args, io.Discard); status != statusFailed {
		t.Errorf("status %d, want %d", status, statusFailed)
	}
}

// A report for CI is written whatever was found, and a skipped check fails the command if that is asked for.
func TestDoctorReport(t *testing.T) {
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }))
	defer app.Close()
	for name, begins := range map[string]string{"report.xml": "<?xml", "report.json": "{"} {
		file := filepath.Join(t.TempDir(), name)
		err := run(t.Context(), []string{"doctor", app.URL, "--as", "webhooks", "--own", "--secret", "s3cret", "--report", file},
			io.Discard, io.Discard)
		raw, failed := os.ReadFile(file)
		if !errors.Is(err, errFound) || failed != nil || !strings.HasPrefix(string(raw), begins) {
			t.Errorf("%v, %v: %.80s", err, failed, raw)
		}
		if !strings.Contains(string(raw), "has failed") { // why a check was skipped
			t.Errorf("%s has no skipped check: %s", name, raw)
		}
	}
}

// Each page that a report names is in the contract, with the section.
func TestDoctorPages(t *testing.T) {
	for _, kind := range doctor.Kinds() {
		raw, err := contract.Files.ReadFile(kind.Page())
		if err != nil {
			t.Fatal(err)
		}
		headings := map[string]bool{}
		for line := range strings.Lines(string(raw)) {
			if title, ok := strings.CutPrefix(line, "## "); ok {
				headings[strings.ReplaceAll(strings.ToLower(strings.TrimSpace(title)), " ", "-")] = true
			}
		}
		app := httptest.NewServer(http.NotFoundHandler())
		defer app.Close()
		args := []string{"doctor", app.URL, "--as", string(kind), "--json", "--control", began(t).control}
		var out bytes.Buffer
		if err := run(t.Context(), args, &out, io.Discard); !errors.Is(err, errFound) {
			t.Fatal(err)
		}
		var report doctor.Report
		if err := json.Unmarshal(out.Bytes(), &report); err != nil {
			t.Fatal(err)
		}
		for _, r := range report.Results {
			page, section, found := strings.Cut(r.Page, "#")
			if page != "client/contract/"+kind.Page() || found && !headings[section] {
				t.Errorf("%s %s: there is no %s", kind, r.Check, r.Page)
			}
		}
	}
}

// The program of --start is examined, started again and ended.
func TestDoctorStarts(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(address)
	dir := t.TempDir()
	file := filepath.Join(dir, "carrier.mjs")
	if err := run(t.Context(), []string{"init", "node", "carrier", file}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	args := []string{"doctor", "http://" + address, "--as", "carrier", "--own", "--json", "--start", "node " + file + " " + port}
	if err := run(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	var report doctor.Report
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"first call", "memory"} {
		if !slices.ContainsFunc(report.In(doctor.Passed), func(r doctor.Result) bool { return r.Check == name }) {
			t.Errorf("%q has not passed: %+v", name, report.Results)
		}
	}
	if conn, err := net.Dial("tcp", address); err == nil {
		conn.Close()
		t.Error("the program still listens")
	}
}

// With --own and --start, an app that makes labels can report them, and no check is skipped. Without --start the report
// names the reason.
func TestDoctorOwnsLabels(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(address)
	program := filepath.Join("..", "..", "refserver", "doctor", "testdata", "gallery", "labels.mjs")
	journal := filepath.Join(t.TempDir(), "labels.ndjson")
	args := []string{"doctor", "http://" + address + "/labels/6f1c8a", "--as", "labels", "--own"}
	start := []string{"--fail-skipped", "--start", "JOURNAL=" + journal + " node " + program + " " + port}
	var out bytes.Buffer
	if err := run(t.Context(), append(args, start...), &out, io.Discard); err != nil {
		t.Errorf("%v: %s", err, &out)
	}
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(202) }))
	defer app.Close()
	args[1], out = app.URL+"/labels", bytes.Buffer{}
	err = run(t.Context(), args, &out, io.Discard)
	const want = "skipped  reported: the app does not have the address of a platform that ends with the examination"
	if !errors.Is(err, errFound) || !strings.Contains(out.String(), want) {
		t.Errorf("%v: %s", err, &out)
	}
}
