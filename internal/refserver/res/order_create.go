package res

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Refusals of a new order, in assumed words.
const (
	totalNotPositive = "The total must be greater than 0."
)

func orderFaults() []api.ErrCase {
	return append(lineFaults(), unprocessable(
		"price: "+body.NotAmount("price"),
		"currency: "+body.NotSelectable("currency"),
		"payment_status: "+body.NotSelectable("payment status"),
		"status: "+body.NotSelectable("status"),
		"fulfillment: "+body.NotSelectable("fulfillment"),
		"shipping_pickup_type: "+body.NotSelectable("shipping pickup type"),
		"inventory_behaviour: "+body.NotSelectable("inventory behaviour"),
		"total: "+totalNotPositive,
		"shipping_cost_customer: "+body.NotAmount("shipping cost customer"),
		"shipping_min_days: "+body.NotWithin("shipping min days", -999, 999),
		"location_id: "+body.NotSelectable("location id"),
		"email: "+wrongEmail,
		"billing_address: "+body.IsInvalid,
		notEnoughStock+"1",
	)...)
}

// notProvided is the gateway of an order, and its way of shipping, if nobody says.
const notProvided = "not-provided"

// orderIn is the body of a new order. All of it but the products may be left out.
type orderIn struct {
	Currency              body.Opt[string]                  `json:"currency"`
	Language              body.Opt[string]                  `json:"language"`
	Gateway               body.Opt[string]                  `json:"gateway"`
	PaymentStatus         body.Opt[string]                  `json:"payment_status"`
	Status                body.Opt[string]                  `json:"status"`
	Fulfillment           body.Opt[string]                  `json:"fulfillment"`
	FulfillmentStatus     body.Opt[string]                  `json:"fulfillment_status"`
	Products              body.Opt[body.List[pricedLineIn]] `json:"products"`
	Total                 body.Scalar                       `json:"total"`
	InventoryBehaviour    body.Opt[string]                  `json:"inventory_behaviour"`
	Customer              body.Nested[buyer]                `json:"customer"`
	Note                  body.Opt[string]                  `json:"note"`
	BillingAddress        body.Nested[addressIn]            `json:"billing_address"`
	ShippingAddress       body.Nested[addressIn]            `json:"shipping_address"`
	ShippingPickupType    body.Opt[string]                  `json:"shipping_pickup_type"`
	Shipping              body.Opt[string]                  `json:"shipping"`
	ShippingOption        body.Opt[string]                  `json:"shipping_option"`
	TrackingNumber        body.Opt[body.Text]               `json:"shipping_tracking_number"`
	ShippingCostCustomer  body.Scalar                       `json:"shipping_cost_customer"`
	ShippingCostOwner     body.Scalar                       `json:"shipping_cost_owner"`
	ShippingMinDays       body.Scalar                       `json:"shipping_min_days"`
	ShippingMaxDays       body.Scalar                       `json:"shipping_max_days"`
	SendConfirmationEmail body.Opt[bool]                    `json:"send_confirmation_email"` // there is no mail here
	SendFulfillmentEmail  body.Opt[bool]                    `json:"send_fulfillment_email"`
	LocationID            body.Scalar                       `json:"location_id"`
}

// createOrder completes what the body leaves out. Stock is left alone unless it is
// to be claimed.
func createOrder(tx *world.Tx, in *api.In) (any, error) {
	var b orderIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	wrong := &body.Problems{}
	o, err := b.order(tx, in, wrong)
	if err != nil {
		return nil, err
	}
	customer, err := readBuyer(in, b.Customer, wrong)
	if err != nil {
		return nil, err
	}
	location := b.LocationID.Or("")
	wrong.Select("location_id", location == "" || tx.Locations.Has(location))
	behaviour := wrong.Choice("inventory_behaviour", textOr(b.InventoryBehaviour, "bypass"), []string{"bypass", "claim"})
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	if o, err = customer.attach(tx, o); err != nil {
		return nil, err
	}
	from := drawnAt(o.Lines, location)
	if behaviour == "claim" {
		if o.Lines, from, err = claimStock(tx, o.Lines, location); err != nil {
			return nil, err
		}
	}
	if o, err = completeOrder(tx, o, from); err != nil {
		return nil, err
	}
	return showOrder(tx, in, o), nil
}

// order is what the body says about the order itself.
func (b orderIn) order(tx *world.Tx, in *api.In, wrong *body.Problems) (world.Order, error) {
	st := tx.Store()
	o := world.Order{ID: tx.NewID(), AppID: in.App.ID}
	o.Token, o.Storefront, o.PaymentMethod = tx.NewHex(20), "api", "custom"
	o.Currency, o.Language = textOr(b.Currency, st.MainCurrency), textOr(b.Language, st.MainLanguage)
	o.Gateway, o.Note = textOr(b.Gateway, notProvided), b.Note.Value
	if o.Gateway == internalGateway { // read-only
		o.Gateway = notProvided
	}
	o.Status = wrong.Choice("status", textOr(b.Status, orderOpen), OrderStates().States)
	o.PaymentStatus = wrong.Choice("payment_status", textOr(b.PaymentStatus, paymentPending),
		[]string{paymentAuthorized, paymentPending, paymentPaid, paymentAbandoned, paymentRefunded, paymentVoided})
	o.ShippingStatus = shippingStatusOnWire(api.V202503, wrong.Choice("fulfillment",
		textOr(b.Fulfillment, textOr(b.FulfillmentStatus, shippingUnpacked)),
		[]string{shippingUnpacked, "unfulfilled", "unshipped", shippingPacked, shippingFulfilled, "shipped", shippingDelivered}))
	wrong.Select("currency", body.IsCurrency(o.Currency))
	o.Shipping, o.ShippingOption = textOr(b.Shipping, notProvided), b.ShippingOption.Value
	o.ShippingPickupType = wrong.Choice("shipping_pickup_type", textOr(b.ShippingPickupType, world.Pickup),
		[]string{world.Ship, world.Pickup})
	o.ShippingTrackingNumber = string(b.TrackingNumber.Value)
	o.ShippingCostCustomer = wrong.Cost("shipping_cost_customer", b.ShippingCostCustomer)
	o.ShippingCostOwner = wrong.Cost("shipping_cost_owner", b.ShippingCostOwner)
	o.ShippingMinDays = days(wrong, "shipping_min_days", b.ShippingMinDays)
	o.ShippingMaxDays = days(wrong, "shipping_max_days", b.ShippingMaxDays)

	bill, _, err := readAddress(in, "billing_address", b.BillingAddress, o.Language)
	if err != nil {
		return o, err
	}
	o.Billing = bill.Billing()
	if o.ShippingAddress, o.Customs, err = readAddress(in, "shipping_address", b.ShippingAddress, o.Language); err != nil {
		return o, err
	}
	if o.Lines, err = readPricedLines(tx, in, b.Products.Value, o.Language, wrong); err != nil {
		return o, err
	}
	o.Sale = addUp(tx, o.Sale)
	if b.Total.Text != "" {
		total, ok := b.Total.Decimal()
		o.Total = total.Round(2)
		if !ok || !o.Total.IsPositive() {
			wrong.Add("total", totalNotPositive)
		}
		o.TotalUSD = inUSD(o.Total, o.Currency)
	}
	return o, nil
}

// completeOrder gives a new order its number, its dates and its fulfillment orders, and sends the event.
func completeOrder(tx *world.Tx, o world.Order, from []drawn) (world.Order, error) {
	o.Number, o.CreatedAt, o.UpdatedAt = tx.NextOrderNumber(), tx.Now(), tx.Now()
	value := world.OrderValue{Status: "PENDING", TotalDelta: o.Total, HappenedAt: tx.Now()}
	if o.PaymentStatus == paymentPaid {
		o.PaidAt, o.TotalPaid = tx.Now(), o.Total
		value.Status, value.PaidDelta = "PAID", o.Total
	}
	o.Values = append(slices.Clone(o.Values), value)
	switch o.Status {
	case orderClosed:
		o.ClosedAt = tx.Now()
	case orderCancelled:
		o.CancelledAt, o.CancelReason = tx.Now(), otherReason
	}
	if status := o.ShippingStatus; status == shippingFulfilled || status == shippingDelivered {
		o.ShippedAt = tx.Now()
	}
	o, err := withFulfillments(tx, o, from...)
	if err != nil {
		return o, err
	}
	if o.NextAction == "" {
		o.NextAction = nextAction(tx, o)
	}
	if err := tx.Orders.Put(o.ID, o); err != nil {
		return o, err
	}
	tx.Emit("order/created", ids(o.ID))
	return o, nil
}

// textOr is the text, or a replacement if the member is absent, null or empty.
func textOr(o body.Opt[string], fallback string) string {
	if o.Value == "" {
		return fallback
	}
	return o.Value
}

// days reads a number of weekdays, which is bounded like what an option of a carrier
// adds; none is null.
func days(wrong *body.Problems, field string, s body.Scalar) *int {
	if s.Text == "" {
		return nil
	}
	return new(int(wrong.Within(field, s, -maxAdditionalDays, maxAdditionalDays)))
}
