package paymentstest

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/payments"
)

// RunLedger tests a ledger. The first call of open in a test must return an empty ledger. Later calls in the same test,
// identified by t.Name, must return another handle on the same ledger, as another replica has it. A method Prune
// like that of payments.MemoryLedger is tested too.
func RunLedger(t *testing.T, open func(t *testing.T) payments.Ledger) {
	for name, test := range map[string]func(t *testing.T, one, other payments.Ledger){
		"Begin": begin, "BeginAtOnce": beginAtOnce, "Swap": swap, "SwapAtOnce": swapAtOnce, "Values": values, "Find": find,
		"Open": opened, "Ended": ended, "Cancel": cancel, "CancelAtOnce": cancelAtOnce, "Prune": prune,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t), open(t)) })
	}
}

// payment returns the entry of a new payment.
func payment(key string) payments.Entry {
	at := time.Date(2026, 7, 1, 12, 0, 0, 1000, time.UTC)
	return payments.Entry{
		Key: key, State: payments.StateBegun, Call: payments.CallProcess, Owner: "one", Tries: 1,
		About:  payments.About{StoreID: 7, OrderID: 8, PaymentAttemptID: client.Code("attempt of " + key)},
		Amount: providers.Amount{Value: client.Cents(1050), Currency: "ARS"}, BegunAt: at, ChangedAt: at, SignedAt: at,
		Request: json.RawMessage(`{"a":[1.50,9007199254740993]}`),
	}
}

// begun begins a new entry.
func begun(t *testing.T, l payments.Ledger, e payments.Entry) payments.Entry {
	t.Helper()
	stored, created, err := l.Begin(t.Context(), e)
	if err != nil || !created {
		t.Fatalf("Begin: created %v, %v", created, err)
	}
	return stored
}

// swapped replaces an entry.
func swapped(t *testing.T, l payments.Ledger, e payments.Entry) {
	t.Helper()
	if ok, err := l.Swap(t.Context(), e); !ok || err != nil {
		t.Fatalf("Swap: %v, %v, want true", ok, err)
	}
}

// stored reads an entry by calling Begin again.
func stored(t *testing.T, l payments.Ledger, key string) payments.Entry {
	t.Helper()
	e, created, err := l.Begin(t.Context(), payment(key))
	if err != nil || created {
		t.Fatalf("%s: created %v, %v, want the entry that is there", key, created, err)
	}
	return e
}

func keys(entries []payments.Entry) (all []string) {
	for _, e := range entries {
		all = append(all, e.Key)
	}
	return all
}

func begin(t *testing.T, one, other payments.Ledger) {
	first := begun(t, one, payment("a"))
	if first.Version != 1 {
		t.Errorf("version %d of a new entry, want 1", first.Version)
	}
	second := payment("a")
	second.Amount.Value = client.Cents(1)
	got, created, err := other.Begin(t.Context(), second)
	if err != nil || created || got.Amount.Value.String() != "10.50" || got.Version != 1 {
		t.Errorf("a second Begin of the key: %+v, created %v, %v, want the first entry", got.Amount, created, err)
	}
}

func beginAtOnce(t *testing.T, one, other payments.Ledger) {
	var created atomic.Int32
	var all sync.WaitGroup
	for n := range 32 {
		all.Go(func() {
			e := payment("a")
			e.Owner = fmt.Sprint(n)
			_, ok, err := []payments.Ledger{one, other}[n%2].Begin(context.Background(), e)
			if err != nil {
				t.Error(err)
			}
			if ok {
				created.Add(1)
			}
		})
	}
	all.Wait()
	if n := created.Load(); n != 1 {
		t.Errorf("%d of 32 calls began the operation, want 1", n)
	}
}

func swap(t *testing.T, one, other payments.Ledger) {
	if ok, err := one.Swap(t.Context(), payment("missing")); ok || err != nil {
		t.Errorf("Swap of an entry that is not there: %v, %v, want false", ok, err)
	}
	e := begun(t, one, payment("a"))
	late := e
	e.State, e.Owner = payments.StateMoved, "two"
	swapped(t, other, e)
	late.Owner = "late"
	if ok, err := one.Swap(t.Context(), late); ok || err != nil {
		t.Errorf("Swap of an old version: %v, %v, want false", ok, err)
	}
	if got := stored(t, one, "a"); got.Version != 2 || got.State != payments.StateMoved || got.Owner != "two" {
		t.Errorf("got version %d, %s by %s, want 2, moved by two", got.Version, got.State, got.Owner)
	}
}

func swapAtOnce(t *testing.T, one, other payments.Ledger) {
	e := begun(t, one, payment("a"))
	var won atomic.Int32
	var all sync.WaitGroup
	for n := range 32 {
		all.Go(func() {
			next := e
			next.Owner = fmt.Sprint(n)
			ok, err := []payments.Ledger{one, other}[n%2].Swap(context.Background(), next)
			if err != nil {
				t.Error(err)
			}
			if ok {
				won.Add(1)
			}
		})
	}
	all.Wait()
	if n := won.Load(); n != 1 {
		t.Errorf("%d of 32 calls replaced the version, want 1", n)
	}
}

// values checks that all values of an entry are preserved.
func values(t *testing.T, one, other payments.Ledger) {
	e := begun(t, one, payment("a"))
	event := providers.EventInput{
		Amount: e.Amount, Type: providers.EventTypeSale, Status: providers.EventSuccess, AuthorizationCode: "OK-1",
		HappenedAt: client.At(e.BegunAt), Info: providers.EventInfo{
			Message: "ü", FraudScore: "0.10", RiskLevel: providers.RiskLevelHigh, AcceptURL: "https://a/1", CancelURL: "https://a/2",
			Extra: client.Extra{"n": json.RawMessage(`{"b":1,"a":"ü"}`)},
		},
	}
	e.Transaction = &providers.TransactionInput{
		PaymentProviderID: uuid.MustParse("6f1c1c52-5f0e-4f7e-9a55-0d3b6f1f2a10"), FirstEvent: event, PaymentAttemptID: "x",
		PaymentMethod: providers.PaymentMethodInput{Type: providers.MethodTypeCreditCard, ID: "visa"},
		Info: providers.InfoInput{
			ExternalID: "p-1", Installments: client.Set(providers.InstallmentsInput{Quantity: 3, Interest: "0.0650"}),
			MerchantCharges:   []providers.Charge{{Type: providers.ChargeTypeTax, Amount: e.Amount, Description: "ü"}},
			ConsumerDiscounts: []providers.ConsumerDiscount{{Type: providers.DiscountTypeOther, Amount: e.Amount}},
		},
	}
	e.Event, e.Refusal, e.Answer = &event, payments.RefundRefusalRejected, json.RawMessage(`{"url":"https://a"}`)
	e.TransactionID, e.Tries = uuid.MustParse("7f1c1c52-5f0e-4f7e-9a55-0d3b6f1f2a10"), 7
	e.ReportedAt, e.LastError = e.BegunAt.Add(time.Microsecond), "no\nanswer"
	swapped(t, one, e)
	e.Version++
	form := func(e payments.Entry) string {
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if got, want := form(stored(t, other, "a")), form(e); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func find(t *testing.T, one, other payments.Ledger) {
	transaction := uuid.MustParse("6f1c1c52-5f0e-4f7e-9a55-0d3b6f1f2a10")
	paid := begun(t, one, payment("paid"))
	paid.State, paid.TransactionID = payments.StateReported, transaction
	swapped(t, one, paid)
	refund := payment("back")
	refund.Call, refund.PaymentAttemptID, refund.TransactionID = payments.CallRefund, "", transaction
	refund.BegunAt = refund.BegunAt.Add(time.Hour)
	begun(t, one, refund)
	elsewhere := payment("elsewhere")
	elsewhere.StoreID, elsewhere.TransactionID = 9, transaction
	begun(t, one, elsewhere)
	for _, test := range []struct {
		about payments.About
		want  []string
	}{
		{payments.About{StoreID: 7, TransactionID: transaction}, []string{"paid", "back"}},
		{payments.About{StoreID: 9}, []string{"elsewhere"}},
		{payments.About{PaymentAttemptID: "attempt of paid"}, []string{"paid"}},
		{payments.About{StoreID: 7, OrderID: 8, ClientID: "ignored"}, []string{"paid", "back"}},
		{payments.About{StoreID: 7, OrderID: 9}, nil},
		{payments.About{ClientID: "ignored"}, nil},
	} {
		got, err := other.Find(t.Context(), test.about)
		if err != nil || !reflect.DeepEqual(keys(got), test.want) {
			t.Errorf("Find %+v: %v, %v, want %v", test.about, keys(got), err, test.want)
		}
	}
}

func opened(t *testing.T, one, other payments.Ledger) {
	for key, state := range map[string]payments.State{
		"c": payments.StateBegun, "a": payments.StateMoved, "b": payments.StateReported, "d": payments.StateRefused,
		"e": payments.StateClosed, "f": payments.StateBegun, "g": payments.StateCancelled,
	} {
		e := begun(t, one, payment(key))
		e.State = state
		swapped(t, one, e)
	}
	for _, test := range []struct {
		after string
		n     int
		want  []string
	}{{"", 10, []string{"a", "c", "f"}}, {"", 2, []string{"a", "c"}}, {"a", 10, []string{"c", "f"}}, {"f", 10, nil}} {
		got, err := other.Open(t.Context(), test.after, test.n)
		if err != nil || !reflect.DeepEqual(keys(got), test.want) {
			t.Errorf("Open after %q: %v, %v, want %v", test.after, keys(got), err, test.want)
		}
	}
}

// ended checks that a ledger does nothing after the end of a context.
func ended(t *testing.T, one, _ payments.Ledger) {
	e := begun(t, one, payment("a"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, created, err := one.Begin(ctx, payment("b")); created || err == nil {
		t.Errorf("Begin: created %v, %v, want an error", created, err)
	}
	if ok, err := one.Swap(ctx, e); ok || err == nil {
		t.Errorf("Swap: %v, %v, want an error", ok, err)
	}
	if _, err := one.Open(ctx, "", 1); err == nil {
		t.Error("Open: no error")
	}
}
