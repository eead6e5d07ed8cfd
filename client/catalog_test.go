package client

import (
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// catalog holds a pointer to each record whose document in testdata/wire has every
// member of the contract.
var catalog = map[string]any{
	"store":    &Store{},
	"product":  &Product{},
	"variant":  &Variant{},
	"image":    &Image{},
	"category": &Category{},
	"webhook":  &Webhook{},

	"cart":                &Cart{},
	"cart_discount":       &CartDiscount{},
	"coupon":              &Coupon{},
	"custom_field":        &CustomField{},
	"custom_field_owners": &CustomFieldOwners{},
	"custom_field_value":  &CustomFieldValue{},
	"customer":            &Customer{},
	"inventory_level":     &InventoryLevel{},
	"kit":                 &Kit{},
	"location":            &Location{},
	"metafield":           &Metafield{},
	"page":                &ContentPage{},
	"script":              &Script{},

	"order_v1":          &Order{},
	"order_2025_03":     &Order{},
	"draft_order":       &DraftOrder{},
	"checkout":          &Checkout{},
	"fulfillment_order": &FulfillmentOrder{},
	"tracking_event":    &TrackingEvent{},
	"fulfillment":       &Fulfillment{},

	"app_subscription": &AppSubscription{},
	"charge":           &Charge{},
	"plan":             &Plan{},
}

// document reads testdata/wire/name.json.
func document(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "wire", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// generic reads JSON without any of our types.
func generic(t *testing.T, data []byte) map[string]any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	var v map[string]any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCatalogRecordsHaveAFieldForEveryMember(t *testing.T) {
	for name, record := range catalog {
		t.Run(name, func(t *testing.T) {
			data := document(t, name)
			v := reflect.New(reflect.TypeOf(record).Elem())
			if err := wire.Unmarshal(data, v.Interface()); err != nil {
				t.Fatal(err)
			}
			walk(v, "", func(d Drift) { t.Errorf("%s: want %s, got %s", d.Path, d.Want, d.Got) })
			back, err := wire.Marshal(v.Interface())
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range hostile.Differences(generic(t, back), generic(t, data)) {
				t.Errorf("read and written again: %s", d)
			}
		})
	}
}

func TestCatalogRecordsKeepUnknownMembers(t *testing.T) {
	for name, record := range catalog {
		t.Run(name, func(t *testing.T) {
			v := reflect.New(reflect.TypeOf(record).Elem()).Interface()
			if err := wire.Unmarshal([]byte(`{"a_network":"https://n.example","newer":{"list":[1,null]}}`), v); err != nil {
				t.Fatal(err)
			}
			back, err := wire.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			got := generic(t, back)
			if got["a_network"] != "https://n.example" {
				t.Errorf("a_network = %v, want it kept", got["a_network"])
			}
			if want := (map[string]any{"list": []any{json.Number("1"), nil}}); !reflect.DeepEqual(got["newer"], want) {
				t.Errorf("newer = %v, want %v", got["newer"], want)
			}
		})
	}
}

func TestCatalogInputsSendAbsentMembersAsNothing(t *testing.T) {
	for _, in := range []any{
		ProductInput{}, VariantInput{}, VariantPatch{}, ImageInput{}, CategoryInput{}, WebhookInput{},
		InventoryLevelInput{}, StockPrice{}, VariantStockPrice{},
		CustomerInput{}, CustomerAddressInput{}, CustomerBillingInput{}, CouponInput{}, LocationInput{}, LocationAddressInput{}, NamedInput{}, LocationPriority{},
		CustomFieldInput{}, CustomFieldSetting{}, MetafieldInput{}, ScriptInput{}, ContentPageInput{}, ContentPageText{}, Invoice{},
		OrderInput{}, OrderProductInput{}, OrderCustomerInput{}, OrderAddressInput{}, OrderUpdate{}, OrderCancel{}, OrderEdit{}, OrderEditProduct{},
		DraftOrderInput{}, DraftProductInput{}, DraftShippingInput{}, DraftAddressInput{},
		FulfillmentOrderInput{}, TrackingInfoInput{}, FulfillmentAddressInput{}, FulfillmentShippingInput{}, FulfillmentCarrierInput{},
		FulfillmentOptionInput{}, FulfillmentPickupInput{}, PickupHoursInput{}, ShippingExtrasInput{}, RecipientInput{}, AssignedLocationInput{}, TrackingEventInput{}, FulfillmentInput{},
		LabelInput{}, LabelDocumentInput{}, LabelTrackingInput{}, LabelReasonInput{},
		AppSubscriptionInput{}, ChargeInput{}, PlanInput{}, PriceTableInput{}, ExternalInvoiceInput{},
	} {
		typ := reflect.TypeOf(in)
		for _, f := range reflect.VisibleFields(typ) {
			_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if strings.Contains(options, "omitempty") {
				t.Errorf("%s.%s: omitempty drops values that are meant; want omitzero", typ, f.Name)
			}
			if optional(f.Type) && options != "omitzero" {
				t.Errorf("%s.%s: options %q, want omitzero", typ, f.Name, options)
			}
			if f.Type.Kind() == reflect.Pointer {
				t.Errorf("%s.%s is a pointer; want Opt", typ, f.Name)
			}
		}
	}
}

func optional(t reflect.Type) bool { return strings.HasPrefix(t.Name(), "Opt[") }

// exchange is one request that a test platform saw.
type exchange struct{ method, path, query, body string }

func (x exchange) String() string {
	return strings.Join(slices.DeleteFunc([]string{x.method, x.path, x.query, x.body}, func(s string) bool { return s == "" }), " ")
}

// view returns a view whose requests are answered by transport.
func view(t *testing.T, v Version, transport http.RoundTripper) *engine.Service {
	t.Helper()
	c, err := New(Config{
		BaseURL:    "https://api.example.com",
		StoreID:    123,
		Token:      oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "token"}),
		UserAgent:  "Tests (tests@app.example)",
		HTTPClient: &http.Client{Transport: transport},
	})
	if err != nil {
		t.Fatal(err)
	}
	return atVersion(c, v)
}

// answering returns a view on a platform that gives body for everything, and the
// list of what it was asked.
func answering(t *testing.T, v Version, body string) (*engine.Service, *[]exchange) {
	t.Helper()
	var seen []exchange
	return view(t, v, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
		seen = append(seen, exchangeOf(t, r))
		return respond(r, strings.NewReader(body), int64(len(body))), nil
	})), &seen
}

func exchangeOf(t *testing.T, r *http.Request) exchange {
	x := exchange{method: r.Method, path: r.URL.EscapedPath(), query: r.URL.RawQuery}
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		x.body = string(body)
	}
	return x
}

// respond answers 200 with a body that says it has length bytes.
func respond(r *http.Request, body io.Reader, length int64) *http.Response {
	return &http.Response{
		StatusCode:    http.StatusOK,
		Header:        http.Header{"Content-Type": {"application/json; charset=utf-8"}},
		Body:          io.NopCloser(body),
		ContentLength: length,
		Request:       r,
	}
}

func TestCatalogListsCrawlByID(t *testing.T) {
	ctx := t.Context()
	for path, crawl := range map[string]func(*engine.Service) iter.Seq2[ID, error]{
		"/v1/123/products": func(v *engine.Service) iter.Seq2[ID, error] {
			return idsOf((*ProductService)(v).List(ProductFilter{}).Since(ctx, 5), func(p *Product) ID { return p.ID })
		},
		"/v1/123/products/42/variants": func(v *engine.Service) iter.Seq2[ID, error] {
			return idsOf((*VariantService)(v).List(42, VariantFilter{}).Since(ctx, 5), func(p *Variant) ID { return p.ID })
		},
		"/v1/123/products/42/images": func(v *engine.Service) iter.Seq2[ID, error] {
			return idsOf((*ImageService)(v).List(42, ImageFilter{}).Since(ctx, 5), func(p *Image) ID { return p.ID })
		},
		"/v1/123/categories": func(v *engine.Service) iter.Seq2[ID, error] {
			return idsOf((*CategoryService)(v).List(CategoryFilter{}).Since(ctx, 5), func(p *Category) ID { return p.ID })
		},
		"/v1/123/webhooks": func(v *engine.Service) iter.Seq2[ID, error] {
			return idsOf((*WebhookService)(v).List(WebhookFilter{}).Since(ctx, 5), func(p *Webhook) ID { return p.ID })
		},
	} {
		var asked []string
		answers := []string{`[{"id":6},{"id":9}]`, `[]`}
		v := view(t, VersionV1, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			asked = append(asked, r.URL.Path+"?"+r.URL.RawQuery)
			body := answers[len(asked)-1]
			return respond(r, strings.NewReader(body), int64(len(body))), nil
		}))
		var got []ID
		for id, err := range crawl(v) {
			if err != nil {
				t.Errorf("%s: %v", path, err)
			}
			got = append(got, id)
		}
		if !slices.Equal(got, []ID{6, 9}) {
			t.Errorf("%s: crawled %v, want 6 and 9", path, got)
		}
		if want := []string{path + "?per_page=200&since_id=5", path + "?per_page=200&since_id=9"}; !slices.Equal(asked, want) {
			t.Errorf("asked %v, want %v", asked, want)
		}
	}
}

// idsOf yields the ids of records.
func idsOf[T any](records iter.Seq2[*T, error], id func(*T) ID) iter.Seq2[ID, error] {
	return func(yield func(ID, error) bool) {
		for record, err := range records {
			if err != nil {
				yield(0, err)
				return
			}
			if !yield(id(record), nil) {
				return
			}
		}
	}
}
