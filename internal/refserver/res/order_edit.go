package res

import (
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Refusals of an edition, in assumed words.
const (
	cannotEdit       = "The order can only be edited while all of its fulfillment orders are unpacked"
	emptyFulfillment = "A fulfillment order must have at least one product"
)

func editFaults() []api.ErrCase {
	return unprocessable(
		cannotEdit,
		"products: "+body.Required("products"),
		"products: "+body.IsInvalid,
		"line_item_id: "+body.NotSelectable("line item id"),
		"variant_id: "+body.NotSelectable("variant id"),
		"fulfillment_order_id: "+body.NotSelectable("fulfillment order id"),
		"quantity: "+body.NotWithin("quantity", 0, mostPieces),
		emptyFulfillment,
		notEnoughStock+"1",
	)
}

// editIn is one product of an edition: a line with the quantity it is to have in a
// fulfillment order, or a variant that is new there.
type editIn struct {
	LineItemID         body.Scalar      `json:"line_item_id"`
	ProductID          body.Scalar      `json:"product_id"`
	VariantID          body.Scalar      `json:"variant_id"`
	Quantity           body.Scalar      `json:"quantity"`
	ModifyStock        body.Opt[bool]   `json:"modify_stock"`
	FulfillmentOrderID body.Opt[string] `json:"fulfillment_order_id"`
}

// edition is an order on its way to what an edition makes of it.
type edition struct {
	tx    *world.Tx
	order world.Order
	parts []world.FulfillmentOrder
	done  []world.ProductChange
}

// editOrder asks for no new shipping rates and notifies nobody: there are neither
// here. A refund is one of a transaction that can be refunded in part.
func editOrder(tx *world.Tx, in *api.In) (any, error) {
	before, err := order(tx, in)
	if err != nil {
		return nil, err
	}
	var b struct {
		Products       body.Opt[body.List[editIn]] `json:"products"`
		SkipRequote    body.Opt[bool]              `json:"skip_shipping_requote"`
		PartialRefund  body.Opt[bool]              `json:"auto_partial_refund"`
		NotifyCustomer body.Opt[bool]              `json:"notify_customer"`
		Reason         body.Opt[string]            `json:"reason"`
	}
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	list, err := b.Products.Value.Read(in, "products")
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, body.Missing("products")
	}
	e := edition{tx: tx, order: before, parts: fulfillmentsOf(tx, before.ID)}
	packed := func(f world.FulfillmentOrder) bool { return f.Status != world.Unpacked }
	if before.Status != orderOpen || len(e.parts) == 0 || slices.ContainsFunc(e.parts, packed) {
		return nil, api.Unprocessable(cannotEdit)
	}
	e.order.Lines = slices.Clone(before.Lines)
	for _, p := range list {
		if err := e.apply(p); err != nil {
			return nil, err
		}
	}
	o, refunded := before, "skipped"
	if len(e.done) > 0 {
		if o, refunded, err = e.finish(before, b.Reason.Value, b.PartialRefund.Value); err != nil {
			return nil, err
		}
	}
	shown, _ := showOrder(tx, in, o).(orderJSON)
	return struct {
		orderJSON
		RefundStatus string `json:"auto_partial_refund_status"`
	}{shown, refunded}, nil
}

// apply applies one element of the body.
func (e *edition) apply(b editIn) error {
	quantity, ok := b.Quantity.Within(0, mostPieces)
	if !ok {
		return body.Refuse("quantity", body.NotWithin("quantity", 0, mostPieces))
	}
	if b.LineItemID.Text == "" {
		return e.add(b, quantity)
	}
	id, _ := b.LineItemID.Int()
	line := slices.IndexFunc(e.order.Lines, func(l world.Line) bool { return l.ID == id })
	if line < 0 {
		return body.NoSuch("line_item_id")
	}
	return e.place(b, line, quantity)
}

// add appends what is new, a kit as its components.
func (e *edition) add(b editIn, quantity int64) error {
	variant, _ := b.VariantID.Int()
	v, ok := e.tx.Variants.Get(variant)
	if !ok {
		return body.NoSuch("variant_id")
	}
	lines, ok := soldLines(e.tx, v, quantity, e.order.Language)
	if !ok {
		return body.NoSuch("variant_id")
	}
	for _, l := range lines {
		quantity, l.Quantity = l.Quantity, 0
		e.order.Lines = append(e.order.Lines, l)
		if err := e.place(b, len(e.order.Lines)-1, quantity); err != nil {
			return err
		}
	}
	return nil
}

// place gives a line its quantity in the fulfillment order that the body names.
func (e *edition) place(b editIn, line int, quantity int64) error {
	part := e.partOf(b.FulfillmentOrderID.Value, e.order.Lines[line].ID)
	if part < 0 {
		return body.NoSuch("fulfillment_order_id")
	}
	return e.set(line, part, quantity, b.ModifyStock.Value)
}

// partOf is the place of the fulfillment order with the id or, without one, of the
// first that has the line, or of the first.
func (e *edition) partOf(id string, line int64) int {
	if id != "" {
		return slices.IndexFunc(e.parts, func(f world.FulfillmentOrder) bool { return f.ID == id })
	}
	return max(slices.IndexFunc(e.parts, func(f world.FulfillmentOrder) bool {
		return slices.ContainsFunc(f.Lines, func(l world.FulfillmentLine) bool { return l.LineID == line })
	}), 0)
}

// set gives a line its quantity in a fulfillment order, and takes or gives back the
// stock of the difference, if there is one.
func (e *edition) set(line, part int, quantity int64, stock bool) error {
	l, f := e.order.Lines[line], e.parts[part]
	f.Lines = slices.Clone(f.Lines)
	n := slices.IndexFunc(f.Lines, func(p world.FulfillmentLine) bool { return p.LineID == l.ID })
	if n < 0 {
		n = len(f.Lines)
		f.Lines = append(f.Lines, fulfillmentLine(e.tx, l, 0))
	}
	by := quantity - f.Lines[n].Quantity
	if by == 0 {
		return nil
	}
	f.Lines[n].Quantity, f.Lines[n].UpdatedAt, f.UpdatedAt = quantity, e.tx.Now(), e.tx.Now()
	f.Lines = slices.DeleteFunc(f.Lines, func(p world.FulfillmentLine) bool { return p.Quantity == 0 })
	change := world.ProductChange{Type: "ADD", Stock: stock, Before: l.Quantity, After: l.Quantity + by, Product: l.Name}
	if by < 0 {
		change.Type = "REMOVED"
	}
	l.Quantity += by
	var err error
	if stock {
		l.Claims, err = e.restock(l, f.LocationID, by)
	}
	e.parts[part], e.order.Lines[line] = f, l
	e.done = append(e.done, change)
	return err
}

// restock takes by pieces more at the location or, if by is negative, gives back
// what was claimed there.
func (e *edition) restock(l world.Line, location string, by int64) ([]world.Claim, error) {
	if by >= 0 {
		more, err := claim(e.tx, l.VariantID, by, location)
		if err != nil || len(more) == 0 {
			return l.Claims, err
		}
		return append(slices.Clone(l.Claims), more...), stockChanged(e.tx, []int64{l.VariantID})
	}
	var back []world.Claim
	claims := slices.Clone(l.Claims)
	for i, c := range claims {
		if c.LocationID == location && c.VariantID == l.VariantID && by < 0 {
			n := min(-by, c.Quantity)
			claims[i].Quantity, by = c.Quantity-n, by+n
			back = append(back, world.Claim{VariantID: c.VariantID, LocationID: location, Quantity: n})
		}
	}
	return slices.DeleteFunc(claims, func(c world.Claim) bool { return c.Quantity == 0 }), restock(e.tx, back)
}

// finish writes the edition, with a refund of what is paid too much if it should.
func (e *edition) finish(before world.Order, reason string, giveBack bool) (world.Order, string, error) {
	o, tx := e.order, e.tx
	for _, f := range e.parts {
		if len(f.Lines) == 0 {
			return o, "", api.Unprocessable(emptyFulfillment)
		}
		if err := tx.FulfillmentOrders.Put(f.ID, f); err != nil {
			return o, "", err
		}
	}
	o.Lines = slices.DeleteFunc(o.Lines, func(l world.Line) bool { return l.Quantity == 0 })
	// The total differs by what the products do, even if something else was sent for it.
	o.Sale = addUpGranted(tx, o.Sale)
	difference := o.Total.Sub(addUpGranted(tx, before.Sale).Total)
	o.Total = decimal.Max(before.Total.Add(difference), decimal.Decimal{})
	o.TotalUSD = inUSD(o.Total, o.Currency)
	value := world.OrderValue{Status: valueStatus(o.PaymentStatus), TotalDelta: o.Total.Sub(before.Total), HappenedAt: tx.Now()}
	o.Values = append(slices.Clone(o.Values), value)
	o.Editions = append(slices.Clone(o.Editions), world.Edition{Changes: e.done, Value: value, Reason: reason, HappenedAt: tx.Now()})
	status := "skipped"
	if surplus := o.TotalPaid.Sub(refundedOf(tx, o.ID)).Sub(o.Total); giveBack && surplus.IsPositive() {
		var err error
		if status, err = giveSurplusBack(tx, o.ID, surplus); err != nil {
			return o, "", err
		}
	}
	o, more := settlePayment(tx, o)
	o, err := keepOrder(tx, before, o, append([]string{"order/edited", "order/updated"}, more...)...)
	return o, status, err
}

func refundedOf(tx *world.Tx, order int64) decimal.Decimal {
	return sumsOf(transactionsOf(tx, order)).refunded
}

// giveSurplusBack refunds an amount by the first transaction that says it supports
// that and has so much.
func giveSurplusBack(tx *world.Tx, order int64, surplus decimal.Decimal) (status string, err error) {
	for _, t := range transactionsOf(tx, order) {
		if yes, _ := strconv.ParseBool(string(t.Info["supports_partial_refund"])); !yes {
			continue
		}
		e := world.TransactionEvent{ID: tx.NewUUID(), Amount: surplus, Type: refund, Status: success, HappenedAt: tx.Now(), CreatedAt: tx.Now()}
		if after, refusal := happen(t, e); refusal == "" {
			return success, tx.Transactions.Put(after.ID, after)
		}
	}
	return "failed", nil
}
