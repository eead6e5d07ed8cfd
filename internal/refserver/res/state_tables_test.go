package res_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
)

// TestTablesOfOrders spells the tables out: what happens in a state, and what it
// leads to.
func TestTablesOfOrders(t *testing.T) {
	wantTable(t, res.OrderStates(), map[string]string{"open": "close:closed cancel:cancelled", "closed": "open:open cancel:cancelled", "cancelled": ""})
	const byHand = " mark-as-paid:paid"
	anew := "pending:pending authorized:authorized partially_paid:partially_paid paid:paid voided:voided"
	wantTable(t, res.PaymentStates(), map[string]string{
		"pending":            without(anew, "pending:pending") + byHand,
		"authorized":         without(anew, "authorized:authorized") + byHand,
		"abandoned":          anew + byHand,
		"voided":             without(anew, "voided:voided"),
		"partially_paid":     "paid:paid partially_refunded:partially_refunded refunded:refunded" + byHand,
		"paid":               "partially_paid:partially_paid partially_refunded:partially_refunded refunded:refunded",
		"partially_refunded": "refunded:refunded",
		"refunded":           "partially_refunded:partially_refunded",
	})
	// on is what becomes of an event by its status: success, pending, failure or error.
	on := func(kind, success, pending, failed string) string {
		return " " + kind + "-success:" + success + " " + kind + "-pending:" + pending + " " + kind + "-failure:" + failed + " " + kind + "-error:" + failed
	}
	reviewed := on("in_fraud_analysis", "in_fraud_analysis", "in_fraud_analysis", "failed") + on("needs_merchant_review", "needs_merchant_review", "needs_merchant_review", "failed")
	begun := on("authorization", "authorized", "pending", "failed") + on("sale", "paid", "pending", "failed") + reviewed
	waiting := func(state string) string { return begun + on("void", "voided", state, state) }
	given := func(state string) string {
		return on("refund", "refunded", state, state) + " refund-success:partially_refunded"
	}
	wantTable(t, res.TransactionStates(), map[string]string{
		"":                      begun,
		"pending":               waiting("pending") + on("expiration", "expired", "pending", "pending"),
		"in_fraud_analysis":     waiting("in_fraud_analysis") + on("capture", "paid", "in_fraud_analysis", "in_fraud_analysis"),
		"needs_merchant_review": waiting("needs_merchant_review") + on("capture", "paid", "needs_merchant_review", "needs_merchant_review"),
		"authorized":            reviewed + on("void", "voided", "authorized", "authorized") + on("capture", "paid", "authorized", "authorized"),
		"paid":                  on("capture", "paid", "paid", "paid") + given("paid"),
		"partially_refunded":    given("partially_refunded"),
		"refunded":              "", "voided": "", "expired": "", "failed": "",
	})
}

func TestTablesOfDraftsCheckoutsAndLabels(t *testing.T) {
	wantTable(t, res.DraftStates(), map[string]string{
		"open": "confirm:confirmed delete:deleted", "closed": "delete:deleted", "cancelled": "delete:deleted", "confirmed": "", "deleted": "",
	})
	wantTable(t, res.CheckoutStates(), map[string]string{
		"revivable": "make-a-cart:revivable read:revivable attach-a-coupon:revivable too-old-for-a-cart:readable",
		"readable":  "read:readable attach-a-coupon:readable too-old-to-read:kept",
		"kept":      "attach-a-coupon:kept too-old-to-keep:deleted",
		"deleted":   "",
	})
	wantTable(t, res.LabelStates(), map[string]string{
		"STARTED":           "report:IN_PROGRESS report:CANCELED refuse:FAILED expire:FAILED",
		"IN_PROGRESS":       "report:FAILED report:CANCELED report:READY_TO_DOWNLOAD expire:FAILED",
		"READY_TO_DOWNLOAD": "fetch:READY_TO_USE",
		"READY_TO_USE":      "report:CANCELED download:DOWNLOADED",
		"DOWNLOADED":        "report:CANCELED",
		"FAILED":            "", "CANCELED": "",
	})
}

func without(ways, way string) string { return strings.Replace(ways, way, "", 1) }

func wantTable[S ~string](t *testing.T, m api.Machine[S], want map[string]string) {
	t.Helper()
	if len(want) != len(m.States) {
		t.Errorf("%s: %d states, want %d", m.Name, len(m.States), len(want))
	}
	for _, from := range m.States {
		var got []string
		for _, e := range m.Edges {
			if e.From == from {
				got = append(got, strings.ReplaceAll(e.On, " ", "-")+":"+string(e.To))
			}
		}
		ways := strings.Fields(want[string(from)])
		slices.Sort(got)
		slices.Sort(ways)
		if !slices.Equal(got, ways) {
			t.Errorf("%s, %q: got %v, want %v", m.Name, from, got, ways)
		}
	}
}
