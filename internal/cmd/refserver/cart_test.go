package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// Scripts that run at the same time name a cart of their own by the variable. --cart goes before it.
func TestCartOfVariable(t *testing.T) {
	var in info
	line := begin(t, "--addr", "127.0.0.1:0", "--demo", "--json", "--control", "127.0.0.1:0")
	if err := json.Unmarshal([]byte(line), &in); err != nil {
		t.Fatal(err)
	}
	do := func(args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if err := run(t.Context(), append(args, "--control", in.ControlURL), &out, new(bytes.Buffer)); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		return strings.TrimSpace(out.String())
	}
	mine, other := do("cart", "new", "--id"), do("cart", "new", "--id")
	if mine == other {
		t.Fatalf("both carts have the id %s", mine)
	}
	t.Setenv(cartVariable, mine)
	do("cart", "add")
	for args, want := range map[string]bool{"cart": true, "cart --cart " + other: false} {
		var cart struct {
			Lines []any `json:"lines"`
		}
		if err := json.Unmarshal([]byte(do(append(strings.Fields(args), "--json")...)), &cart); err != nil {
			t.Fatal(err)
		}
		if (len(cart.Lines) > 0) != want {
			t.Errorf("%s: %d lines", args, len(cart.Lines))
		}
	}
	bought := do("buy")
	if !strings.HasPrefix(bought, "order ") {
		t.Error(bought)
	}
	if err := run(t.Context(), []string{"cart", "add", "--id", "--control", in.ControlURL}, new(bytes.Buffer), new(bytes.Buffer)); err == nil {
		t.Error("--id was accepted with add")
	}
}
