//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The commands of the page about a purchase do what it says, in a shell with curl and node.
func TestPurchaseWithCurl(t *testing.T) {
	for _, name := range []string{"sh", "curl", "node"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err) // only vectors require node
		}
	}
	raw, err := os.ReadFile("../../refserver/control/purchase.md")
	if err != nil {
		t.Fatal(err)
	}
	var script, app, said strings.Builder
	language := ""
	for line := range strings.Lines(string(raw)) {
		fence, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		_, comment, ends := strings.Cut(line, "   # ")
		whole, begins := strings.CutPrefix(line, "# ")
		switch {
		case isFence:
			language = fence
		case language == "js":
			app.WriteString(line)
		case language == "sh":
			script.WriteString(line)
			if ends {
				said.WriteString(comment)
			} else if begins {
				said.WriteString(whole)
			}
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	partner := l.Addr().String()
	_, port, _ := net.SplitHostPort(partner)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	var in info
	line := begin(t, "--addr", "127.0.0.1:0", "--demo", "--json", "--control", "127.0.0.1:0", "--partner", "https://app.example=http://"+partner)
	if err := json.Unmarshal([]byte(line), &in); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "partner.mjs"), []byte(app.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	at := strings.NewReplacer("http://127.0.0.1:8082/_/api", strings.TrimSuffix(in.ControlURL, "/"), "127.0.0.1:3000", partner, "partner.mjs 3000", "partner.mjs "+port)
	shell := exec.CommandContext(t.Context(), "sh", "-eu", "-c", at.Replace(script.String()))
	shell.Dir = dir
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // the shell and the app that it starts
	shell.Cancel = func() error { return syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) }
	var out, problems bytes.Buffer
	shell.Stdout, shell.Stderr = &out, &problems
	err = shell.Run()
	_ = syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) // if the script ended before its end
	if err != nil || out.String() != said.String() || said.Len() == 0 {
		t.Errorf("%v\n%s\n%s\nwant\n%s", err, out.String(), problems.String(), said.String())
	}
}
