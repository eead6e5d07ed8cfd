package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/control"
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

// The cart of another shell is not used unless it is named, or that shell has ended.
func TestCartOfAnotherShell(t *testing.T) {
	var in info
	line := begin(t, "--addr", "127.0.0.1:0", "--demo", "--json", "--control", "127.0.0.1:0")
	if err := json.Unmarshal([]byte(line), &in); err != nil {
		t.Fatal(err)
	}
	begun := func(shell int) string {
		t.Helper()
		c, err := control.Dial(in.ControlURL)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.Shell = strconv.Itoa(shell)
		var cart struct{ ID int64 }
		if err := c.Call(t.Context(), http.MethodPost, "stores/1001/carts", nil, &cart); err != nil {
			t.Fatal(err)
		}
		return strconv.FormatInt(cart.ID, 10)
	}
	do := func(args ...string) (string, error) {
		t.Helper()
		var out bytes.Buffer
		err := run(t.Context(), append(args, "--json", "--control", in.ControlURL), &out, new(bytes.Buffer))
		var cart struct {
			ID   int64
			Cart struct{ ID int64 }
		}
		_ = json.Unmarshal(out.Bytes(), &cart) // empty if it was refused
		return strconv.FormatInt(cart.ID+cart.Cart.ID, 10), err
	}
	theirs := begun(os.Getpid()) // this process runs, and is not the parent of the command
	if got, err := do("cart"); !errors.Is(err, errNoCart) || !strings.Contains(err.Error(), "cart "+theirs+" is that of another") {
		t.Errorf("got %s, %v; want no cart in this shell", got, err)
	}
	if got, err := do("cart", "--cart", theirs); err != nil || got != theirs {
		t.Errorf("got %s, %v, want %s, which is named", got, err, theirs)
	}
	mine, err := do("cart", "add")
	if err != nil || mine == theirs {
		t.Fatalf("got %s, %v, want a cart of its own", mine, err)
	}
	begun(os.Getpid())
	if got, err := do("cart", "replay"); err != nil || got != mine {
		t.Errorf("got %s, %v, want %s, which this shell has begun", got, err, mine)
	}
	if _, err := do("buy"); err != nil {
		t.Fatal(err)
	}
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	free := begun(ended.Process.Pid)
	if got, err := do("cart"); err != nil || got != free {
		t.Errorf("got %s, %v, want %s, whose shell has ended", got, err, free)
	}
}

// A shell runs $(…) in a copy of itself, which has its cart. A script that it starts has another.
func TestCartOfCopiedShell(t *testing.T) {
	var in info
	line := begin(t, "--addr", "127.0.0.1:0", "--demo", "--json", "--control", "127.0.0.1:0")
	if err := json.Unmarshal([]byte(line), &in); err != nil {
		t.Fatal(err)
	}
	script := exec.Command("sh", "-c", `
		refserver() { "$TESTED" "$@" --control "$CONTROL"; }
		refserver cart add >/dev/null
		echo "$(refserver cart add --json | tr -d '\n '; true)"
		sh -c '"$TESTED" cart add --json --control "$CONTROL" | tr -d "\n "; true'`)
	script.Env = append(os.Environ(), "TESTED="+os.Args[0], "CONTROL="+in.ControlURL, "COMMERCE_TEST_CHILD=refserver")
	out, err := script.Output()
	if err != nil {
		t.Fatal(err)
	}
	copied, started, _ := strings.Cut(string(out), "\n")
	if !strings.Contains(copied, `"quantity":2`) || !strings.Contains(started, `"quantity":1`) {
		t.Errorf("got %s, want two pieces in the cart of the shell, and %s, want one in a cart of its own", copied, started)
	}
}

// A discount is shown with the text that the customer sees, in each language.
func TestPrintTextOfDiscount(t *testing.T) {
	var cart reply
	if err := json.Unmarshal([]byte(`{"id": 1, "discounts": [{"promotion": "p", "name": "2x1", "amount": "10.00",
		"text": {"pt-br": "Leve 2", "es-ar": "Llevá \u001b[31m2"}}]}`), &cart); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	printCart(&out, cart)
	const want = "  discount\tp\t2x1\tcart\t-10.00\n" +
		"    shown as \"Llevá \uFFFD[31m2\" in es-ar\n    shown as \"Leve 2\" in pt-br\n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("got %q, want %q in it", out.String(), want)
	}
}
