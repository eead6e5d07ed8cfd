package main

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

// agent is a client of the protocol.
type agent struct {
	*testing.T
	in    io.Writer
	out   *bufio.Reader
	calls int
}

// newAgent starts the command against a server.
func newAgent(t *testing.T, d demo) *agent {
	t.Helper()
	in, w := io.Pipe()
	r, out := io.Pipe()
	e := &env{stdout: out, stderr: io.Discard}
	ended := make(chan error, 1)
	var err error
	if e.remote, err = control.Dial(d.control); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.remote.Close)
	go func() { ended <- serveMCP(t.Context(), e, in) }()
	t.Cleanup(func() {
		w.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return &agent{T: t, in: w, out: bufio.NewReader(r)}
}

// ask makes a request and reads its answer.
func (a *agent) ask(method string, params any) (result map[string]any, code int) {
	a.Helper()
	a.calls++
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": a.calls, "method": method, "params": params})
	if err != nil {
		a.Fatal(err)
	}
	return a.send(string(raw))
}

func (a *agent) send(line string) (result map[string]any, code int) {
	a.Helper()
	if _, err := io.WriteString(a.in, line+"\n"); err != nil {
		a.Fatal(err)
	}
	answer, err := a.out.ReadBytes('\n')
	if err != nil {
		a.Fatal(err)
	}
	var got struct {
		Version string `json:"jsonrpc"`
		Result  map[string]any
		Error   struct{ Code int }
	}
	if err := json.Unmarshal(answer, &got); err != nil || got.Version != "2.0" {
		a.Fatalf("%v: %s", err, answer)
	}
	return got.Result, got.Error.Code
}

// call calls a tool and returns its text.
func (a *agent) call(tool string, arguments map[string]any) (text string, failed bool) {
	a.Helper()
	got, code := a.ask("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if code != 0 {
		a.Fatalf("%s: error %d", tool, code)
	}
	return got["content"].([]any)[0].(map[string]any)["text"].(string), got["isError"].(bool)
}

// An agent lists the tools, plays a cart and reads the verdict. What the platform refuses is a result that says why.
func TestAgent(t *testing.T) {
	a := newAgent(t, began(t))
	if got, code := a.ask("initialize", map[string]any{"protocolVersion": "2025-03-26"}); code != 0 || got["protocolVersion"] != mcpVersion {
		t.Errorf("initialize: %v, %d", got, code)
	}
	if _, err := io.WriteString(a.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	listed, _ := a.ask("tools/list", nil)
	if n := len(listed["tools"].([]any)); n != len(acts()) {
		t.Errorf("%d tools, want %d", n, len(acts()))
	}
	variants, failed := a.call("entities", map[string]any{"resource": "variants", "limit": 1})
	var page struct{ Items []struct{ ID json.Number } }
	if err := json.Unmarshal([]byte(variants), &page); failed || err != nil || len(page.Items) != 1 {
		t.Fatalf("variants: %v, %s", err, variants)
	}
	made, failed := a.call("carts_new", map[string]any{"language": "en"})
	var cart struct{ ID json.Number }
	if err := json.Unmarshal([]byte(made), &cart); failed || err != nil || cart.ID == "" {
		t.Fatalf("carts_new: %v, %s", err, made)
	}
	added, failed := a.call("carts_add", map[string]any{"cart": cart.ID, "variant": page.Items[0].ID, "quantity": 2})
	if failed || !strings.Contains(added, `"runs"`) {
		t.Errorf("carts_add: %s", added)
	}
	if got, failed := a.call("carts_add", map[string]any{"cart": cart.ID, "variant": 7, "quantity": 1}); !failed || !strings.Contains(got, "variant") {
		t.Errorf("a variant that does not exist: %v, %s", failed, got)
	}
	if got, failed := a.call("carts_add", map[string]any{"variant": 7}); !failed || !strings.Contains(got, "cart: must be among") {
		t.Errorf("no cart: %v, %s", failed, got)
	}
	read, code := a.ask("resources/read", map[string]any{"uri": scheme + "discounts.md"})
	if code != 0 || !strings.Contains(read["contents"].([]any)[0].(map[string]any)["text"].(string), "800") {
		t.Errorf("resources/read: %v, %d", read, code)
	}
	for line, want := range map[string]int{
		`{`: badJSON,
		`{"jsonrpc":"2.0","id":1,"method":"tools/fall"}`:                                            noMethod,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"carts_bye"}}`:              badParams,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"contract:///../x.go"}}`: badParams,
	} {
		if _, code := a.send(line); code != want {
			t.Errorf("%s: error %d, want %d", line, code, want)
		}
	}
}

// The names of tools are those that every agent may have, and no argument means two things.
func TestToolsAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range acts() {
		name := toolName(a.Name)
		if seen[name] || len(name) > 64 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_-") != "" {
			t.Errorf("tool %q is there twice, or has a name that agents refuse", name)
		}
		seen[name] = true
		for _, other := range append(a.Parameters(), parameters(a)...) {
			if slices.ContainsFunc(a.Members(), func(m act.Member) bool { return m.Name == other }) {
				t.Errorf("%s: %q is a parameter and a member", name, other)
			}
		}
	}
}
