package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/discounts"
	businessrules "github.com/commerceplatform/commerce-go/discounts/rules"
	"github.com/commerceplatform/commerce-go/disputes"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/shipping"
)

// wireRecords returns a new record for each document in testdata/wire.
func wireRecords() map[string]any {
	return map[string]any{
		"app_subscription": new(client.AppSubscription), "blog": new(client.Blog), "blog_post": new(client.BlogPost), "cart": new(client.Cart), "cart_discount": new(client.CartDiscount),
		"category": new(client.Category), "charge": new(client.Charge), "checkout": new(client.Checkout),
		"coupon": new(client.Coupon), "custom_field": new(client.CustomField), "custom_field_owners": new(client.CustomFieldOwners),
		"custom_field_value": new(client.CustomFieldValue), "customer": new(client.Customer), "draft_order": new(client.DraftOrder), "email_template": new(client.EmailTemplate),
		"external_invoice": new(client.ExternalInvoice),
		"fulfillment":      new(client.Fulfillment), "fulfillment_order": new(client.FulfillmentOrder), "image": new(client.Image),
		"inventory_level": new(client.InventoryLevel), "kit": new(client.Kit), "location": new(client.Location),
		"metafield": new(client.Metafield), "order_2025_03": new(client.Order), "order_v1": new(client.Order),
		"page": new(client.ContentPage), "plan": new(client.Plan), "product": new(client.Product), "script": new(client.Script),
		"price_table": new(client.PriceTable), "price_table_category": new(client.PriceTableCategory),
		"price_table_customer": new(client.PriceTableCustomer), "price_table_variant": new(client.PriceTableVariant),
		"store": new(client.Store), "tracking_event": new(client.TrackingEvent), "variant": new(client.Variant),
		"webhook": new(client.Webhook),

		"business_rule": new(businessrules.Request), "business_rule_location": new(businessrules.Request),
		"discount_cart": new(discounts.Cart), "promotion": new(promotions.Promotion),
		"dispute": new(disputes.Dispute), "dispute_open": new(disputes.Dispute),
		"payment_provider": new(providers.Provider), "transaction": new(providers.Transaction),
		"carrier": new(carriers.Carrier), "carrier_option": new(carriers.Option), "label_request": new(shipping.Label),
		"rate_request": new(shipping.Request), "store_carrier": new(carriers.StoreCarrier),
	}
}

// What encoding/json reads from a document of the platform and writes again has every member of the document, with its
// value, also those without a field, at every level. And it is read again as the same record.
func TestRecordsGoThroughEncodingJSON(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "testdata", "wire", "*.json"))
	if err != nil || len(files) < 40 {
		t.Fatalf("found %d documents, %v", len(files), err)
	}
	records := wireRecords()
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if records[name] == nil {
				t.Fatal("no record for this document")
			}
			document := decoded(t, data)
			delete(document.(map[string]any), "authentication") // see TestSecretsDoNotGoThroughEncodingJSON
			checkRoundTrip(t, compacted(t, document), records[name])
			addNewer(document)
			checkRoundTrip(t, compacted(t, document), records[name])
		})
	}
}

// A record that embeds another one is written with the members of both.
func TestEmbeddedRecordsGoThroughEncodingJSON(t *testing.T) {
	checkRoundTrip(t, []byte(`{"id":1,"total_paid":"5.00","auto_partial_refund_status":"skipped","newer":{"id":2}}`), new(client.OrderEdited))
	checkRoundTrip(t, []byte(`{"id":1,"total_paid_by_customer_including_fees":"5.00"}`), new(client.OrderEdited))
}

// checkRoundTrip reads the document into new records of the type that of points to.
func checkRoundTrip(t *testing.T, data []byte, of any) {
	t.Helper()
	first, second := reflect.New(reflect.TypeOf(of).Elem()), reflect.New(reflect.TypeOf(of).Elem())
	if err := json.Unmarshal(data, first.Interface()); err != nil {
		t.Fatal(err)
	}
	back, err := json.Marshal(first.Elem().Interface()) // not a pointer: an app marshals values
	if err != nil {
		t.Fatal(err)
	}
	for _, lost := range differences("", decoded(t, data), decoded(t, back)) {
		t.Error(lost)
	}
	if err := json.Unmarshal(back, second.Interface()); err != nil {
		t.Fatal(err)
	}
	// The documents are compared, not the records: an amount of 5 is read again with two decimals.
	again, err := json.Marshal(second.Interface())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range hostile.Differences(decoded(t, again), decoded(t, back)) {
		t.Errorf("read again: %s", d)
	}
}

func decoded(t *testing.T, data []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return v
}

// newer are members that no contract has, for each object of a document.
var newer = map[string]any{
	"a_newer_text": "é<&>", "a_newer_null": nil, "a_newer_number": json.Number("12345678901234567890.10"),
	"a_newer_object": map[string]any{"id": json.Number("0"), "Extra": []any{nil, true}}, "Extra": "a member of this name",
}

// addNewer adds the newer members to each object in a document. A text keyed by language takes the texts among them, as
// languages.
func addNewer(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			addNewer(item)
		}
	case map[string]any:
		for _, item := range v {
			addNewer(item)
		}
		if isMap(v) {
			return
		}
		texts := isText(v)
		for name, value := range newer {
			if _, text := value.(string); text || !texts {
				v[name] = value
			}
		}
	}
}

// compacted writes JSON as encoding/json does, since members without a field are compared byte by byte.
func compacted(t *testing.T, v any) []byte {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// isText reports whether an object may be keyed by language.
func isText(object map[string]any) bool {
	for _, value := range object {
		if _, text := value.(string); !text {
			return false
		}
	}
	return true
}

// isMap reports whether an object has records by name.
func isMap(object map[string]any) bool {
	for _, value := range object {
		if _, record := value.(map[string]any); !record {
			return false
		}
	}
	return true
}

// passedOver are the objects whose unknown members are lost, by the end of their path, and why. They are values, which
// apps compare with ==, and not records.
var passedOver = map[string]string{
	"/completed_at":             "a client.CompletedAt",
	"/geolocation":              "a client.Geolocation",
	"/flat_fee":                 "a providers.Amount",
	"/min_installment_value/0":  "a providers.Amount",
	"/minimum_purchase_value/0": "a providers.Amount",
	"/amount":                   "a providers.Amount",
	"/discount_amount":          "a providers.Amount",
	"/authorized_amount":        "a providers.Amount",
	"/captured_amount":          "a providers.Amount",
	"/refunded_amount":          "a providers.Amount",
	"/voided_amount":            "a providers.Amount",
}

func isPassedOver(path string) bool {
	for end := range passedOver {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	return false
}

// differences lists the members of a document that are not in what was written.
func differences(at string, want, got any) (lost []string) {
	switch want := want.(type) {
	case map[string]any:
		object, _ := got.(map[string]any)
		for name, value := range want {
			other, ok := object[name]
			if _, added := newer[name]; added && isPassedOver(at) {
				continue
			}
			if !ok && value == nil && strings.HasSuffix(at, "/items/1") && name == "cost" {
				continue // a shipping.Number that is null is none, as an absent one is
			}
			if !ok {
				lost = append(lost, fmt.Sprintf("%s/%s: is lost, was %v", at, name, value))
				continue
			}
			lost = append(lost, differences(at+"/"+name, value, other)...)
		}
	case []any:
		list, _ := got.([]any)
		if len(list) != len(want) {
			return []string{fmt.Sprintf("%s: got %d items, want %d", at, len(list), len(want))}
		}
		for i, item := range want {
			lost = append(lost, differences(fmt.Sprintf("%s/%d", at, i), item, list[i])...)
		}
	default:
		if !sameMeaning(want, got) {
			lost = append(lost, fmt.Sprintf("%s: got %#v, want %#v", at, got, want))
		}
	}
	slices.Sort(lost)
	return lost
}

// sameMeaning reports whether two scalars are equal, or the same instant or amount.
func sameMeaning(a, b any) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil {
		return false
	}
	one, other := fmt.Sprint(a), fmt.Sprint(b)
	if x, err := client.ParseTime(one); err == nil && !x.IsZero() {
		y, err := client.ParseTime(other)
		return err == nil && x.Equal(y.Time)
	}
	x, err := client.ParseMoney(one)
	y, failed := client.ParseMoney(other)
	return err == nil && failed == nil && x.Equal(y)
}

// A record that holds secrets hides them from encoding/json, which logs use, and takes nothing that was hidden for one.
func TestSecretsDoNotGoThroughEncodingJSON(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "testdata", "wire", "payment_provider.json"))
	if err != nil {
		t.Fatal(err)
	}
	const canary = "canary-"
	var p providers.Provider
	if err := json.Unmarshal(data, &p); err != nil || !bytes.Contains(data, []byte(canary)) {
		t.Fatal(err, "want a document with secrets")
	}
	back, err := json.Marshal([]any{p, &p, []providers.Provider{p}, map[string]providers.Provider{"p": p}})
	if err != nil || bytes.Contains(back, []byte(canary)) || bytes.Count(back, []byte("[redacted]")) < 4 {
		t.Errorf("got %s, %v", back, err)
	}
	back, err = json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var again providers.Provider
	if err := json.Unmarshal(back, &again); err == nil && strings.Contains(fmt.Sprint(again.Authentication), "redacted") {
		t.Errorf("read again as %v", again.Authentication)
	}
}
