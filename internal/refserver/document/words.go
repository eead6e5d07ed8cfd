package document

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// openWords is the keyword of the known values of a member, which later versions of the platform may add to. It is an
// annotation, so that a program that was made of the documents reads a new value too.
const openWords = "x-extensible-enum"

// vocabulary has the words of members that have one meaning.
type vocabulary struct {
	// members matches the members by their path, such as "dispute.history[].status".
	members string
	// words are what the platform writes, separated by spaces.
	words string
	// taken are the words that a request may have, the words if it is empty, and any text if it is anyWord.
	taken string
}

const anyWord = "*"

const (
	trackingWords = "dispatched received_by_post_office in_transit out_for_delivery delivery_attempt_failed delayed " +
		"ready_for_pickup delivered returned_to_sender lost failure"
	methodWords = "bank_debit boleto cash credit_card debit_card pix ticket wallet wire_transfer"
	chargeWords = "payment_processing_fee cost_per_transaction financing_cost tax other"
	labelWords  = "STARTED IN_PROGRESS FAILED CANCELED READY_TO_DOWNLOAD READY_TO_USE DOWNLOADED SUSPENDED"
	orderWords  = "authorized pending paid abandoned refunded voided partially_paid partially_refunded"
)

// vocabularies are the words of members by their meaning. A row without a member is an error.
func vocabularies() []vocabulary {
	var events []string
	for _, e := range res.Events() {
		events = append(events, e.Name)
	}
	var asked []string
	for _, d := range world.RuleDomains() {
		asked = append(asked, d.Event())
	}
	return slices.Concat(catalogWords(), orderVocabularies(), shipmentWords(), paymentWords(), []vocabulary{
		{`.*CustomFields?.*\.value_type|customField.*\.value_type|order\.custom_fields\[\]\.value_type`, "text_list text numeric date", ""},
		{`.*CustomFields?.*\.owner_resource|customField.*\.owner_resource|order\.custom_fields\[\]\.owner_resource`,
			"product product_variant customer category order", ""},
		{`.*CustomFields?.*\.source|customField.*\.source|order\.custom_fields\[\]\.source`, "admin app", ""},
		{`(metafield(\[\])?|createdMetafield|metafields\.create\.request)\.owner_resource`,
			"Product Product_Variant Category Page Order Customer", ""},
		{`webhook\.event|webhooks\.(create|update)\.request\.event`, strings.Join(events, " "), ""},
		{`business_rules\.replace\.request\.event|rules_.*\.details\.event`, strings.Join(asked, " "), ""},
		{`rules_.*\.details\.action`, "filter prioritization", ""},
		{`rules_.*\.details\.domain`, "payments shipping location cart", ""},
		{`script\.event|scripts\.list\.answer\.result\[\]\.event`, "onfirstinteraction onload", ""},
		{`script\.location|scripts\.list\.answer\.result\[\]\.location`, "store checkout", ""},
		{`emailTemplate\.type`, "abandonedcheckoutrecover customer_activate_account customer_reset_password " +
			"customer_welcome_account ordercancelled ordercaptured orderconfirmation ordershipped", ""},
		{`cart\.execution_tier|promotion\.allocation_type|promotions\.(create\.request|list\.answer\.data\[\])\.allocation_type`,
			"line_item cross_items", ""},
		{`event_app_subscription_updated\.topic`, "churn phoenix plan_changed", ""},
	})
}

func catalogWords() []vocabulary {
	return []vocabulary{
		{`category\.visibility|.*\.categories\[\]\.visibility|categories\.(create|update)\.request\.visibility`,
			"visible hidden soft-hidden", "visible hidden"},
		{`.*\bage_group`, "newborn infant toddler kids adult", ""},
		{`.*\bgender`, "female male unisex", ""},
		{`variants\.stock\.request\.action`, "replace variation", ""},
		{`coupon\.type|.*\.coupon\[\]\.type|coupons\.(create|update)\.request\.type`, "percentage absolute shipping", ""},
		{`location.*\.tags\[\]`, "online offline", ""},
		{`store\.customer_accounts`, "optional mandatory", ""},
	}
}

func orderVocabularies() []vocabulary {
	return []vocabulary{
		{`orders\.update\.request\.status`, "open closed cancelled paid", ""},
		{`(order|draft|newDraft|orders\.edit\.answer|orders\.create\.request)\.status`, "open closed cancelled", ""},
		{`(order|orders\.edit\.answer|orders\.create\.request)\.payment_status`, orderWords,
			"authorized pending paid abandoned refunded voided"},
		{`(draft|newDraft|draftOrders\.create\.request)\.payment_status`, "pending pending_confirmation paid",
			"unpaid pending_confirmation paid"},
		{`(order|draft|newDraft|orders\.edit\.answer)\.shipping_status`, "unpacked unfulfilled unshipped fulfilled shipped " +
			"in_preparation packed partially_packed partially_fulfilled delivered", ""},
		{`orders\.create\.request\.(fulfillment|fulfillment_status)`,
			"unpacked unfulfilled unshipped packed fulfilled shipped delivered", ""},
		{`(order|draft|newDraft|checkout|orders\.edit\.answer)\.storefront`, "store meli api form pos", ""},
		{`(order|draft|newDraft|checkout)\.next_action`, "noop close waiting_ipn waiting_manual_confirmation waiting_packing " +
			"waiting_pickup waiting_client_pickup waiting_shipment", ""},
		{`(order|draft|newDraft)\.cancel_reason|orders\.cancel\.request\.reason`, "customer inventory fraud other", ""},
		{`(order|draft|newDraft|checkout|orders\.create\.request)\.shipping_pickup_type`, "ship pickup", ""},
		{`order\.billing_customer_type`, "person company", ""},
		{`draftOrders\.create\.request\.discount_type`, "percentage absolute", ""},
		{`orders\.create\.request\.inventory_behaviour`, "bypass claim", ""},
		{`orders\.edit\.answer\.auto_partial_refund_status`, "success skipped failed", ""},
		{`orders\.(values\.answer\[\]|editions\.answer\[\]\.transaction_information)\.status`, "PENDING CANCELLED PAID", ""},
		{`orders\.values\.answer\[\]\.gateway_method`, "credit_card debit_card cash wire_transfer pix other", ""},
		{`orders\.editions\.answer\[\]\.product_changes\[\]\.type`, "ADD REMOVED", ""},
		{`externalInvoice\.status|external_invoices\..*\.request\.status`, "Authorized AuthorizedInContingency Cancelled Denied", ""},
		{`externalInvoice\.subtype|external_invoices\..*\.request\.subtype`, "sale return", ""},
	}
}

// shipmentWords are those of fulfillment orders, also within an order, a request for labels and a change.
func shipmentWords() []vocabulary {
	const of = `(fulfillmentOrder|order\.fulfillment(_order)?s\[\]|labels_generate\[\]\.fulfillment_order_info|` +
		`fulfillmentOrders\.update\.request)`
	return []vocabulary{
		{of + `\.(status|status_history\[\]\.(from|to)_status)|event_fulfillment_order_status_updated\.status`,
			"UNPACKED PACKED DISPATCHED READY_FOR_PICKUP DELIVERED MARKED_AS_FULFILLED READY_FOR_SHIP PENDING", ""},
		{of + `\.tracking_events\[\]\.status|trackingEvent\.status|event_fulfillment_order_tracking_.*\.status|` +
			`trackingEvents\..*\.request\.status`, trackingWords, anyWord},
		{`fulfillment\.status|fulfillments\.create\.request\.status`, trackingWords, ""},
		{of + `\.shipping\.type`, "ship pickup non-shippable", ""},
		{of + `\.shipping\.carrier\.code`, "api custom locale international native draft default", ""},
		{of + `\.shipping\.pickup_details\.pickup_hours\[\]\.day`, "MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY", ""},
		{of + `\.discounts\[\]\.type`, "SHIPPING PROMOTION PAYMENT_METHOD TOTAL_OF_DISCOUNTS", ""},
		{`label\.status|labels\..*answer.*\.status|event_fulfillment_order_label_.*\.status|labels_generate\[\]\.status|` +
			`labels\.(update|updateStatus)\.request.*\.status`, labelWords, "IN_PROGRESS READY_TO_DOWNLOAD FAILED CANCELED"},
		{`label.*\.documents\[\]\.format`, "PDF ZPL", ""},
		{`label.*\.documents\[\]\.type`, "LABEL", anyWord},
	}
}

func paymentWords() []vocabulary {
	const of, event = `(transaction|transactions\.create\.request)`, `(transaction\.events\[\]|transactionEvent|` +
		`transactions\.create\.request\.first_event|transactions\.createEvent\.request)`
	return []vocabulary{
		{`transaction\.status`, "authorized expired failed in_fraud_analysis needs_merchant_review paid partially_refunded " +
			"pending refunded voided", ""},
		{of + `\.payment_method\.type|payments_process\.payment_method\.type`, methodWords, ""},
		{event + `\.type`, "authorization capture expiration in_fraud_analysis refund needs_merchant_review sale void", ""},
		{event + `\.status`, "error failure pending success", ""},
		{event + `\.info\.risk_level`, "low medium high", anyWord},
		{of + `\.info\.(consumer|merchant)_charges\[\]\.type`, chargeWords, anyWord},
		{of + `\.info\.consumer_discounts\[\]\.type`, "other", ""},
		{`dispute\.(status|history\[\]\.status)|disputes\.update\.request\.status`,
			"needs_response documentation_sent insured under_review won lost", ""},
		{`dispute\.reason_code|disputes\.create\.request\.reason_code`, "bank_cannot_process check_returned " +
			"credit_not_processed customer_initiated debit_not_authorized duplicate_transaction fraudulent_activity " +
			"incorrect_account_details insufficient_funds product_not_received product_unacceptable subscription_canceled " +
			"unrecognized", ""},
		{`dispute\.fees\[\]\.type|disputes\.create\.request\.fees\[\]\.type`, "processing_fee", ""},
		{`(paymentProvider|payment_providers\..*request)\..*payment_method_types?(\[\])?`, methodWords, ""},
		{`(payment_options\.list\.answer\[\]|providedOption)\..*payment_method_types\[\]`, methodWords + " other", ""},
		{`(paymentProvider|payment_options\.list\.answer\[\]|providedOption|payment_providers\..*request)\..*integration_type`,
			"redirect transparent", ""},
		{`paymentProvider\.features\[\]|payment_providers\.update\.request\.features\[\]`,
			"special_rates transparent_checkout supports_international_payments gateway", ""},
		{`payment_providers\..*request\.authentication\.type`, "api_key token oauth basic", ""},
		{`(paymentProvider|payment_providers\..*request)\.supported_currencies\[\]`,
			"ARS AUD BOB BRL CAD CRC CLP CNY COP EUR GBP ILS INR JPY MXN PEN PYG RUB SEK USD VEF UYU ZAR", ""},
		{`payments_refresh\.grant_type`, "refresh_token", ""},
	}
}

// words adds the vocabularies of the members of schemas, and returns the rows that have one.
func words(schemas map[string]schema, used map[string]bool) {
	rows := vocabularies()
	matchers := make([]*regexp.Regexp, len(rows))
	for i, row := range rows {
		matchers[i] = regexp.MustCompile("^(" + row.members + ")$")
	}
	for name, of := range schemas {
		of.walk(name, func(at string, member schema) {
			for i, row := range rows {
				if matchers[i].MatchString(at) && slices.Contains(member.types(), "string") {
					used[row.members] = true
					row.add(member, strings.Contains(at, ".request"))
					return
				}
			}
		})
	}
}

// unused is an error that names the rows without a member.
func unused(used map[string]bool) error {
	for _, row := range vocabularies() {
		if !used[row.members] {
			return fmt.Errorf("words %q: no member has them", row.members)
		}
	}
	return nil
}

// add gives a member its words. Those of a request are the only ones that the server takes.
func (v vocabulary) add(member schema, request bool) {
	all := strings.Fields(v.words)
	switch {
	case !request || v.taken == anyWord:
		member[openWords] = all
	default:
		if v.taken != "" {
			all = strings.Fields(v.taken)
		}
		member["enum"] = anySlice(all, slices.Contains(member.types(), "null"))
	}
}

func anySlice(words []string, null bool) []any {
	var out []any
	for _, w := range words {
		out = append(out, w)
	}
	if null {
		out = append(out, nil)
	}
	return out
}

// walk visits a schema and its members, with the path of each.
func (s schema) walk(at string, visit func(at string, member schema)) {
	visit(at, s)
	all, _ := s["properties"].(map[string]schema)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		all[name].walk(at+"."+name, visit)
	}
	if items, ok := s["items"].(schema); ok {
		items.walk(at+"[]", visit)
	}
	if values, ok := s["additionalProperties"].(schema); ok {
		values.walk(at+".*", visit)
	}
}
