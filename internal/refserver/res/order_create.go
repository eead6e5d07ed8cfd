package res

import (
	"encoding/json"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/scalar"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Refusals of a new order, in assumed words.
const (
	wrongCurrency      = "The selected currency is invalid."
	wrongPaymentStatus = "The selected payment status is invalid."
	wrongOrderStatus   = "The selected status is invalid."
	wrongFulfillment   = "The selected fulfillment is invalid."
	wrongPickupType    = "The selected shipping pickup type is invalid."
	wrongBehaviour     = "The selected inventory behaviour is invalid."
	totalNotPositive   = "The total must be greater than 0."
	costNotNumber      = "The %s must be a number that is at least 0."
	daysNotInteger     = "The %s must be an integer from -999 to 999."
)

func orderFaults() []api.ErrCase {
	return append(lineFaults(), unprocessable(
		"price: "+wrongPrice,
		"currency: "+wrongCurrency,
		"payment_status: "+wrongPaymentStatus,
		"status: "+wrongOrderStatus,
		"fulfillment: "+wrongFulfillment,
		"shipping_pickup_type: "+wrongPickupType,
		"inventory_behaviour: "+wrongBehaviour,
		"total: "+totalNotPositive,
		"shipping_cost_customer: The shipping cost customer must be a number that is at least 0.",
		"shipping_min_days: The shipping min days must be an integer from -999 to 999.",
		"location_id: "+noSuchLocation,
		"email: "+wrongEmail,
		"billing_address: is invalid",
		notEnoughStock+"1",
	)...)
}

// notProvided is the gateway of an order, and its way of shipping, if nobody says.
const notProvided = "not-provided"

// orderIn is the body of a new order. All of it but the products may be left out.
type orderIn struct {
	Currency              api.Opt[string]            `json:"currency"`
	Language              api.Opt[string]            `json:"language"`
	Gateway               api.Opt[string]            `json:"gateway"`
	PaymentStatus         api.Opt[string]            `json:"payment_status"`
	Status                api.Opt[string]            `json:"status"`
	Fulfillment           api.Opt[string]            `json:"fulfillment"`
	FulfillmentStatus     api.Opt[string]            `json:"fulfillment_status"`
	Products              api.Opt[[]json.RawMessage] `json:"products"`
	Total                 scalar.Value               `json:"total"`
	InventoryBehaviour    api.Opt[string]            `json:"inventory_behaviour"`
	Customer              json.RawMessage            `json:"customer"`
	Note                  api.Opt[string]            `json:"note"`
	BillingAddress        json.RawMessage            `json:"billing_address"`
	ShippingAddress       json.RawMessage            `json:"shipping_address"`
	ShippingPickupType    api.Opt[string]            `json:"shipping_pickup_type"`
	Shipping              api.Opt[string]            `json:"shipping"`
	ShippingOption        api.Opt[string]            `json:"shipping_option"`
	TrackingNumber        api.Opt[loose]             `json:"shipping_tracking_number"`
	ShippingCostCustomer  scalar.Value               `json:"shipping_cost_customer"`
	ShippingCostOwner     scalar.Value               `json:"shipping_cost_owner"`
	ShippingMinDays       scalar.Value               `json:"shipping_min_days"`
	ShippingMaxDays       scalar.Value               `json:"shipping_max_days"`
	SendConfirmationEmail api.Opt[bool]              `json:"send_confirmation_email"` // there is no mail here
	SendFulfillmentEmail  api.Opt[bool]              `json:"send_fulfillment_email"`
	LocationID            scalar.Value               `json:"location_id"`
}

// createOrder completes what the body leaves out. Stock is left alone unless it is
// to be claimed.
func createOrder(tx *world.Tx, in *api.In) (any, error) {
	var b orderIn
	if err := in.Decode(&b); err != nil {
		return nil, err
	}
	wrong := problems{}
	o, err := b.order(tx, in, wrong)
	if err != nil {
		return nil, err
	}
	customer, err := readBuyer(in, b.Customer, wrong)
	if err != nil {
		return nil, err
	}
	location := b.LocationID.Or("")
	if location != "" && !tx.Locations.Has(location) {
		wrong.add("location_id", noSuchLocation)
	}
	behaviour := textOr(b.InventoryBehaviour, "bypass")
	if behaviour != "bypass" && behaviour != "claim" {
		wrong.add("inventory_behaviour", wrongBehaviour)
	}
	if err := wrong.err(); err != nil {
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
func (b orderIn) order(tx *world.Tx, in *api.In, wrong problems) (world.Order, error) {
	st := tx.Store()
	o := world.Order{ID: tx.NewID(), AppID: in.App.ID}
	o.Token, o.Storefront, o.PaymentMethod = tx.NewHex(20), "api", "custom"
	o.Currency, o.Language = textOr(b.Currency, st.MainCurrency), textOr(b.Language, st.MainLanguage)
	o.Gateway, o.Note = textOr(b.Gateway, notProvided), b.Note.Value
	if o.Gateway == internalGateway { // read-only
		o.Gateway = notProvided
	}
	o.Status = oneOf(wrong, "status", wrongOrderStatus, textOr(b.Status, orderOpen), OrderStates().States)
	o.PaymentStatus = oneOf(wrong, "payment_status", wrongPaymentStatus, textOr(b.PaymentStatus, paymentPending),
		[]string{paymentAuthorized, paymentPending, paymentPaid, paymentAbandoned, paymentRefunded, paymentVoided})
	o.ShippingStatus = shippingStatusOnWire(api.V202503, oneOf(wrong, "fulfillment", wrongFulfillment,
		textOr(b.Fulfillment, textOr(b.FulfillmentStatus, shippingUnpacked)),
		[]string{shippingUnpacked, "unfulfilled", "unshipped", shippingPacked, shippingFulfilled, "shipped", shippingDelivered}))
	if !isoCurrency.MatchString(o.Currency) {
		wrong.add("currency", wrongCurrency)
	}
	o.Shipping, o.ShippingOption = textOr(b.Shipping, notProvided), b.ShippingOption.Value
	o.ShippingPickupType = oneOf(wrong, "shipping_pickup_type", wrongPickupType, textOr(b.ShippingPickupType, world.Pickup),
		[]string{world.Ship, world.Pickup})
	o.ShippingTrackingNumber = string(b.TrackingNumber.Value)
	o.ShippingCostCustomer = cost(wrong, "shipping_cost_customer", "shipping cost customer", b.ShippingCostCustomer)
	o.ShippingCostOwner = cost(wrong, "shipping_cost_owner", "shipping cost owner", b.ShippingCostOwner)
	o.ShippingMinDays = days(wrong, "shipping_min_days", "shipping min days", b.ShippingMinDays)
	o.ShippingMaxDays = days(wrong, "shipping_max_days", "shipping max days", b.ShippingMaxDays)

	bill, _, err := readAddress(in, "billing_address", b.BillingAddress, o.Language)
	if err != nil {
		return o, err
	}
	o.Billing = world.Billing{Name: bill.Name, Address: bill.Address, Number: bill.Number, Floor: bill.Floor, Locality: bill.Locality,
		Zipcode: bill.Zipcode, City: bill.City, Province: bill.Province, Country: bill.Country, Phone: bill.Phone}
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
			wrong.add("total", totalNotPositive)
		}
		o.TotalUSD = inUSD(o.Total, o.Currency)
	}
	return o, nil
}

// completeOrder gives a new order its number, its dates and its fulfillment orders,
// and tells of it.
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

// textOr is the text, or what stands for a member that is absent, null or empty.
func textOr(o api.Opt[string], fallback string) string {
	if o.Value == "" {
		return fallback
	}
	return o.Value
}

func oneOf(wrong problems, field, message, value string, allowed []string) string {
	if !slices.Contains(allowed, value) {
		wrong.add(field, "%s", message)
	}
	return value
}

// cost reads an amount to the cent; none is 0.
func cost(wrong problems, field, words string, s scalar.Value) decimal.Decimal {
	if s.Text == "" {
		return decimal.Decimal{}
	}
	d, ok := s.Decimal()
	if !ok || d.IsNegative() {
		wrong.add(field, costNotNumber, words)
	}
	return d.Round(2)
}

// days reads a number of weekdays, which is bounded like what an option of a carrier
// adds; none is null.
func days(wrong problems, field, words string, s scalar.Value) *int {
	if s.Text == "" {
		return nil
	}
	n, ok := s.Int()
	if !ok || n < -maxAdditionalDays || n > maxAdditionalDays {
		wrong.add(field, daysNotInteger, words)
	}
	return new(int(n))
}
