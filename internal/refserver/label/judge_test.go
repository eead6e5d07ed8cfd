package label_test

import (
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/label"
)

// Judge has the rules of the platform for an answer that is known with its request alone.
func TestJudge(t *testing.T) {
	const generate, undo = `[{"id":"L"}]`, `{"labels":[{"fulfillment_order_id":"F","label_id":"L"}]}`
	for name, tc := range map[string]struct {
		kind         label.Kind
		request      string
		status       int
		answer, want string
	}{
		"accepted":        {label.Generate, generate, 202, "", ""},
		"in parts":        {label.Generate, generate, 207, `[{"id":"L","status":"FAILED","reason":"no paper"}]`, ""},
		"other label":     {label.Generate, generate, 207, `[{"id":"M","status":"OK"}]`, `label "M": it is not in the request`},
		"other status":    {label.Generate, generate, 207, `[{"id":"L","status":"DONE"}]`, "must be OK or FAILED"},
		"refused":         {label.Generate, generate, 500, "", "status 500: must be 2xx"},
		"cancelled":       {label.Cancel, undo, 204, "", ""},
		"not cancelled":   {label.Cancel, undo, 207, `{"labels":[{"label_id":"L","status":"FAILED","reason":{"code":"LABEL_DELIVERED"}}]}`, ""},
		"no such code":    {label.Cancel, undo, 207, `{"labels":[{"label_id":"L","status":"FAILED","reason":{"code":"NO_IDEA"}}]}`, "NO_IDEA"},
		"no form":         {label.Suspend, undo, 207, `[]`, "the answer 207"},
		"no request":      {label.Cancel, "x", 200, "", "the request"},
		"cancel refused":  {label.Cancel, undo, 409, "", "status 409: must be 2xx"},
		"other reactived": {label.Reactivate, undo, 200, "anything", ""},
	} {
		err := label.Judge(tc.kind, []byte(tc.request), tc.status, []byte(tc.answer))
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %q", name, err, tc.want)
		}
	}
}
