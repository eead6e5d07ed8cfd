package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/disputes"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	chargebacks = "../../testdata/chargebacks.csv"
	moveDispute = "PUT /orders/{order_id}/transactions/{transaction_id}/disputes/{id}"
)

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
	if status := run(t.Context(), []string{"-csv", chargebacks}, os.Getenv, &out); status != exitDone {
		t.Fatalf("exit status %d\n%s", status, &out)
	}
	first, second, _ := strings.Cut(out.String(), "\nThe same file again")
	if got, want := verdicts(first), "2 done, 3 done, 4 done, 5 done, 6 done, 7 refused, 8 done, 9 refused, 10 done, 11 done, 12 done, 13 done, 14 refused, 15 done, "+
		"16 UNKNOWN, 17 failed, 18 refused, 19 refused, 20 done, 21 done, 22 refused, 23 refused, 24 refused, 25 refused"; got != want {
		t.Errorf("first\n got %s\nwant %s", got, want)
	}
	if got, want := verdicts(second), strings.ReplaceAll(verdicts(first), "done", "before"); got != want {
		t.Errorf("second\n got %s\nwant %s", got, want)
	}
	for part, want := range map[string][]string{
		first: {
			"line   7  CB-1002  lost                refused  closed_at: \"\": want a time: it is required when status is lost",
			"line  14  CB-1003  insured             refused  status: \"insured\": want won or lost, which may follow under_review: at most one",
			"line  16  CB-1004  needs_response      UNKNOWN  POST ",
			"line  17  CB-1004  under_review        failed   waits for line 16\n",
			"retained_total.value: \"33.01\": want between 0.00 and the disputed amount, 33.00",
			"line  19  CB-1005  under_review        refused  no dispute of this chargeback was opened\n",
			"line  22  CB-1008  needs_response      refused  POST ",
			"order \"101\", payment \"PAY-9\": no such payment\n", "amount: amount \"1e10000\": want",
			"24 lines: 13 done, 0 done before, 9 refused, 1 failed, 1 unknown\n15 requests that write\n",
		},
		second: {"and no outcome is known; not sent again", "24 lines: 0 done, 13 done before, 9 refused, 1 failed, 1 unknown\n0 requests that write\n"},
	} {
		for _, line := range want {
			if !strings.Contains(part, line) {
				t.Errorf("%q is missing in\n%s", line, part)
			}
		}
	}
}

// shop is a store with paid orders, and the journal of the importer.
type shop struct {
	t       *testing.T
	srv     *clienttest.Server
	api     *v1.API
	journal string
}

func newShop(t *testing.T) *shop {
	t.Helper()
	srv := clienttest.New(t)
	s := &shop{t, srv, v1.New(srv.Client()), filepath.Join(t.TempDir(), "journal")}
	if err := sell(t.Context(), srv.Client(), s.api, 4); err != nil {
		t.Fatal(err)
	}
	return s
}

// run imports a file and returns the verdicts and the number of requests that wrote.
func (s *shop) run(csv string) (string, int) {
	s.t.Helper()
	var out strings.Builder
	sent := writes(s.srv)
	if _, err := importFile(s.t.Context(), s.api, csv, s.journal, &out); err != nil {
		s.t.Fatal(err)
	}
	return verdicts(out.String()), writes(s.srv) - sent
}

// runUntil imports with a journal that dies at its write n.
func (s *shop) runUntil(n int, torn bool) error {
	rows, err := readRows(chargebacks)
	if err != nil {
		s.t.Fatal(err)
	}
	j, err := openJournal(s.journal)
	if err != nil {
		s.t.Fatal(err)
	}
	file := &dying{File: j.file.(*os.File), left: n, torn: torn, sent: func() int { return writes(s.srv) }}
	j.file = file
	_, err = newImporter(s.api, j).all(s.t.Context(), rows, io.Discard)
	if file.look(); file.unsafe {
		s.t.Errorf("killed at write %d: a request was sent before its intent was synced to the disk", n)
	}
	return errors.Join(err, j.close())
}

// applied returns the bodies of the creations that the platform took, or the moves.
func (s *shop) applied(operation string) []string {
	var bodies []string
	for _, r := range s.srv.Requests() {
		if r.Operation == operation && r.Status/100 == 2 {
			bodies = append(bodies, r.Path+" "+string(r.Body))
		}
	}
	return bodies
}

var errKilled = errors.New("killed")

// dying is a journal file of a program that is killed at a write.
type dying struct {
	*os.File
	left int
	torn bool       // whether half of the line reaches the disk
	sent func() int // how many requests that write

	dirty  bool // whether something is written and not synced
	before int  // requests when that was written
	unsafe bool // whether one was sent since then
}

// look notes whether a request was sent on the strength of what may not be on the disk.
func (d *dying) look() { d.unsafe = d.unsafe || d.dirty && d.sent() > d.before }

func (d *dying) Sync() error {
	d.look()
	d.dirty = false
	return d.File.Sync()
}

func (d *dying) Write(p []byte) (int, error) {
	d.look()
	d.dirty, d.before = true, d.sent()
	if d.left--; d.left >= 0 {
		return d.File.Write(p)
	}
	if d.torn {
		_, _ = d.File.Write(p[:len(p)/2])
	}
	return 0, errKilled
}

// The program is killed before and after every request. Whatever the moment, no
// dispute is opened twice and no move is made twice, and the next run does the rest.
func TestKilledAnywhere(t *testing.T) {
	calm := newShop(t)
	whole, _ := calm.run(chargebacks)
	entries, err := os.ReadFile(calm.journal)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(entries)), "\n")
	kills, unknowns := 0, 0
	for n, line := range lines {
		var e entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		// An opening whose outcome was not written down is not known.
		lost := e.Status == disputes.StatusNeedsResponse && e.Outcome != isIntent
		for _, torn := range []bool{false, true} {
			kills++
			s := newShop(t)
			if err := s.runUntil(n, torn); !errors.Is(err, errKilled) {
				t.Fatalf("killed at write %d: %v", n, err)
			}
			got, _ := s.run(chargebacks)
			if isUnknown := strings.Contains(got, "UNKNOWN"); isUnknown != lost {
				t.Errorf("killed at write %d, %s of %s %s: unknown %v, want %v\n%s", n, e.Outcome, e.Chargeback, e.Status, isUnknown, lost, got)
			}
			if lost {
				unknowns++
			} else if want := strings.ReplaceAll(whole, "done", "before"); strings.ReplaceAll(got, "done", "before") != want {
				t.Errorf("killed at write %d, %s of %s %s:\n got %s\nwant %s", n, e.Outcome, e.Chargeback, e.Status, got, want)
			}
			if _, sent := s.run(chargebacks); sent != 0 {
				t.Errorf("killed at write %d: a run more wrote %d times", n, sent)
			}
			for operation, most := range map[string]int{openDispute: len(calm.applied(openDispute)), moveDispute: len(calm.applied(moveDispute))} {
				bodies := s.applied(operation)
				slices.Sort(bodies)
				if len(slices.Compact(slices.Clone(bodies))) != len(bodies) || len(bodies) > most || !lost && len(bodies) != most {
					t.Errorf("killed at write %d: the platform took\n%s", n, strings.Join(bodies, "\n"))
				}
			}
		}
	}
	t.Logf("%d kills, %d openings not known", kills, unknowns)
}

// file writes a CSV of steps "chargeback status withheld closed" about PAY-1.
func file(t *testing.T, steps ...string) string {
	t.Helper()
	text := "chargeback,order,payment,status,reason,network_code,amount,withheld,fee,currency,opened,evidence_due,evidence_url,evidence_sent,closed\n"
	for _, s := range steps {
		f := append(strings.Fields(s), "")
		text += fmt.Sprintf("%s,100,PAY-1,%s,unrecognized,12.7,80.00,%s,,ARS,2024-12-02T12:30:15Z,,,,%s\n", f[0], f[1], f[2], f[3])
	}
	name := filepath.Join(t.TempDir(), "file.csv")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestAMoveWithoutAnswerIsReadBeforeItIsRepeated(t *testing.T) {
	steps := file(t, "CB-1 needs_response 80.00", "CB-1 under_review 80.00", "CB-1 won 0.00 2025-01-05T10:00:00Z")
	for name, test := range map[string]struct {
		fault clienttest.Fault
		again int // requests of the next run: with the move, or without
	}{
		"applied":     {clienttest.Fault{Reset: true, After: true}, 1},
		"not applied": {clienttest.Fault{Reset: true}, 2},
	} {
		s := newShop(t)
		test.fault.Operation, test.fault.Count = moveDispute, 1
		if err := s.srv.Fault(test.fault); err != nil {
			t.Fatal(err)
		}
		if got, _ := s.run(steps); got != "2 done, 3 UNKNOWN, 4 failed" {
			t.Errorf("%s: %s", name, got)
		}
		if got, sent := s.run(steps); got != "2 before, 3 done, 4 done" || sent != test.again || len(s.applied(moveDispute)) > 2 {
			t.Errorf("%s: then %s with %d requests", name, got, sent)
		}
	}
}

// A step that was refused is not taken later, when the dispute has moved on and the
// step would pass.
func TestRefusedStepsStayRefused(t *testing.T) {
	s := newShop(t)
	steps := file(t, "CB-1 needs_response 80.00", "CB-1 documentation_sent 80.00", "CB-1 insured 0.00", "CB-1 under_review 80.00")
	for _, want := range []string{"2 done, 3 done, 4 refused, 5 done", "2 before, 3 before, 4 refused, 5 before"} {
		if got, _ := s.run(steps); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	// The corrected line is another one.
	if got, _ := s.run(file(t, "CB-1 needs_response 80.00", "CB-1 insured 1.00")); got != "2 before, 3 done" {
		t.Errorf("corrected: %s", got)
	}
	if got, _ := s.run(file(t, "CB-1 needs_response 79.00")); got != "2 refused" {
		t.Errorf("opened with other values: %s", got)
	}
}

func TestAnUnknownOpeningIsSettledByHand(t *testing.T) {
	steps := file(t, "CB-1 needs_response 80.00", "CB-1 under_review 80.00")
	for said, want := range map[string]string{
		`{"chargeback":"CB-1","status":"needs_response","outcome":"done","order":%d,"transaction":"%s","dispute":"%s"}`: "2 before, 3 done",
		`{"chargeback":"CB-1","status":"needs_response","outcome":"failed"}`:                                            "2 done, 3 done",
	} {
		s := newShop(t)
		applied := strings.Contains(said, "dispute")
		if err := s.srv.Fault(clienttest.Fault{Operation: openDispute, Count: 1, Status: http.StatusBadGateway, After: applied}); err != nil {
			t.Fatal(err)
		}
		if got, _ := s.run(steps); got != "2 UNKNOWN, 3 failed" {
			t.Errorf("first %s", got)
		}
		if applied {
			said = s.tell(said)
		}
		f, err := os.OpenFile(s.journal, os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = fmt.Fprintln(f, said)
		}
		if err = errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		if got, _ := s.run(steps); got != want {
			t.Errorf("%s: then %s, want %s", said, got, want)
		}
	}
}

// tell fills what the platform's people say into a line of the journal. Here they
// say it of another dispute of the payment, as no endpoint tells.
func (s *shop) tell(line string) string {
	s.t.Helper()
	j, err := openJournal(s.journal)
	if err != nil {
		s.t.Fatal(err)
	}
	intent := j.opened["CB-1"]
	rows, err := readRows(file(s.t, "CB-1 needs_response 80.00"))
	if err != nil {
		s.t.Fatal(err)
	}
	id, err := s.api.Disputes.Create(s.t.Context(), intent.Order, intent.Transaction, rows[0].input)
	if err = errors.Join(err, j.close()); err != nil {
		s.t.Fatal(err)
	}
	return fmt.Sprintf(line, intent.Order, intent.Transaction, id)
}

func TestFailuresAreTriedAgain(t *testing.T) {
	s := newShop(t)
	steps := file(t, "CB-1 needs_response 80.00", "CB-1 under_review 80.00")
	if err := s.srv.Fault(clienttest.Fault{Operation: openDispute, Count: 1, Status: http.StatusForbidden}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2 failed, 3 failed", "2 done, 3 done"} {
		if got, _ := s.run(steps); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A crash in the middle of a write leaves half a line, longer than what comes next.
func TestJournalDropsATornLine(t *testing.T) {
	const whole = `{"chargeback":"CB-1","status":"needs_response","outcome":"intent"}` + "\n"
	name := filepath.Join(t.TempDir(), "journal")
	if err := os.WriteFile(name, []byte(whole+`{"chargeback":"CB-1","why":"`+strings.Repeat("x", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		j, err := openJournal(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := j.opened["CB-1"].Outcome; got != isIntent {
			t.Errorf("read %q, want the intent", got)
		}
		if err := errors.Join(j.record(entry{Chargeback: "CB-1", Status: disputes.StatusUnderReview, Outcome: isIntent}), j.close()); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := os.ReadFile(name); err != nil || strings.Count(string(data), "\n") != 3 || strings.Contains(string(data), "x") {
		t.Errorf("left %s, %v", data, err)
	}
}

func TestWrongUse(t *testing.T) {
	empty, headless, journal := filepath.Join(t.TempDir(), "empty.csv"), filepath.Join(t.TempDir(), "headless.csv"), filepath.Join(t.TempDir(), "journal")
	for name, text := range map[string]string{empty: "", headless: "chargeback,order\nCB-1,100\n", journal: "not JSON\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	platform := []string{"-base-url", "https://api.example.com", "-store-id", "123", "-csv"}
	for _, test := range []struct {
		args  []string
		token client.Secret
		want  string
	}{
		{[]string{"file.csv"}, "", `argument "file.csv": want flags only`},
		{[]string{"-base-url", "https://api.example.com"}, "t", "-store-id or COMMERCE_TOKEN is missing"},
		{platform, "", "flag needs an argument"},
		{platform[:4], "", "-store-id or COMMERCE_TOKEN is missing"},
		{[]string{"-store-id", "1"}, "", "-base-url is missing"},
		{append(slices.Clone(platform), "nowhere.csv"), "t", "nowhere.csv"},
		{append(slices.Clone(platform), empty), "t", "want a line with the names of the columns"},
		{append(slices.Clone(platform), headless), "t", "column payment is missing"},
		{append(slices.Clone(platform), chargebacks, "-journal", journal), "t", "line 1: invalid character"},
	} {
		var out strings.Builder
		env := func(string) string { return string(test.token) }
		if status := run(t.Context(), test.args, env, &out); status != exitFailed || !strings.Contains(out.String(), test.want) {
			t.Errorf("%v: exit status %d, %s\nwant %s", test.args, status, &out, test.want)
		}
	}
	var out strings.Builder
	if status := run(t.Context(), []string{"-h"}, os.Getenv, &out); status != exitDone || !strings.Contains(out.String(), "needs_response opens a dispute") {
		t.Errorf("-h: exit status %d\n%s", status, &out)
	}
}
