package res

import (
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type draftJSON struct {
	ID      int64 `json:"id"`
	StoreID any   `json:"store_id"`
	Number  int   `json:"number"` // 0 until it is confirmed
	saleJSON
	shippingJSON
	draftStateJSON
	ShippingAddress any `json:"shipping_address"`
}

// newDraftJSON is a draft in the answer to its creation, where the shipping address
// is flat.
type newDraftJSON struct {
	ID      int64 `json:"id"`
	StoreID int64 `json:"store_id"`
	Number  int   `json:"number"`
	saleJSON
	shippingJSON
	draftStateJSON
	flatAddressJSON
	AbandonedCheckoutURL string `json:"abandoned_checkout_url"`
}

// draftStateJSON is what only drafts have in this form. Dates that no draft has
// are null.
type draftStateJSON struct {
	Note           *string         `json:"note"`
	OwnerNote      *string         `json:"owner_note"`
	CompletedAt    completedAtJSON `json:"completed_at"`
	Customer       *struct{}       `json:"customer"` // null: confirming creates it
	CancelReason   *string         `json:"cancel_reason"`
	CancelledAt    any             `json:"cancelled_at"`
	ClosedAt       any             `json:"closed_at"`
	ReadAt         any             `json:"read_at"`
	ShippedAt      any             `json:"shipped_at"`
	PaidAt         any             `json:"paid_at"`
	Status         string          `json:"status"`
	PaymentStatus  string          `json:"payment_status"`
	ShippingStatus string          `json:"shipping_status"`
	LandingURL     *string         `json:"landing_url"`
	ClientDetails  clientDetails   `json:"client_details"`
	AppID          *int64          `json:"app_id"`
	SaleChannel    *string         `json:"sale_channel"`
	CheckoutURL    string          `json:"checkout_url"`
	RiskManagement struct{}        `json:"risk_management"` // of stores in Brazil
}

// showDraft has the shipping address as an object, or null.
func showDraft(tx *world.Tx, in *api.In, d world.DraftOrder) any {
	out := draftJSON{
		ID:             d.ID,
		StoreID:        strconv.FormatInt(tx.Store().ID, 10),
		saleJSON:       saleOnWire(tx, in, d.ID, d.Sale),
		shippingJSON:   shippingOnWire(d.Sale, "noop"),
		draftStateJSON: draftState(tx, d),
	}
	if d.Sale.ShippingAddress != (world.Address{}) {
		out.ShippingAddress = shippingAddressOnWire(d.Sale)
	}
	return out
}

func showNewDraft(tx *world.Tx, in *api.In, d world.DraftOrder) any {
	return newDraftJSON{
		ID:                   d.ID,
		StoreID:              tx.Store().ID,
		saleJSON:             saleOnWire(tx, in, d.ID, d.Sale),
		shippingJSON:         shippingOnWire(d.Sale, "noop"),
		draftStateJSON:       draftState(tx, d),
		flatAddressJSON:      flatAddress(d.Sale.ShippingAddress),
		AbandonedCheckoutURL: draftURL(tx, d),
	}
}

func draftState(tx *world.Tx, d world.DraftOrder) draftStateJSON {
	return draftStateJSON{
		Note:      api.TextOrNil(d.Note),
		OwnerNote: api.TextOrNil(d.OwnerNote),
		// The platform's date for what has not happened.
		CompletedAt:    completedAtJSON{Date: "-0001-11-30 00:00:00.000000", TimezoneType: 3, Timezone: "UTC"},
		CancelReason:   api.TextOrNil(d.CancelReason),
		CancelledAt:    api.StampOrNil(d.CancelledAt),
		ClosedAt:       api.StampOrNil(d.ClosedAt),
		Status:         d.Status,
		PaymentStatus:  d.PaymentStatus,
		ShippingStatus: shippingUnpacked,
		AppID:          idOrNull(d.AppID),
		SaleChannel:    api.TextOrNil(d.SaleChannel),
		CheckoutURL:    draftURL(tx, d),
	}
}

// draftURL is where the customer pays the draft.
func draftURL(tx *world.Tx, d world.DraftOrder) string { return CheckoutURL(tx, d.ID, d.Token) }

// CheckoutURL is where a customer finishes a purchase.
func CheckoutURL(tx *world.Tx, id int64, token string) string {
	return "https://" + tx.Store().OriginalDomain + "/checkout/v3/proxy/" + strconv.FormatInt(id, 10) + "/" + token
}
