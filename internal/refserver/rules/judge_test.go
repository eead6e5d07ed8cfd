package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/rules"
)

// An answer is judged by the request alone.
func TestJudge(t *testing.T) {
	const place = `{"command":"location_prioritization","detail":{"location_prioritization":[{"id":%q,"priority":0}]}}`
	for _, row := range []struct {
		domain string
		status int
		answer string
		wrong  string
	}{
		{"cart", 204, "", ""},
		{"cart", 200, "{}", ""},
		{"cart", 200, `{"command":"block_checkout","detail":{}}`, ""},
		{"cart", 200, `{"command":"filter_payments_options","detail":{}}`, "block_checkout"},
		{"cart", 500, "", "must be 2xx"},
		{"payments", 200, `{"command":"filter_payments_options","detail":{"filtered_options":[{"id":"1","option_id":"2"}]}}`, ""},
		{"payments", 200, `{"command":"filter_payments_options","detail":{"filtered_options":[{"id":1,"option_id":"2"}]}}`, "id"},
		{"shipping", 200, `{"command":"filter_shipping_options","detail":{"filtered_options":[{"id":"1","option_id":"2"}]}}`, "code"},
		{"location", 200, fmt.Sprintf(place, "A"), ""},
		{"location", 200, fmt.Sprintf(place, "B"), "a location of the store"},
	} {
		request := fmt.Sprintf(`{"details":{"domain":%q},"locations":[{"id":"A"}]}`, row.domain)
		err := rules.Judge([]byte(request), row.status, []byte(row.answer))
		if (err == nil) != (row.wrong == "") || err != nil && !strings.Contains(err.Error(), row.wrong) {
			t.Errorf("%s %d %s: got %v, want %q", row.domain, row.status, row.answer, err, row.wrong)
		}
	}
	if err := rules.Judge([]byte("["), 204, nil); err == nil {
		t.Error("a request that is none was judged")
	}
}
