package res

import (
	"slices"
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type orderJSON struct {
	ID      int64 `json:"id"`
	StoreID any   `json:"store_id"`
	Number  any   `json:"number"`
	saleJSON
	*orderV1
	*orderSince
	invoicingJSON
	GatewayName           string          `json:"gateway_name"`
	GatewayLink           *string         `json:"gateway_link"`
	Note                  *string         `json:"note"`
	OwnerNote             *string         `json:"owner_note"`
	CompletedAt           completedAtJSON `json:"completed_at"`
	Customer              *customerJSON   `json:"customer,omitempty"`
	CancelReason          *string         `json:"cancel_reason"`
	CancelledAt           any             `json:"cancelled_at"`
	ClosedAt              any             `json:"closed_at"`
	ReadAt                any             `json:"read_at"`
	PaidAt                any             `json:"paid_at"`
	Status                string          `json:"status"`
	PaymentStatus         string          `json:"payment_status"`
	ShippingStatus        string          `json:"shipping_status"`
	ShippingAddress       any             `json:"shipping_address"`
	ClientDetails         clientDetails   `json:"client_details"`
	AppID                 *int64          `json:"app_id"`
	IsSubscription        bool            `json:"is_subscription"`
	IsSubscriptionInitial bool            `json:"is_subscription_initial"`
	Fulfillments          []any           `json:"fulfillments"`
	FulfillmentOrders     []any           `json:"fulfillment_orders"`
	CustomFields          *[]any          `json:"custom_fields,omitempty"`
}

// orderV1 is what only version v1 has of an order.
type orderV1 struct {
	shippingJSON
	CarrierName *string `json:"shipping_carrier_name"`
	ShippedAt   any     `json:"shipped_at"`
	LandingURL  *string `json:"landing_url"`
	TotalPaid   string  `json:"total_paid"`
}

// orderSince is what version v1 does not have of an order.
type orderSince struct {
	TotalPaidByCustomer string `json:"total_paid_by_customer"`
	TotalPaidWithFees   string `json:"total_paid_by_customer_including_fees"`
	SameAddress         bool   `json:"same_billing_and_shipping_address"`
}

// invoicingJSON is about invoices. The last two are of stores in Mexico only.
type invoicingJSON struct {
	CustomerType      *string `json:"billing_customer_type"`
	BusinessName      *string `json:"billing_business_name"`
	TradeName         *string `json:"billing_trade_name"`
	StateRegistration *string `json:"billing_state_registration"`
	DocumentType      *string `json:"billing_document_type"`
	FiscalRegime      *string `json:"billing_fiscal_regime"`
	InvoiceUse        *string `json:"billing_invoice_use"`
}

type completedAtJSON struct {
	Date         string `json:"date"`
	TimezoneType int    `json:"timezone_type"`
	Timezone     string `json:"timezone"`
}

// completedOn writes the time at which a purchase was finished, to the second.
func completedOn(t time.Time) completedAtJSON {
	return completedAtJSON{Date: t.UTC().Truncate(time.Second).Format("2006-01-02 15:04:05.000000"), TimezoneType: 3, Timezone: "UTC"}
}

type clientDetails struct {
	BrowserIP *string `json:"browser_ip"`
	UserAgent *string `json:"user_agent"`
}

// showOrder has the customer only for apps that may read customers. A read has the
// id of the store as a string, a write as a number; and the number of an order is a
// string as soon as fields are asked for.
func showOrder(tx *world.Tx, in *api.In, o world.Order) any {
	out := orderJSON{
		ID:                    o.ID,
		StoreID:               tx.Store().ID,
		Number:                o.Number,
		saleJSON:              saleOnWire(tx, in, o.ID, o.Sale),
		invoicingJSON:         invoicingOnWire(tx.Store(), o.Invoicing),
		GatewayName:           o.GatewayName,
		GatewayLink:           api.TextOrNil(o.GatewayLink),
		Note:                  api.TextOrNil(o.Note),
		OwnerNote:             api.TextOrNil(o.OwnerNote),
		CompletedAt:           completedOn(o.CreatedAt),
		CancelReason:          api.TextOrNil(o.CancelReason),
		CancelledAt:           api.StampOrNil(o.CancelledAt),
		ClosedAt:              api.StampOrNil(o.ClosedAt),
		ReadAt:                api.StampOrNil(o.ReadAt),
		PaidAt:                api.StampOrNil(o.PaidAt),
		Status:                o.Status,
		PaymentStatus:         o.PaymentStatus,
		ShippingStatus:        shippingStatusShown(in, o.ShippingStatus),
		ShippingAddress:       shippingAddressOnWire(o.Sale),
		ClientDetails:         clientDetails{BrowserIP: api.TextOrNil(o.BrowserIP), UserAgent: api.TextOrNil(o.UserAgent)},
		AppID:                 idOrNull(o.AppID),
		IsSubscription:        o.IsSubscription,
		IsSubscriptionInitial: o.IsFirst,
	}
	if !in.Op.Writes() {
		out.StoreID = strconv.FormatInt(tx.Store().ID, 10)
	}
	if in.Has("fields") {
		out.Number = strconv.FormatInt(o.Number, 10)
	}
	for i, l := range o.Lines {
		out.Products[i].Issues = &issueJSON{UnclaimedStock: l.UnclaimedStock}
	}
	if in.Version == api.V1 {
		out.orderV1 = &orderV1{shippingJSON: shippingOnWire(o.Sale, o.NextAction), CarrierName: api.TextOrNil(o.ShippingCarrierName),
			ShippedAt: api.StampOrNil(o.ShippedAt), LandingURL: api.TextOrNil(o.LandingURL), TotalPaid: money(o.TotalPaid.Add(o.Fees))}
		out.ShippingTrackingNumber, out.ShippingTrackingURL = api.TextOrNil(o.ShippingTrackingNumber), api.TextOrNil(o.ShippingTrackingURL)
	} else {
		out.orderSince = &orderSince{TotalPaidByCustomer: money(o.TotalPaid), TotalPaidWithFees: money(o.TotalPaid.Add(o.Fees)), SameAddress: sameAddress(o.Sale)}
	}
	if c, ok := tx.Customers.Get(o.CustomerID); ok && in.Scopes.Has("read_customers") {
		shown := customerOnWire(tx, c)
		out.Customer = &shown
	}
	out.aggregate(tx, in, o)
	return out
}

// aggregate adds the fulfillment orders, as ids or as asked for in full, under both
// of their names, and the custom fields if they are asked for.
func (out *orderJSON) aggregate(tx *world.Tx, in *api.In, o world.Order) {
	wanted := in.Texts("aggregates")
	out.Fulfillments = []any{}
	for _, f := range fulfillmentsOf(tx, o.ID) {
		if slices.Contains(wanted, "fulfillment_orders") {
			out.Fulfillments = append(out.Fulfillments, showFulfillmentOrder(tx, in, f))
		} else {
			out.Fulfillments = append(out.Fulfillments, f.ID)
		}
	}
	out.FulfillmentOrders = out.Fulfillments
	if slices.Contains(wanted, "custom_fields") {
		fields := customFieldsOfOrder(tx, o.ID)
		out.CustomFields = &fields
	}
}

func invoicingOnWire(st world.Store, i world.Invoicing) invoicingJSON {
	out := invoicingJSON{
		CustomerType:      api.TextOrNil(i.CustomerType),
		BusinessName:      api.TextOrNil(i.BusinessName),
		TradeName:         api.TextOrNil(i.TradeName),
		StateRegistration: api.TextOrNil(i.StateRegistration),
		DocumentType:      api.TextOrNil(i.DocumentType),
	}
	if st.Country == "MX" {
		regime, use := i.FiscalRegime, i.InvoiceUse
		if regime == "" {
			regime = "601"
		}
		if use == "" {
			use = "G01"
		}
		out.FiscalRegime, out.InvoiceUse = &regime, &use
	}
	return out
}

// sameAddress reports whether the bill goes to where the order goes.
func sameAddress(s world.Sale) bool { return s.Billing == s.ShippingAddress.Billing() }

// orderFieldJSON is the value of a custom field as an aggregate of an order.
type orderFieldJSON struct {
	ID          string  `json:"id"`
	Owner       string  `json:"owner_resource"`
	Source      string  `json:"source"`
	ValueType   string  `json:"value_type"`
	Key         string  `json:"key"`
	Name        string  `json:"name"`
	Description *string `json:"description"`
	ReadOnly    bool    `json:"read_only"`
	Value       string  `json:"value"`
}

func customFieldsOfOrder(tx *world.Tx, order int64) []any {
	out := []any{}
	for _, v := range fieldValuesOf(tx, "order", order) {
		f := v.field
		out = append(out, orderFieldJSON{ID: f.ID, Owner: f.Owner, Source: sourceOf(f), ValueType: f.ValueType, Key: slug(f.Name), Name: f.Name,
			Description: api.TextOrNil(f.Description), ReadOnly: f.ReadOnly, Value: v.value})
	}
	return out
}
