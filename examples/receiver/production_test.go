package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/webhook"
)

// The commands of the page for production do what it says, in its order, in a shell.
func TestInProduction(t *testing.T) {
	page, err := os.ReadFile("../../webhook/docs/production.md")
	if err != nil {
		t.Fatal(err)
	}
	dir, program := t.TempDir(), "receiver"
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const secret, next = "5f2b1c9a7d3e4f60", "9c1d0e2f3a4b5c6d"
	if err := errors.Join(
		os.Symlink(self, filepath.Join(dir, program)),
		os.WriteFile(filepath.Join(dir, "app.secrets"), []byte(secret), 0o600),
		letters(t.Context(), filepath.Join(dir, "mirror.db")),
	); err != nil {
		t.Fatal(err)
	}
	srv := clienttest.New(t)
	if err := srv.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	token, err := srv.Install()
	if err != nil {
		t.Fatal(err)
	}
	script, expected := commands(string(page))
	shell := exec.CommandContext(t.Context(), "sh", "-eu", "-c",
		strings.NewReplacer("127.0.0.1:8080", free(t), "127.0.0.1:8081", free(t)).Replace(script))
	shell.Dir = dir
	shell.Env = append(os.Environ(), proctest.Program+"=1", "PATH="+dir+":"+os.Getenv("PATH"), "BASE_URL="+srv.URL(),
		"STORE_ID="+strconv.Itoa(int(srv.StoreID())), "COMMERCE_TOKEN="+string(token), "SECRET="+secret, "NEXT_SECRET="+next)
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // the shell and the program that it starts
	shell.Cancel = func() error { return syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) }
	var out bytes.Buffer
	shell.Stdout, shell.Stderr = &out, &out
	if err := shell.Run(); err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "receiver.log"))
		t.Fatalf("%v\n%s\n%s", err, out.String(), log)
	}
	rest := out.String()
	for _, want := range expected {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Errorf("the output lacks %q after what came before it:\n%s", want, out.String())
		}
		rest = after
	}
	if len(expected) < 9 {
		t.Errorf("%d commands say what they print, want 9 or more", len(expected))
	}
}

// commands returns what is in the shell blocks of a page, and what the comments say that the commands print.
func commands(page string) (script string, expected []string) {
	inside := false
	for line := range strings.Lines(page) {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = strings.TrimSpace(line) == "```sh"
			continue
		case !inside:
			continue
		}
		script += line
		if _, comment, ok := strings.Cut(line, "   # "); ok && !strings.Contains(comment, "status") {
			expected = append(expected, strings.TrimSpace(comment))
		}
	}
	return script, expected
}

// letters leaves the dead deliveries of the demonstration in an inbox, and one that has a trace.
func letters(ctx context.Context, path string) error {
	db, err := openDatabase(ctx, path)
	if err != nil {
		return err
	}
	traced := new(webhook.Registry).Entry("", webhook.OrderPaid.Name, []byte(`{"store_id":1234,"event":"order/paid","id":7}`))
	traced.Trace, traced.Unhandled = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "event without a handler"
	_, err = db.inbox.Accept(ctx, traced)
	return errors.Join(err, exhibit(ctx, db), db.close())
}

// free returns an address that nobody listens at.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// A file of secrets that is wrong changes nothing.
func TestSecretsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.secrets")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("next\ncurrent\n")
	set, reread, err := readSecrets(options{secrets: path})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "a\nb\nc\n"} {
		write(text)
		if _, err := reread(); err == nil || strings.Contains(err.Error(), "b") && strings.Contains(err.Error(), "a\nb") {
			t.Errorf("%q was read: %v", text, err)
		}
	}
	if got := fmt.Sprint(len(set.Current()), set.Current()[0] == client.Secret("next")); got != "2 true" {
		t.Errorf("the secrets are %s, want the two of before", got)
	}
}
