package providers

import (
	"encoding/json"
	"testing"
)

// published are the codes as the documentation of the platform prints them, with its two misspelt ones.
var published = map[string][]string{
	"consumer_": {"blocked", "city_invalid", "country_invalid", "district_invalid", "email_invalid", "firstname_invalid", "floor_invalid", "id_invalid",
		"id_type_invalid", "lastname_invalid", "phone_invalid", "province_invalid", "region_invalid", "same_as_merchant", "state_invalid", "street_invalid",
		"street_number_invalid", "zip_invalid"},
	"bank_debit_": {"bank_invalid", "method_unavailable", "payer_id_invalid", "payer_id_type_invalid", "payer_name_invalid"},
	"boleto_":     {"method_unavailable", "payer_id_invalid", "payer_id_type_invalid", "payer_name_invalid"},
	"ticket_":     {"method_unavailable", "operator_invalid"},
	"card_": {"cvv_invalid", "expiration_date_invalid", "holder_birthdate_invalid", "holder_id_invalid", "holder_id_type_invalid", "holder_name_invalid",
		"holder_phone_invalid", "info_invalid", "issuer_invalid", "method_unavailable", "number_invalid", "token_invalid", "rejected",
		"rejected_call_for_authorize", "rejected_deny_list", "rejected_disabled", "rejected_duplicated_payment", "rejected_fraud_high_risk",
		"rejected_insufficient_funds", "rejected_invalid_installments", "rejected_max_attemps"},
	"shipping_": {"city_invalid", "country_invalid", "district_invalid", "email_invalid", "firstname_invalid", "floor_invalid", "lastname_invalid",
		"method_invalid", "method_unavailable", "phone_invalid", "price_invalid", "province_invalid", "region_invalid", "state_invalid", "street_invalid",
		"street_number_invalid", "total_curreny_invalid", "zip_invalid"},
	"line_items_":  {"currency_invalid", "description_invalid", "price_invalid", "quantity_invalid"},
	"order_total_": {"currency_invalid", "price_invalid", "price_too_small"},
}

// Every published code is known, and no other: those of apps are stored too.
func TestFailureCodes(t *testing.T) {
	n := 0
	for about, codes := range published {
		for _, code := range codes {
			n++
			if !FailureCode(about + code).Known() {
				t.Errorf("%s%s is not known", about, code)
			}
		}
	}
	if n != len(failureCodes) {
		t.Errorf("%d codes are known, want %d", len(failureCodes), n)
	}
	for _, other := range []FailureCode{"", "card", "card_declined", "card_rejected_max_attempts"} {
		if other.Known() {
			t.Errorf("%q is known", other)
		}
	}
	var e Event
	if err := json.Unmarshal([]byte(`{"failure_code":"of_an_app"}`), &e); err != nil || e.FailureCode == nil || *e.FailureCode != "of_an_app" {
		t.Errorf("a code of an app: %v, %v", e.FailureCode, err)
	}
}
