package payments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// forms are the values that each member of a call gets.
var forms = []string{`null`, `""`, `"Ana Gómez"`, `7`, `"7"`, `-7`, `true`, `[]`, `[["Ana Gómez"]]`, `{"a":"Ana Gómez"}`}

// What becomes of a member in each of the forms, in their order: v is read as its value, a is absent, and r is
// refused.
const (
	anyID       = "rrrvvrrrrr"
	anyText     = "rrvvvvrrrr"
	noForm      = "rrrrrrrrrr"
	maybeID     = "aarvvrrrrr"
	maybeText   = "aavvvvrrrr"
	maybe       = "aarrrrrrrr"
	maybeObject = "aarrrrrrra"
	newer       = "aaaaaaaaaa" // a member that the contract does not have
)

// toleratedCall is a kind of call, with its members.
type toleratedCall struct {
	handler func(c Callback, seen func(members map[string]any)) http.Handler
	good    string
	members map[string]string
}

var toleratedCalls = map[Call]toleratedCall{
	CallProcess: {func(c Callback, seen func(map[string]any)) http.Handler {
		return &ProcessHandler{Callback: c, Process: func(_ context.Context, r ProcessRequest) (any, error) {
			seen(map[string]any{
				"store_id": r.StoreID, "order_id": r.OrderID, "payment_provider_id": r.PaymentProviderID, "payment_attempt_id": r.PaymentAttemptID,
				"payment_method.type": r.PaymentMethod.Type, "payment_method.id": r.PaymentMethod.ID, "amount.value": r.Amount.Value, "amount.currency": r.Amount.Currency,
			})
			return nil, nil
		}}
	}, attempted, map[string]string{
		"store_id": maybeID, "order_id": maybeID, "payment_provider_id": maybe, "payment_attempt_id": maybeText,
		"payment_method": maybeObject, "payment_method.type": maybeText, "payment_method.id": maybeText, "payment_method.newer": newer,
		"amount": maybeObject, "amount.value": maybeID, "amount.currency": maybe, "amount.newer": newer, "newer": newer,
	}},
	CallRefund: {func(c Callback, seen func(map[string]any)) http.Handler {
		return &RefundHandler{Callback: c, Refund: func(_ context.Context, r RefundRequest) error {
			seen(map[string]any{
				"store_id": r.StoreID, "payment_provider_id": r.PaymentProviderID, "transaction_id": r.TransactionID,
				"amount.value": r.Amount.Value, "amount.currency": r.Amount.Currency,
			})
			return nil
		}}
	}, refund, map[string]string{
		"store_id": anyID, "payment_provider_id": noForm, "transaction_id": noForm, "amount": noForm, "amount.value": anyID, "amount.currency": noForm,
		"amount.newer": newer, "newer": newer,
	}},
	CallRefresh: {func(c Callback, seen func(map[string]any)) http.Handler {
		return &RefreshHandler{OnFailure: c.OnFailure, OnRefused: c.OnRefused, Logger: c.Logger, Refresh: func(_ context.Context, r RefreshRequest) (Tokens, error) {
			seen(map[string]any{"client_id": r.ClientID, "client_secret": string(r.ClientSecret), "refresh_token": string(r.RefreshToken), "grant_type": r.GrantType})
			return Tokens{"a", "b", time.Hour}, nil
		}}
	}, `{"grant_type":"refresh_token","client_id":"c","client_secret":"s","refresh_token":"t"}`, map[string]string{
		"grant_type": noForm, "client_id": anyText, "client_secret": maybeText, "refresh_token": anyText, "newer": newer,
	}},
	CallCancel: {func(c Callback, seen func(map[string]any)) http.Handler {
		return &CancelHandler{Callback: c, Cancel: func(_ context.Context, attempt string) error {
			seen(map[string]any{"attempt of the address": attempt})
			return nil
		}}
	}, `{"store_id":1,"order_id":2,"payment_attempt_id":"other"}`, map[string]string{
		"store_id": newer, "order_id": newer, "payment_attempt_id": newer, "transaction_id": newer, "client_id": newer, "newer": newer,
	}},
	CallReview: {func(_ Callback, seen func(map[string]any)) http.Handler {
		d := newDecisions()
		d.Decide = func(_ context.Context, r Review, made Decision) error {
			seen(map[string]any{"review of the address": r.Key, "decision of the address": made})
			return nil
		}
		return d
	}, `{"store_id":1,"decision":"cancel"}`, map[string]string{"store_id": newer, "decision": newer, "newer": newer}},
}

// A member that the contract does not have may have any form. Another is refused in a form without a clear meaning, and
// the error names it. No error quotes a value.
func TestMembersInAnyForm(t *testing.T) {
	n := 0
	for call, v := range toleratedCalls {
		for path, outcomes := range v.members {
			for i, form := range forms {
				n++
				body := withMember(t, v.good, path, form)
				got, failed := v.play(t, call, body)
				want, _ := v.play(t, call, v.good)
				name := fmt.Sprintf("%s: %s = %s", call, path, form)
				for _, err := range failed {
					if !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "Ana") {
						t.Errorf("%s: reported %v", name, err)
					}
				}
				outcome := outcomes[i]
				if refused := outcome == 'r'; (got == nil) != refused || len(failed) != map[bool]int{true: 1}[refused] {
					t.Errorf("%s: the function got %v, reported %v", name, got, failed)
				}
				maps.DeleteFunc(want, func(of, _ string) bool { return strings.HasPrefix(of+".", path+".") })
				if outcome == 'v' {
					want[path] = strings.Trim(form, `"`)
				}
				if got != nil && !maps.Equal(got, want) {
					t.Errorf("%s: the function got %v, want %v", name, got, want)
				}
			}
		}
	}
	t.Logf("%d calls", n)
}

// play calls a new handler. It returns the members that the function got, or nil, and what was reported.
func (v toleratedCall) play(t *testing.T, call Call, body string) (got map[string]string, reported []error) {
	c := configured(new(failures))
	c.OnFailure = func(_ context.Context, f *Failure) { reported = append(reported, f) }
	c.OnRefused = func(_ context.Context, r client.Refused) { reported = append(reported, r.Err) }
	h := v.handler(c, func(members map[string]any) {
		got = map[string]string{}
		for path, value := range members {
			text := strings.TrimSuffix(fmt.Sprint(value), ".00")
			if !slices.Contains([]string{"", "0", "00000000-0000-0000-0000-000000000000"}, text) {
				got[path] = text
			}
		}
	})
	r := signed(t, http.MethodPost, "/c?payment_attempt_id=a1", body)
	if call == CallReview {
		r = httptest.NewRequest(http.MethodPost, newDecisions().info(t, someReview).AcceptURL, strings.NewReader(body))
	}
	if w := ask(h, r); (w.Code < 300) != (got != nil) || w.Code >= 300 && w.Code != 400 {
		t.Errorf("%s %s: answered %d", call, body, w.Code)
	}
	return got, reported
}

// withMember returns a document with another value of a member.
func withMember(t *testing.T, document, path, value string) string {
	t.Helper()
	name, rest, deeper := strings.Cut(path, ".")
	var all map[string]json.RawMessage
	if err := json.Unmarshal([]byte(document), &all); err != nil {
		t.Fatal(err)
	}
	if deeper {
		value = withMember(t, string(all[name]), rest, value)
	}
	all[name] = json.RawMessage(value)
	changed, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(changed)
}
