package members_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// TestMembersAreAnswered calls every method that returns records. The server must have sent each member that a record
// has a field for: a name that differs from the server's is never seen.
func TestMembersAreAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		config := s.config(t)
		before := s.srv.Snapshot()
		seen := sightings{}
		for _, o := range operations(t, config, s.srv.App()) {
			for _, zero := range o.variants() {
				for _, zero := range [][]string{zero, slices.Concat(zero, filters)} {
					s.srv.Restore(before)
					s.body = nil
					if result, err := o.invoke(t.Context(), newFiller(zero)); err == nil && result != nil {
						seen.in(reflect.TypeOf(result), s.body)
					}
				}
			}
		}
		for field, met := range seen {
			why, listed := unseen[field]
			switch {
			case !met && !listed:
				t.Errorf("%s: the server never sends the member", field)
			case met && listed:
				t.Errorf("%s: is listed as never sent (%s), but it is", field, why)
			}
		}
		for field := range unseen {
			if _, ok := seen[field]; !ok {
				t.Errorf("%s: is listed as never sent, but no record has it", field)
			}
		}
	})
}

// filters are zero in the arguments of calls that must find something.
var filters = []string{
	"CategoryFilter", "CheckoutFilter", "CouponFilter", "CustomerFilter", "ExternalInvoiceFilter", "ImageFilter", "InventoryLevelFilter",
	"MetafieldFilter", "OrderFilter", "ContentPageFilter", "PriceTableFilter", "ProductFilter", "ScriptFilter", "VariantFilter",
	"WebhookFilter", "arguments",
}

// sightings are the fields of records, "client.Product.Name", and whether a response had their member.
type sightings map[string]bool

// in notes which members of the type v has.
func (s sightings) in(t reflect.Type, raw []byte) {
	switch {
	case t.Kind() == reflect.Pointer:
		s.in(t.Elem(), raw)
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		var elements []json.RawMessage
		if json.Unmarshal(raw, &elements) == nil {
			for _, e := range elements {
				s.in(t.Elem(), e)
			}
			return
		}
		var envelope map[string]json.RawMessage // of a list
		_ = json.Unmarshal(raw, &envelope)
		for _, member := range envelope {
			if bytes.HasPrefix(member, []byte("[")) || bytes.HasPrefix(member, []byte("{")) {
				s.in(t, member)
			}
		}
	case t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Page["):
		items, _ := t.FieldByName("Items")
		s.in(items.Type, raw)
	case t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Nullable["):
		s.in(t.Field(0).Type, raw)
	case t.Kind() == reflect.Struct:
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) == nil {
			s.members(t, t, members)
		}
	case t.Kind() == reflect.Map:
		var members map[string]json.RawMessage
		_ = json.Unmarshal(raw, &members)
		for _, member := range members {
			s.in(t.Elem(), member)
		}
	}
}

func (s sightings) members(of, t reflect.Type, members map[string]json.RawMessage) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			s.members(of, f.Type, members)
		case name != "" && name != "-" && f.IsExported():
			raw, ok := members[name]
			field := of.String() + "." + f.Name
			if s[field] = s[field] || ok; ok {
				s.in(f.Type, raw)
			}
		}
	}
}

// undocumented members are in published examples or in typed clients of the platform alone.
const undocumented = "the contract has no such field, so the server leaves it out"

// unseen are the fields whose member the server does not send, with the reason.
var unseen = map[string]string{
	"client.Checkout.CheckoutURL":                  undocumented,
	"client.Checkout.Note":                         undocumented,
	"client.Coupon.CreatedAt":                      "only newer documentation has it",
	"client.Coupon.UpdatedAt":                      "only newer documentation has it",
	"client.FieldValue.Error":                      "the server refuses a list with a wrong value as a whole",
	"client.FreeShippingInfo.ConsumerOriginalCost": "no delivery is free by a rule of the store",
	"client.FreeShippingInfo.FreeShippingID":       "no delivery is free by a rule of the store",
	"client.LineItem.Promotions":                   "an example of the contract has it, and no rule says when",
	"client.LineItemImage.Height":                  "the server does not look into images",
	"client.LineItemImage.ThumbnailsGenerated":     "the server does not look into images",
	"client.LineItemImage.Width":                   "the server does not look into images",
	"client.Order.BillingDefault":                  undocumented,
	"client.Order.LandingSite":                     undocumented,
	"client.Order.LocationID":                      undocumented,
	"client.Order.Name":                            undocumented,
	"client.Order.Price":                           undocumented,
	"client.Order.PriceUSD":                        undocumented,
	"client.Order.RiskManagement":                  undocumented,
	"client.OrderAddress.FirstName":                "answers have name",
	"client.OrderAddress.LastName":                 "answers have name",
	"client.PriceTable.Categories":                 "only the lists of a table have it",
	"client.PriceTable.Customers":                  "only the lists of a table have it",
	"client.PriceTable.Variants":                   "only the lists of a table have it",
	"client.Product.DeletedAt":                     undocumented,
	"client.Recipient.Email":                       "only calls for labels have it",
	"client.Script.Src":                            "only scripts of the first generation have it",
	"client.Script.Where":                          "only scripts of the first generation have it",
	"client.Store.AdminBlocked":                    undocumented,
	"client.Store.AdminDisabled":                   undocumented,
	"client.Store.BusinessZipcode":                 undocumented,
	"client.Store.CustomDimension":                 undocumented,
	"client.Store.CustomerType":                    undocumented,
	"client.Store.FirstPaymentDate":                undocumented,
	"client.Store.HasStock":                        undocumented,
	"client.Store.IsLastPaymentRejected":           undocumented,
	"client.Store.IsTrial":                         undocumented,
	"client.Store.PaidUntil":                       undocumented,
	"client.Store.Plan":                            undocumented,
	"client.Store.ProductCount":                    undocumented,
	"client.Store.Source":                          undocumented,
	"client.Store.Tags":                            undocumented,
	"client.Store.UpdatedAt":                       undocumented,
	"client.Store.UserType":                        undocumented,
	"client.Variant.Visible":                       "only requests in examples of the contract have it",
	"promotions.Promotion.WithOtherDiscounts":      "deprecated",
	"providers.Authentication.APIKey":              "secret",
	"providers.Authentication.AccessToken":         "secret",
	"providers.Authentication.ClientSecret":        "secret",
	"providers.Authentication.Password":            "secret",
	"providers.Authentication.RefreshToken":        "secret",
}
