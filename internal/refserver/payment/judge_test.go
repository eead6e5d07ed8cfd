package payment_test

import (
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
)

// Judge has the rules of the platform for an answer.
func TestJudge(t *testing.T) {
	for _, tc := range []struct {
		kind         payment.Kind
		status       int
		answer, want string
	}{
		{payment.Refund, 202, "", ""},
		{payment.Refund, 422, `{"error_code":"refund_rejected"}`, ""},
		{payment.Refund, 422, `{"error_code":"other"}`, `error_code "other"`},
		{payment.Refund, 200, "", "status 200: must be 202"},
		{payment.Process, 201, "x", ""},
		{payment.Process, 422, `{"error_code":"refund_rejected"}`, "status 422: must be 201"},
		{payment.Cancel, 200, "", ""},
		{payment.Cancel, 404, "", "status 404: must be 200"},
		{payment.Status, 200, `{"transactions":[]}`, ""},
		{payment.Status, 200, `{}`, "no array transactions"},
	} {
		err := payment.Judge(tc.kind, tc.status, []byte(tc.answer))
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s %d %s: got %v, want %q", tc.kind, tc.status, tc.answer, err, tc.want)
		}
	}
}
