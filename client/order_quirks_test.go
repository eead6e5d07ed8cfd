package client

import (
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// parsed returns a record read from JSON.
func parsed[T any](t *testing.T, data string) *T {
	t.Helper()
	v := new(T)
	if err := wire.Unmarshal([]byte(data), v); err != nil {
		t.Errorf("%s: %v", data, err)
	}
	return v
}

func TestOrderReadsWhatThePlatformPrints(t *testing.T) {
	order := func(data string) *Order { return parsed[Order](t, data) }
	line := func(data string) LineItem { return order(`{"products":[` + data + `]}`).Products[0] }
	for quirk, ok := range map[string]bool{
		"store_id as string":             order(`{"store_id":"817495"}`).StoreID == 817495,
		"store_id as number":             order(`{"store_id":817495}`).StoreID == 817495,
		"number as string":               order(`{"number":"101"}`).Number == 101,
		"variant_id as string":           line(`{"variant_id":"426215948"}`).VariantID == 426215948,
		"line ids beyond 32 bits":        line(`{"id":9007199254740993}`).ID == 9007199254740993,
		"quantity as string":             line(`{"quantity":"1"}`).Quantity == 1,
		"installments as string":         order(`{"payment_details":{"installments":"6"}}`).PaymentDetails.V.Installments == 6,
		"promotion's order as string":    order(`{"promotional_discount":{"id":null,"order_id":"871254203","contents":[],"promotions_applied":[]}}`).PromotionalDiscount.V.OrderID == 871254203,
		"no promotion at all":            !order(`{"promotional_discount":[]}`).PromotionalDiscount.Valid,
		"payment_details []":             !order(`{"payment_details":[]}`).PaymentDetails.Valid,
		"client_details null":            !order(`{"client_details":null}`).ClientDetails.Valid,
		"image.alt []":                   line(`{"image":{"id":0,"product_id":0,"alt":[]}}`).Image.V.Alt.Get() == "",
		"placeholder image":              line(`{"image":{"id":0}}`).Image.Valid,
		"image []":                       !line(`{"image":[]}`).Image.Valid,
		"shipping_suboption []":          !order(`{"shipping_suboption":[]}`).ShippingSuboption.Valid,
		"shipping_suboption object":      order(`{"shipping_suboption":{"id":7}}`).ShippingSuboption.V.ID == "7",
		"pickup details as text":         order(`{"shipping_pickup_details":"Desk"}`).ShippingPickupDetails.Text == "Desk",
		"pickup details as object":       len(order(`{"shipping_pickup_details":{"name":"Desk"}}`).ShippingPickupDetails.Object.Members) == 1,
		"pickup details null":            order(`{"shipping_pickup_details":null}`).ShippingPickupDetails == nil,
		"properties []":                  len(line(`{"properties":[]}`).Properties.Members) == 0,
		"properties object":              string(line(`{"properties":{"label":"For Ana"}}`).Properties.Members["label"]) == `"For Ana"`,
		"properties list":                len(line(`{"properties":[{"name":"label"}]}`).Properties.Items) == 1,
		"extra {}":                       len(order(`{"extra":{}}`).CustomInfo.Members) == 0,
		"extra []":                       len(order(`{"extra":[]}`).CustomInfo.Members) == 0,
		"issues []":                      !line(`{"issues":[]}`).Issues.Valid,
		"customer absent":                order(`{}`).Customer == nil,
		"customer null":                  order(`{"customer":null}`).Customer == nil,
		"address id 0":                   order(`{"shipping_address":{"id":0,"number":742,"country":null}}`).ShippingAddress.Number == "742",
		"address as string":              order(`{"shipping_address":"Rua A"}`).ShippingAddress.Address == "Rua A",
		"address null":                   order(`{"shipping_address":null}`).ShippingAddress == nil,
		"no coupon":                      len(order(`{"coupon":[]}`).Coupon) == 0,
		"category of a coupon at 0":      order(`{"coupon":[{"categories":[{"id":1,"parent":0}]}]}`).Coupon[0].Categories[0].Parent != nil,
		"weight null":                    line(`{"weight":null}`).Weight == "",
		"weight text":                    line(`{"weight":"0.00"}`).Weight == "0.00",
		"money as number":                order(`{"total":5400.5}`).Total.Equal(MustMoney("5400.50")),
		"negative days":                  *parsed[Checkout](t, `{"shipping_min_days":-5}`).ShippingMinDays == -5,
		"gateway null":                   parsed[Checkout](t, `{"gateway":null,"customer":null}`).Gateway == "",
		"completed_at object":            order(`{"completed_at":{"date":"2022-11-15 19:36:59.000000","timezone_type":3,"timezone":"UTC"}}`).CompletedAt.Unix() == 1668541019,
		"completed_at in a zone":         order(`{"completed_at":{"date":"2022-11-15 16:36:59.000000","timezone_type":1,"timezone":"-03:00"}}`).CompletedAt.Unix() == 1668541019,
		"completed_at null":              order(`{"completed_at":null}`).CompletedAt.IsZero(),
		"time +0000":                     order(`{"paid_at":"2022-11-15T19:36:59+0000"}`).PaidAt.Unix() == 1668541019,
		"time +00:00":                    order(`{"paid_at":"2022-11-15T19:36:59+00:00"}`).PaidAt.Unix() == 1668541019,
		"time -0300":                     order(`{"paid_at":"2022-11-15T16:36:59-0300"}`).PaidAt.Unix() == 1668541019,
		"time with milliseconds":         order(`{"paid_at":"2022-11-15T19:36:59.086Z"}`).PaidAt.UnixMilli() == 1668541019086,
		"time with a space":              order(`{"paid_at":"2022-11-15 19:36:59"}`).PaidAt.Unix() == 1668541019,
		"unset date of a draft":          parsed[DraftOrder](t, `{"completed_at":"-0001-11-30T00:00:00+0000","paid_at":"-0001-11-30T00:00:00+0000"}`).PaidAt.IsZero(),
		"draft number 0, store_id text":  parsed[DraftOrder](t, `{"number":0,"store_id":"817495"}`).StoreID == 817495,
		"draft without customer":         parsed[DraftOrder](t, `{"customer":null}`).Customer == nil,
		"risk_management is opaque":      len(parsed[DraftOrder](t, `{"risk_management":{"a":true,"b":null,"c":"x"}}`).RiskManagement.Members) == 3,
		"shipped is fulfilled":           order(`{"shipping_status":"shipped"}`).ShippingStatus.Common() == ShippingStatusFulfilled,
		"unshipped is unfulfilled":       order(`{"shipping_status":"unshipped"}`).ShippingStatus.Common() == ShippingStatusUnfulfilled,
		"total_paid of v1":               order(`{"total_paid":"10.00"}`).TotalPaid().String() == "10.00",
		"total_paid of newer versions":   order(`{"total_paid_by_customer_including_fees":"12.00","total_paid_by_customer":"11.00"}`).TotalPaid().String() == "12.00",
		"total_paid not told":            order(`{}`).TotalPaid() == Money{},
		"fulfillments pending":           len(order(`{"fulfillments":[]}`).FulfillmentOrders()) == 0,
		"fulfillments as ids":            order(`{"fulfillments":["01FHZXHK8PTP9FVK99Z66GXASS"]}`).FulfillmentOrders()[0].ID.String() == "01FHZXHK8PTP9FVK99Z66GXASS",
		"fulfillments as objects":        order(`{"fulfillments":[{"id":"01FHZXHK8PTP9FVK99Z66GXASS"}]}`).FulfillmentOrders()[0].Order != nil,
		"fulfillment_orders as objects":  order(`{"fulfillments":["01FHZXHK8PTP9FVK99Z66GXASS"],"fulfillment_orders":[{"id":"01FHZXHK8PTP9FVK99Z66GXASS","status":"PACKED"}]}`).FulfillmentOrders()[0].Order.Status == FulfillmentPacked,
		"fulfillment_orders as ids":      order(`{"fulfillment_orders":["01FHZXHK8PTP9FVK99Z66GXASS"]}`).FulfillmentOrders()[0].Order == nil,
		"amounts of fulfillment numbers": parsed[FulfillmentOrder](t, `{"total_price":{"value":12.5,"currency":"BRL"}}`).TotalPrice.Value.String() == "12.50",
		"amounts of history numbers":     parsed[ValueChange](t, `{"total_delta":-3750,"gateway_method":null}`).TotalDelta.String() == "-3750.00",
		"e-mail in the phone's place":    order(`{"contact_phone":"a@b.example"}`).ContactPhone == "a@b.example",
	} {
		if !ok {
			t.Errorf("%s is not read as it is meant", quirk)
		}
	}
}

func TestOrderPartsKeepTheirForm(t *testing.T) {
	for _, data := range []string{
		`{"properties":[],"shipping_suboption":[],"address":"Rua A","completed":null,"pickup":"Desk","fulfillments":["01FHZXHK8PTP9FVK99Z66GXASS"],"delta":-3750.50,"weight":0.25,"code":"0800"}`,
		`{"properties":{"a":1},"shipping_suboption":{"id":"7"},"address":null,"completed":{"date":"2022-11-15 16:36:59.000000","timezone_type":1,"timezone":"-03:00"},"pickup":{"name":"Desk"},"fulfillments":[],"delta":0.00,"weight":null,"code":null}`,
		`{"properties":[{"a":1}],"shipping_suboption":[],"address":null,"completed":{"date":"2022-11-15 19:36:59.000000","timezone_type":3,"timezone":"UTC"},"pickup":null,"fulfillments":[],"delta":1.00,"weight":-58.38162849,"code":"x"}`,
	} {
		type record struct {
			Properties   Object                 `json:"properties"`
			Suboption    Nullable[PickupOption] `json:"shipping_suboption"`
			Address      *OrderAddress          `json:"address"`
			Completed    CompletedAt            `json:"completed"`
			Pickup       *PickupDetails         `json:"pickup"`
			Fulfillments []FulfillmentRef       `json:"fulfillments"`
			Delta        MoneyNumber            `json:"delta"`
			Weight       Decimal                `json:"weight"`
			Code         Code                   `json:"code"`
		}
		back, err := wire.Marshal(parsed[record](t, data))
		if err != nil || string(back) != data {
			t.Errorf("read and written again\n got %s, %v\nwant %s", back, err, data)
		}
	}
}

func TestOrderPartsRefuseWhatIsMeantOtherwise(t *testing.T) {
	for data, v := range map[string]any{
		`[1]`: new(Nullable[PickupOption]), `"x"`: new(Nullable[PickupOption]), `{"id":{}}`: new(Nullable[PickupOption]), `true`: new(Object), `7`: new(Object),
		`{"a":}`: new(Object), `{}`: new(Code), `false`: new(Code), `"1e100"`: new(Decimal), `{"value":"x"}`: new(Amount), `[2]`: new(OrderAddress),
		`"short"`: new(FulfillmentRef), `"01FHZXHK8PTP9FVK99Z66GXAUU"`: new(FulfillmentRef), `{"id":5}`: new(FulfillmentRef), `"soon"`: new(CompletedAt), `3`: new(PickupDetails),
	} {
		if err := wire.Unmarshal([]byte(data), v); err == nil {
			t.Errorf("%s was read as %T", data, v)
		}
	}
	for _, bad := range []Decimal{"1e100", "05", ".5", "5.", "+5", "5 ", "x", Decimal(strings.Repeat("9", 41))} {
		if got, err := wire.Marshal(bad); err == nil {
			t.Errorf("the decimal %q was written as %s", bad, got)
		}
		if got, err := bad.Exact(); err == nil {
			t.Errorf("the decimal %q is %s", bad, got)
		}
	}
	if id, err := Code("42").ID(); err != nil || id != 42 {
		t.Errorf("Code.ID = %v, %v", id, err)
	}
	if found, err := (Object{Members: Extra{"a": []byte(`1`)}}).Decode("a", new(int)); !found || err != nil {
		t.Errorf("Object.Decode = %v, %v", found, err)
	}
	// Decimals were once held to the six places of amounts, and one coordinate made a fulfillment order unreadable.
	for d, want := range map[Decimal]string{"0.250": "0.25", "-58.38162849": "-58.38162849", "0.30000000000000004": "0.30000000000000004", "1e-7": "0.0000001", "": "0"} {
		if exact, err := d.Exact(); err != nil || exact.String() != want {
			t.Errorf("Decimal(%q).Exact = %v, %v, want %s", d, exact, err, want)
		}
	}
}

// One amount with the noise of floating point made a whole fulfillment order, and the whole history of an order,
// unreadable.
func TestAmountsOfFloatingPoint(t *testing.T) {
	for number, want := range map[string]string{
		"3.3000000000000003": "3.30", "59.97": "59.97", "-0.05000000000018190": "-0.05", "5.684341886080802e-14": "0.00", "1.5e3": "1500.00", "0.0000005": "0.000001",
		`"12.50"`: "12.50", "null": "0.00",
	} {
		if got := parsed[Amount](t, `{"value":`+number+`,"currency":"ARS"}`).Value.String(); got != want {
			t.Errorf("%s: got %s, want %s", number, got, want)
		}
		if got := parsed[ValueChange](t, `{"total_paid_diff":`+number+`}`).TotalPaidDiff.String(); got != want {
			t.Errorf("%s in the history: got %s, want %s", number, got, want)
		}
	}
	for _, bad := range []string{`"3.3000000000000003"`, `"x"`, "1e17", "1e100", "12345678901234567890", "true", "0." + strings.Repeat("3", 100)} {
		if v := new(MoneyNumber); wire.Unmarshal([]byte(bad), v) == nil {
			t.Errorf("%s was read as %s", bad, v)
		}
	}
}
