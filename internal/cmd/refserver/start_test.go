package main

import (
	"bytes"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// appProgram is an app with all parts, which listens at PORT.
func appProgram() error {
	app := &proctest.App{
		Base: os.Getenv("COMMERCE_BASE_URL"), Secret: os.Getenv("COMMERCE_APP_SECRET"), ID: 2001,
		Transport: http.DefaultTransport, Parts: []string{"webhooks", "discounts", "carrier", "payments"},
		Defect: os.Getenv("DEFECT"),
	}
	println("the app begins")
	return http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), app)
}

// parentProgram starts the app and waits for it, as "go run" does. A signal to it does not reach the app.
func parentProgram() error {
	app := exec.Command(os.Args[0])
	app.Env = append(os.Environ(), "COMMERCE_TEST_CHILD=app")
	app.Stdout, app.Stderr = os.Stdout, os.Stderr
	return app.Run()
}

// The program is started for each scenario, in parallel, with the variables that it needs. Its output is shown if a
// scenario fails.
func TestTestStarts(t *testing.T) {
	var out, problems bytes.Buffer
	line := "COMMERCE_TEST_CHILD=parent '" + os.Args[0] + "'"
	args := []string{"test", "--addr", "127.0.0.1:0", "--start", line, "install", "discount", "purchase"}
	if err := run(t.Context(), args, &out, &problems); err != nil || strings.Count(out.String(), "ok    ") != 3 {
		t.Errorf("%v\n%s%s", err, &out, &problems)
	}
	out.Reset()
	args = []string{"test", "--addr", "127.0.0.1:0", "--start", `DEFECT="never removes a discount" ` + line, "discount"}
	err := run(t.Context(), args, &out, &problems)
	if !errors.Is(err, errFound) || !strings.Contains(problems.String(), "\n   the app begins\n") {
		t.Errorf("%v\n%s%s", err, &out, &problems)
	}
	want, err := os.ReadFile("../../refserver/scenario/testdata/discount.txt")
	if err != nil || out.String() != string(want) {
		t.Errorf("%v: got\n%s\nwant\n%s", err, &out, want)
	}
}

// A program is ended with the processes that it has started.
func TestStartStops(t *testing.T) {
	line := "COMMERCE_TEST_CHILD=parent '" + os.Args[0] + "'"
	p, err := startProgram(t.Context(), line, "", []string{"COMMERCE_BASE_URL=http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	if !listens(t.Context(), p.address) {
		t.Error("it does not listen")
	}
	p.stop()
	if listens(t.Context(), p.address) {
		t.Error("its child still listens")
	}
}

func TestStartFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, tc := range []struct{ line, address, want string }{
		{"true", "", "it ended (exit status 0) before it listened at 127.0.0.1:"},
		{"sh -c 'echo no $PORT; exit 3'", "", "(exit status 3)"},
		{"sh -c 'echo variable; exit 3'", "", "\n   variable\n"},
		{"no-such-program", "", "--start: exec: \"no-such-program\""},
		{"node 'app.mjs", "", "the quote ' must be closed"},
		{"A=1", "", "must name a program"},
		{"true", l.Addr().String(), "another program listens on 127.0.0.1:"},
	} {
		p, err := startProgram(t.Context(), tc.line, tc.address, nil)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %s", tc.line, err, tc.want)
		}
		if p != nil {
			p.stop()
		}
	}
}

func TestWords(t *testing.T) {
	for line, want := range map[string][]string{
		`node  app.mjs`:               {"node", "app.mjs"},
		`'a b' c"d e"f ""`:            {"a b", "cd ef", ""},
		`C:\apps\node.exe 'it''s'`:    {`C:\apps\node.exe`, "its"},
		` php -S "127.0.0.1:1" "a'b"`: {"php", "-S", "127.0.0.1:1", "a'b"},
		"":                            nil,
	} {
		if got, err := wordsOf(line); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v, want %q", line, got, err, want)
		}
	}
}

// Only the end of a long output is kept, from the beginning of a line.
func TestLastOutput(t *testing.T) {
	var o lastOutput
	for range 5000 {
		if n, err := o.Write([]byte("0123456789\n")); n != 11 || err != nil {
			t.Fatal(n, err)
		}
	}
	text := o.text()
	if len(text) > mostOutput || len(text) < mostOutput-11 || !strings.HasPrefix(text, "0123456789\n") {
		t.Errorf("got %d bytes from %.12q", len(text), text)
	}
}

// No two programs that run at the same time get the same port, whether a command or a test starts them.
func TestFreeAddressesDiffer(t *testing.T) {
	seen := map[string]bool{}
	for range 200 {
		address, guard, err := freeAddress()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { guard.Close() })
		seen[address], seen[proctest.Address(t)] = true, true
	}
	if len(seen) != 400 {
		t.Errorf("%d different addresses, want 400", len(seen))
	}
}
