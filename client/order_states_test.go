package client

import (
	"strings"
	"testing"
)

// knows checks that the words are known, in no other case, and not any word.
func knows[S interface {
	~string
	Known() bool
}](t *testing.T, words string) {
	t.Helper()
	for word := range strings.FieldsSeq(words) {
		if !S(word).Known() {
			t.Errorf("%T %s is not known", S(""), word)
		}
		if other := strings.ToUpper(word); other != word && S(other).Known() {
			t.Errorf("%T %s is known; want only the contract's word", S(""), other)
		}
	}
	for _, word := range []string{"", "unheard"} {
		if S(word).Known() {
			t.Errorf("%T %q is known", S(""), word)
		}
	}
}

func TestOrderEnumsKnowTheContract(t *testing.T) {
	knows[OrderStatus](t, "open closed cancelled")
	knows[PaymentStatus](t, "authorized pending paid abandoned refunded voided partially_paid partially_refunded pending_confirmation unpaid")
	knows[ShippingStatus](t, "unpacked fulfilled unfulfilled in_preparation packed partially_packed partially_fulfilled unshipped shipped delivered")
	knows[NextAction](t, "noop close waiting_ipn waiting_manual_confirmation waiting_packing waiting_pickup waiting_client_pickup waiting_shipment")
	knows[Storefront](t, "store meli api form pos")
	knows[CancelReason](t, "customer fraud inventory other")
	knows[BillingCustomerType](t, "person company")
	knows[PickupType](t, "ship pickup non-shippable")
	knows[InventoryBehaviour](t, "bypass claim")
	knows[ValueStatus](t, "PENDING CANCELLED PAID")
	knows[GatewayMethod](t, "credit_card debit_card cash wire_transfer pix other")
	knows[ProductChangeType](t, "ADD REMOVED")
	knows[RefundStatus](t, "success skipped failed")
	knows[DraftDiscountType](t, "percentage absolute")
	knows[FulfillmentStatus](t, "UNPACKED PACKED DISPATCHED READY_FOR_PICKUP DELIVERED MARKED_AS_FULFILLED READY_FOR_SHIP PENDING")
	knows[FulfillmentDiscountType](t, "SHIPPING PROMOTION PAYMENT_METHOD TOTAL_OF_DISCOUNTS")
	knows[CarrierCode](t, "api custom locale international native draft default")
	knows[Weekday](t, "MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY")
	knows[TrackingStatus](t, "dispatched received_by_post_office in_transit out_for_delivery delivery_attempt_failed delayed ready_for_pickup delivered returned_to_sender lost failure custom_drone")
	knows[LabelStatus](t, "STARTED IN_PROGRESS FAILED CANCELED READY_TO_DOWNLOAD READY_TO_USE DOWNLOADED SUSPENDED")
}
