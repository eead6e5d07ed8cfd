package res_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func usd(value string) object { return object{"value": value, "currency": "USD"} }

// chargeback is a body that opens a dispute about 100.00, of which nothing is
// withheld.
func chargeback(more object) object {
	return with(object{
		"reason_code": "fraudulent_activity", "external_reason_code": "fraud", "amount": usd("100.00"), "retained_total": usd("0.00"),
		"initiated_at": "2024-12-02T12:30:15.123Z",
	}, more)
}

// ruling is a body that moves a dispute; it has a time for those that end it.
func ruling(status, retained string, more object) object {
	return with(object{"status": status, "retained_total": usd(retained), "closed_at": "2025-01-05T10:00:00Z"}, more)
}

// charged makes an order with a transaction of 100.00 that is paid, and returns the
// path of its disputes.
func (f *shop) charged() (path string) {
	f.Helper()
	order := f.order(0, func(o *world.Order) { o.Currency = "USD" })
	f.alter(func(tx *world.Tx) error {
		t := world.Transaction{ID: tx.NewUUID(), OrderID: order, MethodType: "credit_card", Status: world.TransactionPaid, Captured: decimal.NewFromInt(100), Currency: "USD", CreatedAt: tx.Now()}
		path = fmt.Sprintf("/orders/%d/transactions/%s/disputes", order, t.ID)
		return tx.Transactions.Put(t.ID, t)
	})
	return path
}

// dispute opens one and returns its path.
func (f *shop) dispute(token, disputes string, more object) string {
	f.Helper()
	made := f.as(token, "POST "+disputes, chargeback(more))
	if key, ok := made["id"].(string); len(made) != 1 || !ok || len(key) != 24 {
		f.Errorf("the answer to a create: got %v, want an id of 24 digits and nothing else", made)
	}
	return fmt.Sprint(disputes, "/", made["id"])
}

// TestDisputeOnTheWire has every field, in the words of the published example.
func TestDisputeOnTheWire(t *testing.T) {
	f := open(t)
	token := f.payer()
	disputes := f.charged()
	order, rest, _ := strings.Cut(disputes, "/transactions/")
	before := f.as(token, "GET "+strings.TrimSuffix(disputes, "/disputes"), nil)
	beforeOrder := f.object("GET "+order, nil)
	f.events()
	path := f.dispute(token, disputes, object{"fees": array{object{"type": "processing_fee", "amount": usd("5.00")}}, "status": "won"})
	step := object{"status": "needs_response", "transitioned_at": "2024-12-02T12:30:15.123Z", "retained_delta": usd("0.00"), "retained_total": usd("0.00"), "retained_settled_amount": nil}
	want := object{
		"id": path[strings.LastIndex(path, "/")+1:], "store_id": fmt.Sprint(f.store.ID), "app_id": fmt.Sprint(f.appOf(token)), "order_id": order[len("/orders/"):],
		"transaction_id": strings.TrimSuffix(rest, "/disputes"), "reason_code": "fraudulent_activity", "external_reason_code": "fraud",
		"amount": usd("100.00"), "transaction_amount": usd("100.00"), "initiated_at": "2024-12-02T12:30:15.123Z", "evidence_url": nil, "evidence_sent_at": nil,
		"closed_at": nil, "status": "needs_response", "evidence_due_at": nil, "retained_total": usd("0.00"), "retained_settled_amount": nil,
		"fees": array{object{"type": "processing_fee", "amount": usd("5.00")}}, "history": array{step},
	}
	if got := f.as(token, "GET "+path, nil); !reflect.DeepEqual(got, plain(want)) {
		t.Errorf("got %v\nwant %v", got, plain(want))
	}

	settled := object{"value": "105000.00", "currency": "ARS", "exchange_rate": object{"value": "1050.000", "from": "USD"}}
	f.change(token, path, object{"status": "documentation_sent", "retained_total": usd("100.00"), "retained_settled_amount": settled,
		"evidence_url": "https://files.pay.example/1.pdf", "evidence_sent_at": "2024-12-03T09:00:00-03:00"})
	f.want(f.as(token, "GET "+path, nil), object{
		"status": "documentation_sent", "retained_total": usd("100.00"), "retained_settled_amount": settled, "history.2": "absent",
		"history.1":    object{"status": "documentation_sent", "transitioned_at": "2025-01-01T12:00:00.000Z", "retained_delta": usd("100.00"), "retained_total": usd("100.00"), "retained_settled_amount": settled},
		"evidence_url": "https://files.pay.example/1.pdf", "evidence_sent_at": "2024-12-03T12:00:00.000Z",
	})
	f.change(token, path, object{"status": "under_review", "retained_total": usd("40.00"), "retained_settled_amount": nil, "evidence_sent_at": nil})
	f.want(f.as(token, "GET "+path, nil), object{"history.2.retained_delta": usd("-60.00"), "retained_settled_amount": nil,
		"evidence_url": "https://files.pay.example/1.pdf", "evidence_sent_at": nil})

	f.wantEvents()
	if got := f.as(token, "GET "+strings.TrimSuffix(disputes, "/disputes"), nil); !reflect.DeepEqual(got, before) {
		t.Errorf("the dispute changed its transaction: %v", got)
	}
	if got := f.object("GET "+order, nil); !reflect.DeepEqual(got, beforeOrder) {
		t.Errorf("the dispute changed its order: %v", got)
	}
}

// TestDisputeOfEachReason opens one with every member that is optional.
func TestDisputeOfEachReason(t *testing.T) {
	f := open(t)
	token := f.payerWithRoom()
	disputes := f.charged()
	for _, reason := range strings.Fields(`bank_cannot_process check_returned credit_not_processed customer_initiated debit_not_authorized
		duplicate_transaction fraudulent_activity incorrect_account_details insufficient_funds product_not_received product_unacceptable
		subscription_canceled unrecognized`) {
		path := f.dispute(token, disputes, object{"reason_code": reason, "external_reason_code": "10.4", "retained_total": usd("100.00"), "fees": nil,
			"evidence_url": "https://files.pay.example/1.pdf", "evidence_sent_at": "2024-12-03", "evidence_due_at": "2024-12-20T00:00:00+0000",
			"retained_settled_amount": object{"value": "90.00", "currency": "EUR", "exchange_rate": object{"value": 0.9, "from": "USD"}}})
		f.want(f.as(token, "GET "+path, nil), object{"reason_code": reason, "external_reason_code": "10.4", "fees": array{}, "retained_total": usd("100.00"),
			"history.0.retained_delta": usd("100.00"), "evidence_sent_at": "2024-12-03T00:00:00.000Z", "evidence_due_at": "2024-12-20T00:00:00.000Z",
			"evidence_url": "https://files.pay.example/1.pdf", "retained_settled_amount.exchange_rate": object{"value": "0.9", "from": "USD"}})
	}
}

// payerWithRoom is a payer in a world where a transaction may have many disputes.
func (f *shop) payerWithRoom() string {
	f.Helper()
	l := f.World().Limits()
	l.Disputes = 1000
	f.World().SetLimits(l)
	return f.payer()
}

// TestDisputesPerTransaction opens a hundred at once: three are made, whichever
// apps report them.
func TestDisputesPerTransaction(t *testing.T) {
	f := open(t)
	tokens := []string{f.cashier(), f.payer()}
	disputes, other := f.charged(), f.charged()
	f.wantAtOnce(100, map[int]int{http.StatusCreated: 3, http.StatusUnprocessableEntity: 97}, func(i int) int {
		return f.serve(tokens[i%2], "POST "+disputes, chargeback(nil)).Code
	})
	f.dispute(tokens[0], other, nil)
	order, _, _ := strings.Cut(disputes, "/transactions/")
	second := f.pay(tokens[0], order, payment(happening("sale", "success", "1.00")))
	f.dispute(tokens[0], fmt.Sprintf("%s/transactions/%s/disputes", order, second["id"]), nil)
}

// TestDisputesAreTheAppsOwn lets a stranger, a poor app and other versions try.
func TestDisputesAreTheAppsOwn(t *testing.T) {
	f := open(t)
	token, stranger := f.payer(), f.payer()
	disputes, elsewhere := f.charged(), f.charged()
	path := f.dispute(token, disputes, nil)
	strange := f.dispute(stranger, disputes, nil)
	poor := f.install(world.Scopes{"read_payments", "write_orders"})
	plainApp := f.install(world.Scopes{"write_payments"})
	for _, c := range []struct {
		name, token, version, path string
		want                       int
	}{
		{"the app", token, "v1", path, 200},
		{"the app in unstable", token, "unstable", path, 200},
		{"the app in 2025-03", token, "2025-03", path, 404},
		{"a stranger", stranger, "v1", path, 404},
		{"the stranger's own", stranger, "v1", strange, 200},
		{"the app and the stranger's", token, "v1", strange, 404},
		{"an app without the scope", poor, "v1", path, 403},
		{"an app with the scope and no feature", plainApp, "v1", path, 404},
		{"another transaction", token, "v1", elsewhere + path[strings.LastIndex(path, "/"):], 404},
	} {
		got := f.send(c.token, c.version+" GET "+c.path, nil)
		if got.Code != c.want {
			t.Errorf("%s: GET %d %s, want %d", c.name, got.Code, got.Body, c.want)
		}
		begin, want := f.World().Snapshot(), c.want
		if want == http.StatusOK {
			want = http.StatusNoContent
		}
		if got := f.send(c.token, c.version+" PUT "+c.path, ruling("under_review", "0.00", nil)); got.Code != want {
			t.Errorf("%s: PUT %d %s, want %d", c.name, got.Code, got.Body, want)
		}
		f.World().Restore(begin)
	}
	for version, want := range map[string]int{"v1": 201, "unstable": 201, "2025-03": 404} {
		if got := f.send(token, version+" POST "+elsewhere, chargeback(nil)).Code; got != want {
			t.Errorf("POST in %s: %d, want %d", version, got, want)
		}
	}
	if got := f.send(poor, "POST "+elsewhere, chargeback(nil)).Code; got != http.StatusForbidden {
		t.Errorf("POST without the scope: %d", got)
	}
	f.dispute(plainApp, elsewhere, nil)
	f.wantStatus(http.StatusMethodNotAllowed, "DELETE "+path, nil)
	f.wantStatus(http.StatusMethodNotAllowed, "GET "+disputes, nil)
}

// TestWhatDisputesIgnore sends what the status makes the platform ignore, also in a
// form that would be refused otherwise.
func TestWhatDisputesIgnore(t *testing.T) {
	f := open(t)
	token := f.payerWithRoom()
	disputes := f.charged()
	bad := object{"evidence_url": "http://files.pay.example/2.pdf", "evidence_sent_at": "soon"}
	for _, status := range []string{"won", "lost"} {
		path := f.dispute(token, disputes, object{"evidence_url": "https://files.pay.example/1.pdf"})
		f.change(token, path, ruling(status, "0.00", bad))
		f.want(f.as(token, "GET "+path, nil), object{"status": status, "evidence_url": "https://files.pay.example/1.pdf", "evidence_sent_at": nil, "closed_at": "2025-01-05T10:00:00.000Z"})
	}
	for _, status := range []string{"documentation_sent", "under_review", "insured"} {
		for _, closed := range []any{"2025-01-05T10:00:00Z", "never", 7, nil} {
			path := f.dispute(token, disputes, nil)
			f.change(token, path, ruling(status, "0.00", object{"closed_at": closed, "amount": usd("1.00"), "reason_code": "unrecognized", "fees": array{}}))
			f.want(f.as(token, "GET "+path, nil), object{"status": status, "closed_at": nil, "amount": usd("100.00"), "reason_code": "fraudulent_activity"})
		}
	}
}

// TestTypicalRunsOfRetention plays those that the contract tells of.
func TestTypicalRunsOfRetention(t *testing.T) {
	f := open(t)
	token := f.payerWithRoom()
	disputes := f.charged()
	for name, run := range map[string]string{
		"win directly":                  "won:0.00",
		"lose directly":                 "lost:100.00",
		"under review, then lost":       "under_review:100.00 lost:100.00",
		"under review, then won":        "under_review:100.00 won:0.00",
		"insured, then lost":            "under_review:100.00 insured:0.00 lost:0.00",
		"documents, review, won":        "documentation_sent:100.00 under_review:100.00 won:0.00",
		"insured, review again, lost":   "under_review:100.00 insured:0.00 under_review:0.00 lost:0.00",
		"insured at once, then review":  "insured:0.00 under_review:100.00 won:0.00",
		"partly withheld, and released": "under_review:33.33 won:0.00",
	} {
		path := f.dispute(token, disputes, nil)
		var told []string
		for _, part := range strings.Fields(run) {
			status, retained, _ := strings.Cut(part, ":")
			f.change(token, path, ruling(status, retained, nil))
			f.want(f.as(token, "GET "+path, nil), object{"status": status, "retained_total": usd(retained)})
		}
		got := f.as(token, "GET "+path, nil)
		steps, _ := got["history"].(array)
		for _, s := range steps[1:] {
			told = append(told, fmt.Sprint(at(s, "status"), ":", at(s, "retained_total.value")))
		}
		if !slices.Equal(told, strings.Fields(run)) {
			t.Errorf("%s: the history tells %v, want %s", name, told, run)
		}
	}
}

// TestAmountOfTheTransaction is of transactions that captured nothing yet.
func TestAmountOfTheTransaction(t *testing.T) {
	f := open(t)
	token := f.cashier()
	order := fmt.Sprintf("/orders/%d", f.order(0, func(o *world.Order) { o.Currency = "USD" }))
	for first, want := range map[string]object{"sale success": usd("7.00"), "authorization success": usd("7.00"), "sale pending": usd("7.00")} {
		kind, status, _ := strings.Cut(first, " ")
		made := f.pay(token, order, payment(happening(kind, status, "7.00")))
		path := f.dispute(token, fmt.Sprintf("%s/transactions/%s/disputes", order, made["id"]), nil)
		f.want(f.as(token, "GET "+path, nil), object{"transaction_amount": want})
	}
}

// TestHeaderOfDisputes is of a strict server, which insists on the form that is stated
// for disputes in v1 too.
func TestHeaderOfDisputes(t *testing.T) {
	s := refserver.New(refserver.Options{Strict: true})
	defer s.Close()
	shop, err := seed.Empty(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	for header, want := range map[string]int{"Authorization: Bearer ": http.StatusNotFound, "Authentication: bearer ": http.StatusUnauthorized} {
		name, value, _ := strings.Cut(header, ": ")
		r := httptest.NewRequest(http.MethodGet, fmt.Sprintf("http://api.example/v1/%d/orders/1/transactions/%s/disputes/1", shop.Store.ID, provider), nil)
		r.Header.Set("User-Agent", "Test (test@app.example)")
		r.Header.Set(name, value+shop.Install.Token)
		w := httptest.NewRecorder()
		if s.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%s: %d, want %d", header, w.Code, want)
		}
	}
}
