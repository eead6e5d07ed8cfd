package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

func TestWrongUse(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"empty.csv": "", "headless.csv": "chargeback,order\nCB-1,100\n", "old.journal": "{\"chargeback\":\"CB-1\"}\n", "good.csv": builtIn}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	platform := []string{"-base-url", "https://api.example.com", "-store-id", "123", "-journal", filepath.Join(dir, "new.db")}
	with := func(args ...string) []string { return append(slices.Clone(platform), args...) }
	for _, test := range []struct {
		args  []string
		token client.Secret
		want  string
	}{
		{[]string{"file.csv"}, "", `argument "file.csv": must be flags`},
		{[]string{"-base-url", "https://api.example.com"}, "t", "-base-url requires -store-id, -csv, and COMMERCE_TOKEN"},
		{with("-csv"), "", "flag needs an argument"},
		{with("-csv", "good.csv"), "", "-base-url requires -store-id, -csv, and COMMERCE_TOKEN"},
		{with("-console", "127.0.0.1:0"), "t", "-console is for the demonstration only"},
		{[]string{"-store-id", "1"}, "", "-base-url is missing"},
		{[]string{"settle", "CB-1", "none"}, "", "-base-url is missing"},
		{with("settle", "CB-1"), "t", "must be CHARGEBACK none, or"},
		{with("settle", "CB-1", "x", "y", "z"), "t", `order "x": must be its id`},
		{with("settle", "CB-1", "7", "y", "z"), "t", `transaction "y": `},
		{with("-csv", "nowhere.csv"), "t", "nowhere.csv"},
		{with("-csv", filepath.Join(dir, "empty.csv")), "t", "empty.csv: the first line must have the names of the columns"},
		{with("-csv", filepath.Join(dir, "headless.csv")), "t", "column payment is missing"},
		{with("-csv", filepath.Join(dir, "good.csv"), "-journal", filepath.Join(dir, "old.journal")), "t", "old.journal: "},
	} {
		var out strings.Builder
		env := func(string) string { return string(test.token) }
		if status := run(t.Context(), test.args, env, &out); status != exitFailed || !strings.Contains(out.String(), test.want) {
			t.Errorf("%v: exit status %d, %s\nwant %s", test.args, status, &out, test.want)
		}
	}
	if old, err := os.ReadFile(filepath.Join(dir, "old.journal")); err != nil || string(old) != files["old.journal"] {
		t.Errorf("a file that is not a journal was changed: %q, %v", old, err)
	}
	var out strings.Builder
	if status := run(t.Context(), []string{"-h"}, os.Getenv, &out); status != exitDone || !strings.Contains(out.String(), "needs_response opens a dispute") {
		t.Errorf("-h: exit status %d\n%s", status, &out)
	}
}

// A full disk, or a file that was made read-only, stops the import before anything is sent.
func TestNothingIsSentWithoutRecord(t *testing.T) {
	s := newShop(t)
	r := s.open()
	if _, err := r.db.ExecContext(t.Context(), "PRAGMA query_only = on"); err != nil {
		t.Fatal(err)
	}
	r.db.SetMaxOpenConns(1) // the one with the setting
	rows, err := readRows(strings.NewReader(s.csv))
	if err != nil {
		t.Fatal(err)
	}
	status, err := newImporter(s.Client(), r).all(t.Context(), rows, new(strings.Builder))
	if err == nil || status != exitFailed || writes(s.Server) > 0 || errors.Is(err, client.ErrOutcomeUnknown) {
		t.Errorf("status %d, %v, and %d requests", status, err, writes(s.Server))
	}
}
