package members_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/discounts"
)

// fixed are two values of types that are filled as a whole.
var fixed = map[reflect.Type][2]any{
	reflect.TypeFor[client.ID]():    {client.ID(7), client.ID(8)},
	reflect.TypeFor[client.Money](): {client.Cents(1250), client.Cents(1350)},
	reflect.TypeFor[client.Time]():  {day(4), day(5)},
	reflect.TypeFor[time.Time]():    {day(4).Time, day(5).Time},
	reflect.TypeFor[client.Text]():  {client.Text{"es_AR": "text"}, client.Text{"es_AR": "other text"}},
	reflect.TypeFor[uuid.UUID](): {
		uuid.MustParse("8c6b1f0e-0c0f-4ac5-9d8c-6f5a3a1a7c11"), uuid.MustParse("9c6b1f0e-0c0f-4ac5-9d8c-6f5a3a1a7c11"),
	},
	reflect.TypeFor[ulid.ULID](): {
		ulid.MustParse("01HZXW5Z5QJ3V8N6Q4T2R0P9M7"), ulid.MustParse("02HZXW5Z5QJ3V8N6Q4T2R0P9M7"),
	},
	reflect.TypeFor[json.RawMessage](): {json.RawMessage(`{"key":"value"}`), json.RawMessage(`{"key":"other value"}`)},
	reflect.TypeFor[map[string]any]():  {map[string]any{"key": "value"}, map[string]any{"key": "other value"}},
	reflect.TypeFor[client.MoneyNumber](): {
		client.MoneyNumber{Money: client.Cents(1250)}, client.MoneyNumber{Money: client.Cents(1350)},
	},
	reflect.TypeFor[client.Opt[client.AmountInput]](): {
		client.Set(client.AmountInput{Value: client.Cents(1250), Currency: "ARS"}),
		client.Set(client.AmountInput{Value: client.Cents(1350), Currency: "USD"}),
	},
	reflect.TypeFor[client.Decimal]():   {client.Decimal("1.5"), client.Decimal("2.5")},
	reflect.TypeFor[discounts.Amount](): amounts(),
	reflect.TypeFor[client.Object](): {
		client.Object{Members: map[string]json.RawMessage{"key": json.RawMessage(`"value"`)}},
		client.Object{Members: map[string]json.RawMessage{"key": json.RawMessage(`"other value"`)}},
	},
}

// amounts are those of discounts: an amount and a percentage.
func amounts() [2]any {
	fixed, err := discounts.Minor(250)
	percentage, err2 := discounts.BasisPoints(1000)
	if err := errors.Join(err, err2); err != nil {
		panic(err)
	}
	return [2]any{fixed, percentage}
}

// texts are what the client takes, by the path of a field or by type, where it does not take every text.
var texts = map[string][2]string{
	"client.Aggregate":              {"custom_fields", "fulfillment_orders"},
	"client.AgeGroup":               {"kids", "adult"},
	"client.CancelReason":           {"fraud", "other"},
	"client.CouponType":             {"shipping", "percentage"},
	"client.DraftDiscountType":      {"percentage", "absolute"},
	"client.FieldOwner":             {"products", "orders"},
	"client.FulfillmentStatus":      {"PACKED", "UNPACKED"},
	"client.Gender":                 {"female", "male"},
	"client.InventoryBehaviour":     {"claim", "bypass"},
	"client.LabelStatus":            {"READY_TO_DOWNLOAD", "FAILED"},
	"client.LocationTag":            {"online", "offline"},
	"client.MetafieldOwner":         {"Product", "Category"},
	"client.OrderStatus":            {"closed", "cancelled"},
	"client.PaymentStatus":          {"paid", "pending"},
	"client.PickupType":             {"pickup", "ship"},
	"client.ShippingStatus":         {"unpacked", "fulfilled"},
	"client.TrackingStatus":         {"dispatched", "in_transit"},
	"client.ValueType":              {"text", "date"},
	"client.Visibility":             {"visible", "hidden"},
	"value.WebhookEvent":            {"order/created", "order/paid"},
	"client.Weekday":                {"MONDAY", "SUNDAY"},
	"promotions.Tier":               {"line_item", "cross_items"},
	"disputes.Reason":               {"product_not_received", "credit_not_processed"},
	"disputes.Status":               {"under_review", "won"},
	"client.RuleDomain":             {"payments", "cart"},
	"providers.LogoSize":            {"400x120", "160x100"},
	"providers.MethodType":          {"credit_card", "debit_card"},
	"providers.Feature":             {"gateway", "transparent_checkout"},
	"carriers.Type":                 {"ship", "pickup"},
	"argument":                      {"https://app.example/c", "https://app.example/d"},
	"client.CouponStatus":           {"activated", "deactivated"},
	"Dispute.Amount.Currency":       {"ARS", "ARS"},
	"ExternalInvoiceInput.Key":      {strings.Repeat("8", 44), strings.Repeat("9", 44)},
	"client.ExternalInvoiceStatus":  {"Cancelled", "Denied"},
	"client.ExternalInvoiceSubtype": {"return", "sale"},
	"ImageInput.Filename":           {"a.png", "b.png"},
	"LabelInput.Documents[].Format": {"PDF", "ZPL"},
	"LabelInput.Documents[].Type":   {"LABEL", "LABEL"},
	"ProviderInput.LogoURLs[]":      {"https://pay.example/w.png", "https://pay.example/v.png"},
	"ProviderInput.Currencies[]":    {"ARS", "USD"},
	"providers.EventType":           {"sale", "refund"},
	"providers.RiskLevel":           {"low", "high"},
	"providers.ChargeType":          {"tax", "other"},
	"providers.DiscountType":        {"other", "other"},
	"providers.EventStatus":         {"success", "failure"},
	"Update.Status":                 {"won", "lost"},
	"ProviderInput.Options[].ID": {
		"8c6b1f0e-0c0f-4ac5-9d8c-6f5a3a1a7c11", "9c6b1f0e-0c0f-4ac5-9d8c-6f5a3a1a7c11",
	},
	"ProviderInput.Methods[].Methods[]":          {"visa", "amex"},
	"providers.IntegrationType":                  {"transparent", "redirect"},
	"providers.AuthenticationType":               {"oauth", "basic"},
	"Input.RetainedSettledAmount.Currency":       {"USD", "EUR"},
	"Update.RetainedSettledAmount.Currency":      {"USD", "EUR"},
	"MetafieldInput.Namespace":                   {"a", "b"},
	"MetafieldInput.Key":                         {"a", "b"},
	"ProviderInput.Options[].BillingCountries[]": {"AR", "BR"},
	"disputes.FeeType":                           {"processing_fee", "processing_fee"},
	"lineDiscount.Text{}":                        {"es-ar", "es-ar"},
	"cartDiscount.Text{}":                        {"es-ar", "es-ar"},
	"Offer.Code":                                 {"Slow", "Fast"},
	"pickup.Offer.Code":                          {"Slow", "Fast"},
	"pickup.Point.Hours[].Start":                 {"0900", "1000"},
	"pickup.Point.Hours[].End":                   {"1800", "1900"},
	"pickup.Point.Address.Latitude":              {"-34.5", "-35.5"},
	"pickup.Point.Address.Longitude":             {"-58.5", "-59.5"},
	"pickup.Point.Address.Country":               {"AR", "BR"},
	"shipping.LabelCode":                         {"LABEL_IN_TRANSIT", "LABEL_DELIVERED"},
	"payments.RefundRefusal":                     {"refund_rejected", "transaction_date_too_old"},
	"Dispute.Status":                             {"under_review", "needs_response"},
	"value.Measure":                              {"0.065", "0.1"},
	"DraftOrderInput.PaymentStatus":              {"unpaid", "paid"},
	"ImageInput.Src":                             {"https://files.example/a.png", "https://files.example/b.png"},
	"ProductInput.Images[].Src":                  {"https://files.example/a.png", "https://files.example/b.png"},
}

// wholes are values of fields, by path, that are not filled one by one.
var wholes = map[string][2]any{
	"ImageInput.Attachment":    {[]byte("\x89PNG\r\n\x1a\n"), []byte("\x89PNG\r\n\x1a\nmore")},
	"ProviderInput.LogoURLs":   {logoURLs("a"), logoURLs("b")},
	"ChargeInput.FromDate":     {day(4), day(3)},
	"ChargeInput.ToDate":       {day(5), day(6)},
	"Offer.MaxDelivery":        {day(8).Time, day(9).Time},
	"pickup.Offer.MaxDelivery": {day(8).Time, day(9).Time},
	"Tokens.ExpiresIn":         {time.Hour, 2 * time.Hour},
	"LocationPriority":         {priorities(0, 1), priorities(1, 0)},
}

func day(n int) client.Time { return client.At(time.Date(2026, 3, n, 5, 6, 7, 0, time.UTC)) }

func logoURLs(name string) map[providers.LogoSize]string {
	return map[providers.LogoSize]string{
		providers.LogoWide:  "https://pay.example/wide-" + name + ".png",
		providers.LogoSmall: "https://pay.example/small-" + name + ".png",
	}
}

func priorities(places ...client.Int) (all []client.LocationPriority) {
	for i, p := range places {
		id := fixed[reflect.TypeFor[ulid.ULID]()][0].(ulid.ULID)
		id[15] += byte(i)
		all = append(all, client.LocationPriority{ID: id, Priority: p})
	}
	return all
}

// byEnding are texts by the ending of a path.
var byEnding = map[string][2]string{
	"Currency":          {"ARS", "USD"},
	"ExchangeRate.From": {"ARS", "USD"},
	"URL":               {"https://app.example/a", "https://app.example/b"},
	"Email":             {"a@shop.example", "b@shop.example"},
	"URLFromApp":        {"https://app.example/a", "https://app.example/b"},
}

// files are the fields of a file within a product, which only images by themselves may have, and another one.
func files(other string) []string {
	return []string{"ProductInput.Images[].Attachment", "ProductInput.Images[].Filename", other}
}

// sources are the fields of an image, of which a request has one.
func sources(but string) []string {
	all := []string{"ImageInput.Src", "ImageInput.Attachment", "ImageInput.StoreMediaUUID"}
	return slices.DeleteFunc(all, func(path string) bool { return strings.HasSuffix(path, but) })
}

// variants are the fields that stay zero in each call of an operation, where the client does not take all at once.
func (o operation) variants() [][]string {
	for _, name := range []string{o.name, o.plain()} {
		if v, ok := variants[name]; ok {
			return v
		}
	}
	return [][]string{nil}
}

var variants = map[string][][]string{
	"Carriers.CreateOption":         {{"OptionInput.AllowFreeShipping"}},
	"Carriers.CreateOrGetOption":    {{"OptionInput.AllowFreeShipping"}},
	"Coupons.Create":                {{"CouponInput.Categories"}, {"CouponInput.Products"}},
	"Coupons.CreateOrGet":           {{"CouponInput.Categories"}, {"CouponInput.Products"}},
	"Coupons.Update":                {{"CouponInput.Categories"}, {"CouponInput.Products"}},
	"Customers.Update":              {{"CustomerInput.SendEmailInvite", "CustomerInput.Password"}},
	"AppSubscriptions.Update":       {{"AppSubscriptionInput.PlanID"}, {"AppSubscriptionInput.PlanExternalID"}},
	"Transactions.Create":           {nil, {"TransactionInput.FirstEvent.DiscountAmount"}}, // the orders here are paid
	"Transactions.CreateEvent":      {{"EventInput.DiscountAmount"}},
	"Transactions.CreateEventOrGet": {{"EventInput.DiscountAmount"}},
	"Products.Create":               {files("ProductInput.Images[].StoreMediaUUID")},
	"unstable Products.Create":      {files("ProductInput.Images[].Src")},
	"Products.CreateOrGet":          {files("ProductInput.Images[].StoreMediaUUID")},
	"Images.Create":                 {sources("StoreMediaUUID"), sources("Attachment"), sources("Src")},
	"2025-03 Images.Create":         {sources("Attachment"), sources("Src")},
	"2025-03 Images.Update":         {sources("Attachment"), sources("Src")},
	"v1 Images.Create":              {sources("Attachment"), sources("Src")},
	"v1 Images.Update":              {sources("Attachment"), sources("Src")},
	"Images.Update":                 {sources("StoreMediaUUID"), sources("Attachment"), sources("Src")},
	"Metafields.Update": {{
		"MetafieldInput.Namespace", "MetafieldInput.Key", "MetafieldInput.OwnerID", "MetafieldInput.OwnerResource",
	}},
	"Orders.Edit": {
		{"OrderEdit.Products[].LineItemID"},
		{"OrderEdit.Products[].ProductID", "OrderEdit.Products[].VariantID"},
	},
	"Products.List":   {{"ProductFilter.Visibility"}, {"ProductFilter.Published"}},
	"Products.Update": {{"ProductInput.Variants", "ProductInput.Images"}},
	"Disputes.Update": {
		{"Update.EvidenceURL", "Update.EvidenceSentAt"}, {"Update.Status=insured", "Update.ClosedAt"},
	},
	"Orders.GetWith":         {nil, {"OrderOptions.Fields"}},
	"Promotions.Create":      {{"Input.WithOtherDiscounts"}, granular("Input.")},
	"Promotions.CreateOrGet": {{"Input.WithOtherDiscounts"}, granular("Input.")},
	"Promotions.Update":      {{"Update.WithOtherDiscounts"}, granular("Update.")},
}

// granular are the fields of a promotion that its deprecated one excludes.
func granular(path string) []string {
	return []string{
		path + "WithQuantityDiscounts", path + "WithFreeShipping", path + "WithCartAmountDiscounts",
		path + "WithAppDiscounts", path + "WithPriceDiscounts",
	}
}

// silent are the methods that send nothing by themselves, with the reason.
var silent = map[string]string{
	"Orders.Crawl":        "sends what Orders.List does",
	"Orders.UpdatedSince": "sends what Orders.List does",
}

// notSent are the fields that no request shows, with the reason.
var notSent = map[string]string{
	"TransactionInput.Info.ConsumerDiscounts[].Type":      "it has one value",
	"ProviderInput.Methods[].Type":                        "must be credit_card beside Installments",
	"Input.Fees[].Type":                                   "has one value",
	"Input.Amount.Currency":                               "must be that of the amounts beside it",
	"Input.RetainedTotal.Currency":                        "must be that of Amount",
	"TransactionInput.FirstEvent.Amount.Currency":         "must be that of DiscountAmount",
	"EventInput.DiscountAmount":                           "must be that of a first event",
	"TransactionInput.FirstEvent.DiscountAmount.Currency": "must be that of Amount",
	"Input.RetainedSettledAmount.ExchangeRate.From":       "must be that of Amount",
	"Update.RetainedTotal.Currency":                       "must be that of the dispute",
	"Update.RetainedSettledAmount.ExchangeRate.From":      "must be that of the dispute",
	"ProductInput.Images[].Attachment":                    "ImageService.Create takes files",
	"ProductInput.Images[].Filename":                      "ImageService.Create takes files",
	"OptionInput[].":                                      "Carriers.Ensure creates options when it has the carrier, which is refused here",
}
