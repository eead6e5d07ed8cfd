package res_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// eventOf reads an event: its type, its status, its amount or "default", and a currency other than USD.
func eventOf(text string) object {
	words := append(strings.Fields(text), "USD")
	e := happening(words[0], words[1], words[2])
	e["amount"] = object{"value": words[2], "currency": words[3]}
	if words[2] == "default" {
		delete(e, "amount")
	}
	if words[1] != "failure" {
		delete(e, "failure_code")
	}
	if words[0] == "refund" || words[0] == "void" {
		delete(e, "authorization_code")
	}
	return e
}

// occur plays an event of the first transaction of an order, or makes that transaction.
func (f *shop) occur(token, all string, event object) *httptest.ResponseRecorder {
	f.Helper()
	if made := f.listOf(f.send(token, "GET "+all, nil).Body.Bytes()); len(made) > 0 {
		return f.send(token, fmt.Sprintf("POST %s/%s/events", all, made[0]["id"]), event)
	}
	return f.send(token, "POST "+all, payment(event))
}

// TestEventsByTheTable plays testdata/transaction_events.txt.
func TestEventsByTheTable(t *testing.T) {
	raw, err := os.ReadFile("testdata/transaction_events.txt")
	if err != nil {
		t.Fatal(err)
	}
	f := open(t)
	token := f.cashier()
	o := f.order(0, func(o *world.Order) { o.Currency, o.PaymentStatus = "USD", "pending" })
	order := fmt.Sprintf("/orders/%d", o)
	all := order + "/transactions"
	begin := f.World().Snapshot()
	for line := range strings.Lines(string(raw)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 4 {
			continue
		}
		f.World().Restore(begin)
		for event := range strings.SplitSeq(cells[0], ", ") {
			if strings.TrimSpace(event) == "" {
				continue
			}
			if w := f.occur(token, all, eventOf(event)); w.Code != http.StatusCreated {
				t.Fatalf("%s: %s: %d %s", line, event, w.Code, w.Body)
			}
		}
		w, want := f.occur(token, all, eventOf(cells[1])), strings.TrimSpace(cells[2])
		words := strings.Replace(want, ": ", `":["`, 1)
		switch {
		case w.Code == http.StatusUnprocessableEntity && strings.Contains(w.Body.String(), words):
		case w.Code == http.StatusCreated && slices.Equal(f.statuses(token, order), []string{want}):
		default:
			t.Errorf("%s: %d %s, %v", line, w.Code, w.Body, f.statuses(token, order))
		}
	}
}
