package res

import (
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func draftOrderOps() []api.Op {
	read, write := []string{"read_draft_orders"}, []string{"write_draft_orders"}
	missing := []api.ErrCase{{Status: 404, Text: invalidDraft + "1"}}
	return []api.Op{
		{ID: "draftOrders.list", Method: "GET", Path: "/draft_orders", Scopes: read, Query: api.Recurring(), Handler: api.Collection(findDrafts, showDraft)},
		{ID: "draftOrders.get", Method: "GET", Path: "/draft_orders/{id}", Scopes: read, Errors: missing,
			Provenance: api.Supplement, Handler: api.Record(draft, showDraft)},
		{ID: "draftOrders.create", Method: "POST", Path: "/draft_orders", Scopes: write, Success: 201, Errors: draftFaults(), Provenance: api.Supplement, Handler: createDraft},
		{ID: "draftOrders.confirm", Method: "POST", Path: "/draft_orders/{id}/confirm", Scopes: write, Errors: missing, Provenance: api.Supplement,
			Emits: []string{"customer/created", "order/created"}, Handler: confirmDraft},
		{ID: "draftOrders.delete", Method: "DELETE", Path: "/draft_orders/{id}", Scopes: write, NoBody: true, Errors: missing, Provenance: api.Supplement, Handler: deleteDraft},
	}
}

// Refusals of drafts. All but the first are assumed, in the platform's way of
// putting things.
const (
	invalidDraft  = "Invalid draft order "
	wrongDiscount = "The discount must be a number that is at least 0 and takes off no more than there is."
)

func draftFaults() []api.ErrCase {
	return append(lineFaults(), unprocessable(
		"contact_email: "+wrongEmail,
		"payment_status: "+body.NotSelectable("payment status"),
		"discount: "+wrongDiscount,
		"discount_type: "+body.NotSelectable("discount type"),
		"shipping: "+body.IsInvalid,
		"cost: "+body.NotAmount("cost"),
		"contact_name: "+body.Required("contact name"),
		"contact_lastname: "+body.Required("contact lastname"),
		"contact_email: "+body.Required("contact email"),
		"payment_status: "+body.Required("payment status"),
	)...)
}

func findDrafts(tx *world.Tx, in *api.In) ([]world.DraftOrder, error) {
	var out []world.DraftOrder
	for _, d := range tx.DraftOrders.All() {
		if in.Selects(d.ID, d.CreatedAt, d.UpdatedAt) {
			out = append(out, d)
		}
	}
	return out, nil
}

// draft is the one that the path names. A draft that was confirmed is an order and
// no draft any more.
func draft(tx *world.Tx, in *api.In) (world.DraftOrder, error) {
	d, ok := tx.DraftOrders.Get(in.ID("id"))
	if !ok {
		return d, api.NotFound(invalidDraft + in.Var("id"))
	}
	return d, nil
}

// draftFor is the draft that the path names, if its status has a way for the act.
func draftFor(tx *world.Tx, in *api.In, act string) (world.DraftOrder, error) {
	d, err := draft(tx, in)
	if err == nil && len(DraftStates().Next(d.Status, act)) == 0 {
		err = api.NotFound(invalidDraft + strconv.FormatInt(d.ID, 10))
	}
	return d, err
}

// draftIn is the body of a new draft.
type draftIn struct {
	Name          body.Opt[string]            `json:"contact_name"`
	Lastname      body.Opt[string]            `json:"contact_lastname"`
	Email         body.Opt[string]            `json:"contact_email"`
	Phone         body.Opt[body.Text]         `json:"contact_phone"`
	Document      body.Opt[body.Text]         `json:"cpf_cnpj"`
	SaleChannel   body.Opt[string]            `json:"sale_channel"`
	Note          body.Opt[string]            `json:"note"`
	PaymentStatus body.Opt[string]            `json:"payment_status"`
	Products      body.Opt[body.List[lineIn]] `json:"products"`
	Discount      body.Scalar                 `json:"discount"`
	DiscountType  body.Opt[string]            `json:"discount_type"`
	Shipping      body.Nested[draftShipping]  `json:"shipping"`
}

// draftShipping is how a draft is sent and what that costs.
type draftShipping struct {
	Cost    body.Scalar            `json:"cost"`
	Address body.Nested[addressIn] `json:"shipping_address"`
}

func createDraft(tx *world.Tx, in *api.In) (any, error) {
	var b draftIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	wrong := &body.Problems{}
	wrong.Require("contact_name", strings.TrimSpace(b.Name.Value) != "")
	wrong.Require("contact_lastname", strings.TrimSpace(b.Lastname.Value) != "")
	wrong.Require("contact_email", strings.TrimSpace(b.Email.Value) != "")
	wrong.Require("payment_status", strings.TrimSpace(b.PaymentStatus.Value) != "")
	if b.Email.Value != "" && !IsEmail(b.Email.Value) {
		wrong.Add("contact_email", wrongEmail)
	}
	d, err := b.draft(tx, in, wrong)
	if err != nil {
		return nil, err
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	return showNewDraft(tx, in, d), tx.DraftOrders.Put(d.ID, d)
}

func (b draftIn) draft(tx *world.Tx, in *api.In, wrong *body.Problems) (world.DraftOrder, error) {
	d := world.DraftOrder{ID: tx.NewID(), AppID: in.App.ID, Status: orderOpen, OwnerNote: b.Note.Value, SaleChannel: b.SaleChannel.Value}
	d.Token, d.CreatedAt, d.UpdatedAt = tx.NewHex(20), tx.Now(), tx.Now()
	d.ContactName = strings.TrimSpace(b.Name.Value + " " + b.Lastname.Value)
	d.ContactEmail, d.ContactPhone, d.ContactIdentification = b.Email.Value, string(b.Phone.Value), string(b.Document.Value)
	d.Currency, d.Language = tx.Store().MainCurrency, tx.Store().MainLanguage
	d.Gateway, d.PaymentMethod, d.Storefront = notProvided, "custom", "form"
	d.Shipping, d.ShippingOptionCode, d.ShippingPickupType = "draft", "draft_99999", world.Ship
	switch b.PaymentStatus.Value {
	case "unpaid":
		d.PaymentStatus = paymentPending
	case "pending_confirmation", paymentPaid:
		d.PaymentStatus = b.PaymentStatus.Value
	case "":
	default:
		wrong.Add("payment_status", body.NotSelectable("payment status"))
	}
	s, err := b.Shipping.Read(in, "shipping")
	if err != nil {
		return d, err
	}
	d.ShippingCostCustomer = wrong.Cost("cost", s.Cost)
	if s.Address.Set() {
		a, customs, err := readAddress(in, "shipping_address", s.Address, d.Language)
		if err != nil {
			return d, err
		}
		a.Name, a.Phone = d.ContactName, d.ContactPhone
		d.ShippingAddress, d.Customs = a, customs
	}
	if d.Lines, err = readLines(tx, in, b.Products.Value, d.Language, wrong); err != nil {
		return d, err
	}
	d.Sale = addUp(tx, d.Sale)
	d.Discount = b.discount(d.Subtotal, wrong)
	d.Sale = addUp(tx, d.Sale)
	return d, nil
}

// discount is what is taken off the subtotal: a percentage, unless the body says
// that it is an amount.
func (b draftIn) discount(subtotal decimal.Decimal, wrong *body.Problems) decimal.Decimal {
	kind := wrong.Choice("discount_type", textOr(b.DiscountType, "percentage"), []string{"percentage", "absolute"})
	if b.Discount.Text == "" {
		return decimal.Decimal{}
	}
	d, ok := b.Discount.Decimal()
	if kind == "percentage" {
		d = subtotal.Mul(d).Shift(-2)
	}
	if !ok || d.IsNegative() || d.GreaterThan(subtotal) {
		wrong.Add("discount", wrongDiscount)
	}
	return d.Round(2)
}

// confirmDraft makes the draft an order of the same id and its contact a customer. A payment that waited for the
// confirmation is pending.
func confirmDraft(tx *world.Tx, in *api.In) (any, error) {
	d, err := draftFor(tx, in, "confirm")
	if err != nil {
		return nil, err
	}
	o := world.Order{ID: d.ID, AppID: d.AppID, Sale: d.Sale, Status: orderOpen, PaymentStatus: paymentPending,
		ShippingStatus: shippingUnpacked, OwnerNote: d.OwnerNote, NextAction: "waiting_packing"}
	if d.PaymentStatus == paymentPaid {
		o.PaymentStatus = paymentPaid
	}
	if o, err = withCustomer(tx, o); err != nil {
		return nil, err
	}
	tx.DraftOrders.Delete(d.ID)
	if o, err = completeOrder(tx, o, nil); err != nil {
		return nil, err
	}
	return showOrder(tx, in, o), nil
}

func deleteDraft(tx *world.Tx, in *api.In) (any, error) {
	d, err := draftFor(tx, in, "delete")
	if err != nil {
		return nil, err
	}
	tx.DraftOrders.Delete(d.ID)
	return api.Empty{}, nil
}
