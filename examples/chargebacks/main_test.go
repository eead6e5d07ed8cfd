package main

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

func TestMain(m *testing.M) {
	proctest.Example(main)
	goleak.VerifyTestMain(m)
}

func TestConsole(t *testing.T) { proctest.Console(t) }

func TestDemonstration(t *testing.T) {
	platform := clienttest.New(t)
	var out strings.Builder
	if err := play(t.Context(), platform, filepath.Join(t.TempDir(), "chargebacks.db"), &out); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	want := []string{
		"Monday.",
		"CB-1001 needs_response done dispute ", "CB-1002 needs_response done dispute ",
		"CB-1003 needs_response UNKNOWN POST ",
		`CB-1004 needs_response refused retained_total.value: "33.01": must be between 0.00 and `,
		`CB-1005 needs_response refused order "101", payment "PAY-9": no such payment`,
		"Friday.",
		"CB-1001 won UNKNOWN PUT ", "CB-1002 under_review done dispute ",
		"CB-1003 lost UNKNOWN sent at ", "CB-1004 needs_response done dispute ",
		"CB-1006 lost refused amount: amount \"1e10000\": must be",
		"Friday's file again",
		"CB-1001 won before dispute ", "CB-1002 under_review before dispute ",
		"CB-1003 lost UNKNOWN sent at ", "CB-1004 needs_response before dispute ",
		"CB-1006 lost refused amount: ",
	}
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d\n%s", len(lines), len(want), &out)
	}
	for i, line := range lines {
		if line = strings.Join(strings.Fields(line), " "); !strings.HasPrefix(line, want[i]) {
			t.Errorf("line %d: got %q, want %q", i, line, want[i])
		}
	}
	var writes []string
	for _, r := range platform.Requests() {
		if r.Method != http.MethodGet && strings.Contains(r.Operation, "/disputes") {
			writes = append(writes, r.Path+" "+string(r.Body))
		}
	}
	slices.Sort(writes)
	if all := len(writes); all != 6 || len(slices.Compact(writes)) != all {
		t.Errorf("%d requests wrote, want 6 different ones:\n%s", all, strings.Join(writes, "\n"))
	}
}

// A file that cannot be written to stops the import before anything is sent.
func TestNothingIsSentWithoutRecord(t *testing.T) {
	platform := clienttest.New(t)
	paid, err := platform.Charge(client.Cents(12000))
	if err != nil {
		t.Fatal(err)
	}
	r, err := openRecord(t.Context(), filepath.Join(t.TempDir(), "chargebacks.db"), platform.StoreID())
	if err != nil {
		t.Fatal(err)
	}
	defer r.db.Close()
	r.db.SetMaxOpenConns(1) // the one with the setting
	if _, err := r.db.ExecContext(t.Context(), "PRAGMA query_only = on"); err != nil {
		t.Fatal(err)
	}
	rows, err := readRows(strings.ReplaceAll(monday, "PAY-1", "charge-"+paid.OrderID.String()))
	if err != nil {
		t.Fatal(err)
	}
	v, why := (&importer{platform.Client(), r}).do(t.Context(), rows[0])
	if v != failed || !strings.Contains(why, "readonly") {
		t.Errorf("got %s, %s", v, why)
	}
	for _, r := range platform.Requests() {
		if r.Method != http.MethodGet && strings.Contains(r.Operation, "/disputes") {
			t.Errorf("%s %s was sent", r.Method, r.Path)
		}
	}
}
