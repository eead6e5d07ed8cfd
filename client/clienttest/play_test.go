package clienttest_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// played returns the handlers of an app with the parts, and a defect if it is not empty.
func played(defect string, parts ...string) func(*clienttest.Server) map[string]http.Handler {
	return func(s *clienttest.Server) map[string]http.Handler {
		return map[string]http.Handler{proctest.Origin: &proctest.App{
			Base: s.URL(), Secret: string(s.App().Secret), ID: int64(s.App().ID), Transport: s.Transport(), Parts: parts,
			Defect: defect,
		}}
	}
}

// report collects what a test reports.
type report struct {
	testing.TB
	failed, logged strings.Builder
}

func (*report) Helper()                           {}
func (*report) Context() context.Context          { return context.Background() }
func (r *report) Errorf(format string, of ...any) { fmt.Fprintf(&r.failed, format, of...) }
func (r *report) Logf(format string, of ...any)   { fmt.Fprintf(&r.logged, format, of...) }

func TestPlay(t *testing.T) {
	r := new(report)
	clienttest.Play(r, clienttest.Scenarios{}, played("", "webhooks", "discounts", "carrier", "payments"))
	if r.failed.Len() > 0 || strings.Count(r.logged.String(), "ok    ") != 11 {
		t.Errorf("%s%s", r.failed.String(), r.logged.String())
	}
}

// Scenarios of parts that the app lacks are not run, and a defect fails the test with the step.
func TestPlayFails(t *testing.T) {
	r := new(report)
	clienttest.Play(r, clienttest.Scenarios{}, played("refuses repetitions", "webhooks"))
	if got := r.failed.String(); !strings.HasPrefix(got, "FAIL  webhook-outage: step 14 of 14, deliveries: every webhook has arrived") {
		t.Errorf("got %q", got)
	}
	if got := r.logged.String(); !strings.Contains(got, "skip  rates: the app has no carrier") {
		t.Errorf("got %q", got)
	}
}

// The report of a failed step is that of the command "refserver test", whose test has the same file.
func TestPlayReports(t *testing.T) {
	const dir = "../../internal/refserver/scenario/"
	file, err := os.ReadFile(dir + "shipped/discount.json")
	want, missing := os.ReadFile(dir + "testdata/discount.txt")
	if err != nil || missing != nil {
		t.Fatal(err, missing)
	}
	r := new(report)
	files := fstest.MapFS{"discount.json": {Data: file}}
	clienttest.Play(r, clienttest.Scenarios{Files: files}, played("never removes a discount", "discounts"))
	if got := r.failed.String(); got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The scenarios of an app may be in files of its own; nil runs those that ship.
func ExamplePlay() {
	files := fstest.MapFS{"sale.json": {Data: []byte(`{
		"does": "an order is paid",
		"steps": [
			{"act": "sales.new", "with": {"amount": "12.50"}, "as": "sale"},
			{"act": "call", "with": {"call": "GET /orders/${sale.order}"}, "expect": {"answer.payment_status": "paid"}}
		]
	}`)}}
	t := new(report) // a *testing.T in a test
	clienttest.Play(t, clienttest.Scenarios{Files: files}, func(*clienttest.Server) map[string]http.Handler {
		return map[string]http.Handler{"https://app.example": http.NotFoundHandler()} // the handler of your app
	})
	fmt.Print(t.failed.String(), t.logged.String())
	// Output: ok    sale: 2 steps
}
