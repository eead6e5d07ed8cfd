package disputes_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/disputes"
)

// Short names for the table below.
const (
	nr = disputes.StatusNeedsResponse
	ds = disputes.StatusDocumentationSent
	in = disputes.StatusInsured
	ur = disputes.StatusUnderReview
	wo = disputes.StatusWon
	lo = disputes.StatusLost
)

var statuses = []disputes.Status{nr, ds, in, ur, wo, lo}

// lives holds, by hand from the contract, every way a dispute can have come to its
// state as far as that matters, and all states that may follow.
var lives = []struct {
	past []disputes.Status
	next []disputes.Status
}{
	{[]disputes.Status{nr}, []disputes.Status{ds, ur, in, wo, lo}},
	{[]disputes.Status{nr, ds}, []disputes.Status{ur}},
	{[]disputes.Status{nr, ur}, []disputes.Status{wo, lo, in}},
	{[]disputes.Status{nr, ds, ur}, []disputes.Status{wo, lo, in}},
	{[]disputes.Status{nr, in}, []disputes.Status{ur, wo, lo}},
	{[]disputes.Status{nr, ur, in}, []disputes.Status{ur, wo, lo}},
	{[]disputes.Status{nr, in, ur}, []disputes.Status{wo, lo}},
	{[]disputes.Status{nr, ur, in, ur}, []disputes.Status{wo, lo}},
	{[]disputes.Status{nr, wo}, nil},
	{[]disputes.Status{nr, lo}, nil},
	{[]disputes.Status{nr, ds, ur, in, ur, wo}, nil},
	{[]disputes.Status{nr, in, lo}, nil},
}

// retentions holds values of retained_total for a dispute about 25.50 ARS.
var retentions = []struct {
	value, currency string
	lawful          bool
}{
	{"0.00", currency, true},
	{"0", currency, true}, // which is written as 0.00
	{"0.01", currency, true},
	{"10.00", currency, true},
	{"25.5", currency, true},
	{"25.50", currency, true},
	{"25.51", currency, false},
	{"-0.01", currency, false},
	{"10000000.00", currency, false},
	{"10.005", currency, false},
	{"10.00", "USD", false},
	{"10.00", "pesos", false},
	{"0.00", "", false},
}

// living returns a dispute with the past.
func living(past []disputes.Status) *disputes.Dispute {
	d := &disputes.Dispute{ID: "67654a1d7f0000f100f03533", OrderID: 7, TransactionID: someID, Amount: lawful.Amount, RetainedTotal: lawful.RetainedTotal}
	for _, s := range past {
		d.History = append(d.History, disputes.Change{Status: s})
		d.Status = s
	}
	return d
}

func TestTimelineAgreesWithTheContract(t *testing.T) {
	cases := 0
	for _, life := range lives {
		d := living(life.past)
		if got := d.Timeline().Next(); !slices.Equal(got, life.next) {
			t.Errorf("after %v may come %v, want %v", life.past, got, life.next)
		}
		for _, to := range append(statuses, "appealed", "") {
			for _, retained := range retentions {
				for _, closed := range []client.Time{{}, day} {
					cases++
					u := disputes.Update{Status: to, ClosedAt: closed, RetainedTotal: disputes.Amount{Value: client.MustMoney(retained.value), Currency: retained.currency}}
					want := slices.Contains(life.next, to) && retained.lawful && (!closed.IsZero() || to != wo && to != lo)
					err := d.Timeline().Check(u)
					if (err == nil) != want || err != nil && !errors.Is(err, client.ErrValidation) {
						t.Errorf("%v to %s with %s %s, closed at %v: %v, want lawful %v", life.past, to, retained.value, retained.currency, closed, err, want)
					}
					after, err := d.Timeline().After(u)
					if want && (err != nil || after.Status != to || !after.Retained.Equal(u.RetainedTotal)) || !want && err == nil {
						t.Errorf("%v to %s: %+v, %v", life.past, to, after, err)
					}
				}
			}
		}
	}
	t.Logf("%d cases", cases)
}

func TestTimelineReadsHistories(t *testing.T) {
	review := []disputes.Status{wo, lo}
	for name, change := range map[string]func(*disputes.Dispute){
		"as it comes":             func(*disputes.Dispute) {},
		"newest first":            func(d *disputes.Dispute) { slices.Reverse(d.History) },
		"without the first state": func(d *disputes.Dispute) { d.History = d.History[1:] },
		"without the last state":  func(d *disputes.Dispute) { d.History = d.History[:len(d.History)-1] },
		"with a state twice":      func(d *disputes.Dispute) { d.History = slices.Insert(d.History, 2, d.History[2]) },
	} {
		d := living([]disputes.Status{nr, ur, in, ur})
		change(d)
		if got := d.Timeline(); got.Status != ur || !slices.Equal(got.Next(), review) {
			t.Errorf("%s: %s, then %v; want %v", name, got.Status, got.Next(), review)
		}
	}
	for _, life := range lives {
		d := living(life.past)
		slices.Reverse(d.History)
		if got := d.Timeline().Next(); !slices.Equal(got, life.next) {
			t.Errorf("after %v, newest first, may come %v, want %v", life.past, got, life.next)
		}
		if d.History[0].Status != life.past[len(life.past)-1] {
			t.Errorf("after %v: the history of the dispute was turned round", life.past)
		}
	}
	bare := &disputes.Dispute{Status: in, Amount: lawful.Amount}
	if got := bare.Timeline().Next(); !slices.Equal(got, []disputes.Status{ur, wo, lo}) {
		t.Errorf("insured without a history: %v", got)
	}
	// What no platform should say: insured for the second time.
	if got := living([]disputes.Status{nr, ur, in, ur, in}).Timeline().Next(); !slices.Equal(got, review) {
		t.Errorf("insured twice: %v", got)
	}
}

// A plan is checked as a whole before the dispute is even created.
func TestTimelineFollowsEveryPlan(t *testing.T) {
	for _, life := range lives {
		now := lawful.Timeline()
		for _, to := range life.past[1:] {
			var err error
			if now, err = now.After(disputes.Update{Status: to, RetainedTotal: money("0.00"), ClosedAt: day}); err != nil {
				t.Errorf("%v: %v", life.past, err)
			}
		}
		if !slices.Equal(now.Next(), life.next) {
			t.Errorf("after %v may come %v, want %v", life.past, now.Next(), life.next)
		}
	}
}

func TestTransitionsAreTheContracts(t *testing.T) {
	var got []string
	for _, row := range disputes.Transitions() {
		words := []string{string(row.From), string(row.To)}
		if row.Once {
			words = append(words, "once")
		}
		if row.ClosedAt {
			words = append(words, "closed_at")
		}
		got = append(got, strings.Join(words, " "))
	}
	want := []string{
		"needs_response documentation_sent",
		"needs_response under_review",
		"needs_response insured",
		"needs_response won closed_at",
		"needs_response lost closed_at",
		"documentation_sent under_review",
		"under_review won closed_at",
		"under_review lost closed_at",
		"under_review insured once",
		"insured under_review once",
		"insured won closed_at",
		"insured lost closed_at",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	disputes.Transitions()[0].To = lo
	if disputes.Transitions()[0].To != ds {
		t.Error("a caller changed the table")
	}
}
