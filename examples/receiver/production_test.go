package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// The commands of the page for production do what it says, in its order, in a shell that begins in an empty directory.
// Only the address of the repository and the ports are those of the test.
func TestInProduction(t *testing.T) {
	page, err := os.ReadFile("../../webhook/docs/production.md")
	if err != nil {
		t.Fatal(err)
	}
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	script, expected := commands(string(page))
	clone := "git clone --quiet https://github.com/commerceplatform/commerce-go"
	if !strings.HasPrefix(script, clone+"\n") {
		t.Fatalf("the page begins with %.80q, want %q", script, clone)
	}
	replaced := []string{clone, "ln -s '" + repository + "' commerce-go"}
	for _, port := range []string{"8080", "8081", "8082", "8083"} {
		replaced = append(replaced, "127.0.0.1:"+port, proctest.Address(t))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // a loop of the page may never end
	defer cancel()
	shell := exec.CommandContext(ctx, "sh", "-eu", "-c", strings.NewReplacer(replaced...).Replace(script))
	shell.Dir = t.TempDir()
	shell.Env = append(os.Environ(), "GOFLAGS="+proctest.BuildFlags()) // with the packages that are compiled already
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}            // the shell and the programs that it starts
	end := func() error { return syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) }
	shell.Cancel, shell.WaitDelay = end, time.Minute
	var out bytes.Buffer
	shell.Stdout, shell.Stderr = &out, &out
	if err := shell.Run(); err != nil {
		_ = end() // what the shell has started, and perhaps nothing
		log, _ := os.ReadFile(filepath.Join(shell.Dir, "receiver.log"))
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
