package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

func TestMain(m *testing.M) {
	proctest.Example(main)
	goleak.VerifyTestMain(m)
}

func TestConsole(t *testing.T) { proctest.Console(t) }

const moveDispute = "PUT /orders/{order_id}/transactions/{transaction_id}/disputes/{id}"

// verdicts returns what became of each line: "2 done, 3 done".
func verdicts(transcript string) string {
	var all []string
	for line := range strings.Lines(transcript) {
		if f := strings.Fields(line); len(f) > 4 && f[0] == "line" {
			all = append(all, f[1]+" "+f[4])
		}
	}
	return strings.Join(all, ", ")
}

func TestDemonstration(t *testing.T) {
	var out strings.Builder
	if status := run(t.Context(), nil, os.Getenv, &out); status != exitDone {
		t.Fatalf("exit status %d\n%s", status, &out)
	}
	first, second, _ := strings.Cut(out.String(), "\nThe same file again")
	want := "2 done, 3 done, 4 done, 5 done, 6 done, 7 refused, 8 done, 9 refused, 10 done, 11 done, 12 done, 13 done, " +
		"14 refused, 15 done, 16 UNKNOWN, 17 failed, 18 refused, 19 refused, 20 done, 21 done, 22 refused, 23 refused, " +
		"24 refused, 25 refused"
	if got := verdicts(first); got != want {
		t.Errorf("first\n got %s\nwant %s", got, want)
	}
	if got, want := verdicts(second), strings.ReplaceAll(verdicts(first), "done", "before"); got != want {
		t.Errorf("second\n got %s\nwant %s", got, want)
	}
	for part, want := range map[string][]string{
		first: {
			"line   7  CB-1002  lost                refused  closed_at: \"\": must be a time: it is required when status is lost",
			"line  14  CB-1003  insured             refused  status: \"insured\": must be won or lost, which may follow under_review",
			"line  16  CB-1004  needs_response      UNKNOWN  POST ",
			"line  17  CB-1004  under_review        failed   waits for line 16\n",
			"retained_total.value: \"33.01\": must be between 0.00 and the disputed amount, 33.00",
			"line  19  CB-1005  under_review        refused  no dispute of this chargeback was opened\n",
			"line  22  CB-1008  needs_response      refused  POST ",
			"order \"101\", payment \"PAY-9\": no such payment\n", "amount: amount \"1e10000\": must be",
			"24 lines: 13 done, 0 done before, 9 refused, 1 failed, 1 unknown\n15 requests that write\n",
		},
		second: {
			"and no outcome is known; not sent again",
			"24 lines: 0 done, 13 done before, 9 refused, 1 failed, 1 unknown\n0 requests that write\n",
		},
	} {
		for _, line := range want {
			if !strings.Contains(part, line) {
				t.Errorf("%q is missing in\n%s", line, part)
			}
		}
	}
}

// shop is a store with paid orders, and the files of the program.
type shop struct {
	*clienttest.Server
	t    *testing.T
	csv  string // with the payments of the store
	file string // of the record
}

func newShop(t *testing.T) *shop {
	t.Helper()
	srv := clienttest.New(t)
	csv, err := sell(srv)
	if err != nil {
		t.Fatal(err)
	}
	return &shop{srv, t, csv, filepath.Join(t.TempDir(), "chargebacks.db")}
}

// open opens the record for the time of the test, or until it is closed.
func (s *shop) open() *record {
	s.t.Helper()
	r, err := openRecord(s.t.Context(), s.file, s.StoreID())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = r.db.Close() })
	return r
}

// run imports a file and returns the verdicts and the number of requests that wrote.
func (s *shop) run(csv string) (string, int) {
	s.t.Helper()
	rows, err := readRows(strings.NewReader(csv))
	if err != nil {
		s.t.Fatal(err)
	}
	r := s.open()
	defer r.db.Close()
	var out strings.Builder
	sent := writes(s.Server)
	if _, err := newImporter(s.Client(), r).all(s.t.Context(), rows, &out); err != nil {
		s.t.Fatal(err)
	}
	return verdicts(out.String()), writes(s.Server) - sent
}

// steps returns a file of steps "chargeback status withheld closed" about the first payment.
func (s *shop) steps(steps ...string) string {
	header, line, _ := strings.Cut(s.csv, "\n")
	payment := strings.Split(line, ",")[2]
	text := header + "\n"
	for _, step := range steps {
		f := append(strings.Fields(step), "")
		text += fmt.Sprintf("%s,100,%s,%s,unrecognized,12.7,80.00,%s,,ARS,2024-12-02T12:30:15Z,,,,%s\n", f[0], payment, f[1], f[2], f[3])
	}
	return text
}

func (s *shop) fault(f clienttest.Fault) {
	s.t.Helper()
	if err := s.Fault(f); err != nil {
		s.t.Fatal(err)
	}
}

func TestAMoveWithoutAnswerIsReadBeforeItIsRepeated(t *testing.T) {
	for name, test := range map[string]struct {
		fault clienttest.Fault
		again int // requests of the next run: with the move, or without
	}{
		"applied":     {clienttest.Fault{Reset: true, After: true}, 1},
		"not applied": {clienttest.Fault{Reset: true}, 2},
	} {
		s := newShop(t)
		steps := s.steps("CB-1 needs_response 80.00", "CB-1 under_review 80.00", "CB-1 won 0.00 2025-01-05T10:00:00Z")
		test.fault.Operation, test.fault.Count = moveDispute, 1
		s.fault(test.fault)
		if got, _ := s.run(steps); got != "2 done, 3 UNKNOWN, 4 failed" {
			t.Errorf("%s: %s", name, got)
		}
		if got, sent := s.run(steps); got != "2 before, 3 done, 4 done" || sent != test.again {
			t.Errorf("%s: then %s with %d requests", name, got, sent)
		}
	}
}

// A step that was refused is not done later, when the dispute has moved on and the step would pass.
func TestRefusedStepsStayRefused(t *testing.T) {
	s := newShop(t)
	steps := s.steps("CB-1 needs_response 80.00", "CB-1 documentation_sent 80.00", "CB-1 insured 0.00", "CB-1 under_review 80.00")
	for _, want := range []string{"2 done, 3 done, 4 refused, 5 done", "2 before, 3 before, 4 refused, 5 before"} {
		if got, _ := s.run(steps); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	// The corrected line is another one.
	if got, _ := s.run(s.steps("CB-1 needs_response 80.00", "CB-1 insured 1.00")); got != "2 before, 3 done" {
		t.Errorf("corrected: %s", got)
	}
	if got, _ := s.run(s.steps("CB-1 needs_response 79.00")); got != "2 refused" {
		t.Errorf("opened with other values: %s", got)
	}
}

// The command settle ends an opening without a known outcome, once nobody can be at work on it.
func TestAnUnknownOpeningIsSettledByHand(t *testing.T) {
	for _, applied := range []bool{true, false} {
		s := newShop(t)
		steps := s.steps("CB-1 needs_response 80.00", "CB-1 under_review 80.00")
		s.fault(clienttest.Fault{Operation: openDispute, Count: 1, Status: http.StatusBadGateway, After: applied})
		if got, _ := s.run(steps); got != "2 UNKNOWN, 3 failed" {
			t.Errorf("first %s", got)
		}
		args, want := []string{"settle", "CB-1", "none"}, "2 done, 3 done"
		if applied { // the platform's people say where; here it is another dispute of the payment
			args, want = append([]string{"settle", "CB-1"}, s.dispute(steps)...), "2 before, 3 done"
		}
		flags := append([]string{"-base-url", "https://platform.test", "-store-id", s.StoreID().String(), "-journal", s.file}, args...)
		env := func(string) string { return "token" }
		var out strings.Builder
		if status := run(t.Context(), flags, env, &out); status != exitFailed || !strings.Contains(out.String(), "settle CB-1: must be a chargeback whose opening has had no outcome") {
			t.Errorf("at once: exit status %d, %s", status, &out)
		}
		r := s.open()
		if _, err := r.db.ExecContext(t.Context(), "UPDATE commerce_intent SET until = 0"); err != nil { // a minute later
			t.Fatal(err)
		}
		if status := run(t.Context(), flags, env, &out); status != exitDone {
			t.Errorf("exit status %d, %s", status, &out)
		}
		if got, _ := s.run(steps); got != want {
			t.Errorf("%q: then %s, want %s", args, got, want)
		}
	}
}

// dispute opens one with the first line of a file, without the program, and returns the arguments that say where.
func (s *shop) dispute(csv string) []string {
	s.t.Helper()
	rows, err := readRows(strings.NewReader(csv))
	if err != nil {
		s.t.Fatal(err)
	}
	c := s.Client()
	at, err := newImporter(c, nil).find(s.t.Context(), rows[0])
	if err != nil {
		s.t.Fatal(err)
	}
	id, err := v1.Disputes(c).Create(s.t.Context(), at.Order, at.Transaction, rows[0].input)
	if err != nil {
		s.t.Fatal(err)
	}
	return []string{at.Order.String(), at.Transaction.String(), id}
}

func TestFailuresAreTriedAgain(t *testing.T) {
	s := newShop(t)
	steps := s.steps("CB-1 needs_response 80.00", "CB-1 under_review 80.00")
	s.fault(clienttest.Fault{Operation: openDispute, Count: 1, Status: http.StatusForbidden})
	for _, want := range []string{"2 failed, 3 failed", "2 done, 3 done"} {
		if got, _ := s.run(steps); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Two imports at a time open one dispute: the later one does not send what the other one may have sent.
func TestTwoImports(t *testing.T) {
	s := newShop(t)
	steps := s.steps("CB-1 needs_response 80.00")
	if err := s.open().journal.Begin(t.Context(), s.open().intent("CB-1")); err != nil {
		t.Fatal(err)
	}
	if got, sent := s.run(steps); got != "2 UNKNOWN" || sent != 0 {
		t.Errorf("got %s, and %d requests", got, sent)
	}
}
