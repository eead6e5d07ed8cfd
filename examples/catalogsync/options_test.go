package main

import (
	"bytes"
	"testing"
)

func TestOptions(t *testing.T) {
	real := map[string]string{"COMMERCE_TOKEN": "t", "COMMERCE_BASE_URL": "https://api.example.com", "COMMERCE_STORE_ID": "7"}
	tests := []struct {
		name string
		env  map[string]string
		args []string
		line string
	}{
		{"unknown flag", nil, []string{"-color"}, "flag provided but not defined: -color"},
		{"argument", nil, []string{"catalog.db"}, `argument "catalog.db": want flags only`},
		{"no base URL", nil, []string{"-store-id", "7"}, "-base-url is missing"},
		{"no token", nil, []string{"-base-url", "https://api.example.com", "-store-id", "7"}, "want COMMERCE_TOKEN and -store-id"},
		{"no store", map[string]string{"COMMERCE_TOKEN": "t"}, []string{"-base-url", "https://api.example.com"}, "want COMMERCE_TOKEN and -store-id"},
		{"webhooks without secret", real, []string{"-public-url", "https://app.example", "-follow"}, "need COMMERCE_APP_SECRET"},
		{"variable that is no number", map[string]string{"COMMERCE_STORE_ID": "seven"}, nil, `COMMERCE_STORE_ID "seven"`},
		{"page too large", nil, []string{"-per-page", "201"}, "-per-page 201: want 1 to 200"},
		{"negative overlap", nil, []string{"-overlap", "-1s"}, "-overlap -1s: want 0 or more"},
		{"no time", nil, []string{"-every", "0s"}, "-every 0s: want more than 0"},
		{"no time to compare", nil, []string{"-reconcile", "0s"}, "-reconcile 0s: want more than 0"},
		{"no time to wait", nil, []string{"-wait", "0s"}, "-wait 0s: want more than 0"},
		{"too few products", nil, []string{"-products", "39"}, "-products 39: want 40 or more"},
		{"too few orders", nil, []string{"-orders", "3"}, "-orders 3: want 40 or more"},
		{"those of the demonstration mean nothing", real, []string{"-orders", "3", "-wait", "0s", "-db", "missing/catalog.db"}, "missing/catalog.db"},
		{"address without TLS", real, []string{"-base-url", "http://api.example.com"}, "http"},
		{"no directory", real, []string{"-db", "missing/catalog.db"}, "missing/catalog.db"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			play(t, tt.env, tt.args...).check(t, exitFailed, "catalogsync: ", tt.line)
		})
	}
	play(t, nil, "-h").check(t, exitEqual, "mirrors the products and orders of a store", "-signature-header")
}

func TestProgressOnTerminal(t *testing.T) {
	var out bytes.Buffer
	tr := newTranscript(&out)
	tr.terminal = true
	p := progress{what: "products"}
	tr.progress(&p, 1, 2)
	tr.progress(&p, 3, 2)
	tr.print("done")
	const half, whole = "####################", "########################################"
	want := "\r[" + half + "....................] products: 1 of 2\r[" + whole + "] products: 3 of 3\ndone\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
