package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client/contract"
)

func TestContract(t *testing.T) {
	page, err := contract.Files.ReadFile("discounts.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args, prints, fails string
	}{
		{"contract", "examples/cart.json\n", ""},
		{"contract --json", `{"name":"examples/cart.json"}` + "\n", ""},
		{"contract discounts.md", string(page), ""},
		{"contract discount.md", "", "the nearest is discounts.md"},
		{"contract ../doc.go", "", "must be a file of the contract"},
	} {
		var out bytes.Buffer
		err := run(t.Context(), strings.Fields(c.args), &out, io.Discard)
		if !strings.Contains(out.String(), c.prints) {
			t.Errorf("refserver %s printed %s, want %s", c.args, &out, c.prints)
		}
		if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("refserver %s: error %v, want %q", c.args, err, c.fails)
		}
	}
}
