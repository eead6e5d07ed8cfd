package res_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
)

// TestStatusesOfGoodAnswers spells out what every POST is answered. The contract leaves
// the statuses of pages and billing open; 201 is what a create is answered elsewhere.
func TestStatusesOfGoodAnswers(t *testing.T) {
	want := map[string]int{}
	for status, ops := range map[int]string{
		201: `products.create variants.create images.create categories.create customers.create coupons.create locations.create
			productCustomFields.create variantCustomFields.create customerCustomFields.create categoryCustomFields.create
			orderCustomFields.create metafields.create scripts.create pages.create draftOrders.create orders.create
			fulfillments.create trackingEvents.create webhooks.create shipping_carriers.create carrier_options.create
			promotions.create payment_providers.create transactions.create transactions.createEvent disputes.create
			billing.createPlan billing.createCharge price_tables.create
			blogs.createPost blogs.uploadMedia blogs.uploadThumbnail external_invoices.create`,
		202: "labels.create",
		204: "price_tables.approveCustomers",
		200: `variants.stock checkouts.addCoupon draftOrders.confirm orders.close orders.open orders.cancel orders.pack
			orders.fulfill orders.edit labels.download`,
	} {
		for op := range strings.FieldsSeq(ops) {
			want[op] = status
		}
	}
	for _, op := range res.Ops() {
		if op.Method != "POST" {
			continue
		}
		if got := cmp.Or(op.Success, 200); got != want[op.ID] {
			t.Errorf("%s is answered %d, want %d", op.ID, got, want[op.ID])
		}
		delete(want, op.ID)
	}
	for op := range want {
		t.Errorf("no POST is called %s", op)
	}
}
