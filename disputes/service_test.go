package disputes_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/disputes"
)

var someID = uuid.MustParse("02aaa5c6-080a-40e9-a61f-90ca2150d6a2")

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// answering returns a service whose requests are answered by body, and what it was asked.
func answering(t *testing.T, status int, body string, onDrift func(context.Context, client.Drift)) (*disputes.Service, *[]string) {
	t.Helper()
	var seen []string
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 123, Token: client.StaticToken("token"), UserAgent: "Tests (tests@app.example)", OnDrift: onDrift,
		HTTPClient: &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			asked := r.Method + " " + r.URL.Path
			if r.Body != nil {
				sent, err := io.ReadAll(r.Body)
				if err != nil {
					return nil, err
				}
				asked += " " + string(sent)
			}
			seen = append(seen, asked)
			return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	return v1.Disputes(c), &seen
}

// A deployment that wants the other header was asked for disputes with it too, for which the contract states
// "Authorization: Bearer": 401, as if the token were dead.
func TestHeaderOfDisputes(t *testing.T) {
	srv := clienttest.New(t, clienttest.Options{Strict: true})
	token, err := srv.Install()
	if err != nil {
		t.Fatal(err)
	}
	for _, style := range []client.AuthStyle{client.AuthStyleBearer, client.AuthStyleAuthentication} {
		c, err := client.New(client.Config{
			BaseURL: srv.URL(), StoreID: srv.StoreID(), Token: client.StaticToken(token), UserAgent: "Tests (tests@app.example)",
			HTTPClient: &http.Client{Transport: srv.Transport()}, Auth: style,
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v1.Disputes(c).Get(t.Context(), 1, someID, "1"); !errors.Is(err, client.ErrNotFound) {
			t.Errorf("style %d: got %v, want a 404", style, err)
		}
	}
}

func TestServiceRequests(t *testing.T) {
	ctx := t.Context()
	const path = "/v1/123/orders/7/transactions/02aaa5c6-080a-40e9-a61f-90ca2150d6a2/disputes"
	known := client.Extra{"hint": []byte("1")} // members of what was read are not sent back
	full := lawful
	full.Amount.Extra, full.RetainedTotal.Extra = known, known
	full.RetainedSettledAmount = settled
	full.RetainedSettledAmount.Extra, full.RetainedSettledAmount.ExchangeRate.Extra = known, known
	full.Fees = []disputes.Fee{{Type: disputes.FeeTypeProcessing, Amount: disputes.Amount{Value: client.MustMoney("5"), Currency: currency, Extra: known}, Extra: known}}
	full.EvidenceURL, full.EvidenceSentAt, full.EvidenceDueAt = "https://files.partner.example/1.pdf", day, day
	for want, call := range map[string]func(*disputes.Service) error{
		"GET " + path + "/67654a1d7f0000f100f03533": func(s *disputes.Service) error {
			_, err := s.Get(ctx, 7, someID, "67654a1d7f0000f100f03533")
			return err
		},
		"POST " + path + ` {"reason_code":"fraudulent_activity","external_reason_code":"10.4","amount":{"value":"25.50","currency":"ARS"},` +
			`"retained_total":{"value":"10.00","currency":"ARS"},"initiated_at":"2024-12-02T12:30:15Z"}`: func(s *disputes.Service) error {
			id, err := s.Create(ctx, 7, someID, lawful)
			if id != "d1" {
				t.Errorf("id %q", id)
			}
			return err
		},
		"POST " + path + ` {"reason_code":"fraudulent_activity","external_reason_code":"10.4","amount":{"value":"25.50","currency":"ARS"},` +
			`"retained_total":{"value":"10.00","currency":"ARS"},` +
			`"retained_settled_amount":{"value":"9.95","currency":"USD","exchange_rate":{"value":"0.00097","from":"ARS"}},` +
			`"fees":[{"type":"processing_fee","amount":{"value":"5.00","currency":"ARS"}}],` +
			`"evidence_url":"https://files.partner.example/1.pdf","evidence_sent_at":"2025-01-05T10:00:00Z",` +
			`"initiated_at":"2024-12-02T12:30:15Z","evidence_due_at":"2025-01-05T10:00:00Z"}`: func(s *disputes.Service) error { _, err := s.Create(ctx, 7, someID, full); return err },
		"PUT " + path + `/67654a1d7f0000f100f03533 {"status":"documentation_sent","evidence_url":"https://files.partner.example/1.pdf",` +
			`"evidence_sent_at":"2025-01-05T10:00:00Z","retained_total":{"value":"10.00","currency":"ARS"}}`: func(s *disputes.Service) error {
			return s.Update(ctx, living([]disputes.Status{nr}), disputes.Update{
				Status: ds, RetainedTotal: full.RetainedTotal, EvidenceURL: full.EvidenceURL, EvidenceSentAt: day, ClosedAt: day,
			})
		},
		"PUT " + path + `/67654a1d7f0000f100f03533 {"status":"lost","closed_at":"2025-01-05T10:00:00Z","retained_total":{"value":"25.50","currency":"ARS"},` +
			`"retained_settled_amount":{"value":"9.95","currency":"USD","exchange_rate":{"value":"0.00097","from":"ARS"}}}`: func(s *disputes.Service) error {
			return s.Update(ctx, living([]disputes.Status{nr, ur}), disputes.Update{
				Status: lo, RetainedTotal: money("25.50"), RetainedSettledAmount: full.RetainedSettledAmount, EvidenceURL: full.EvidenceURL, EvidenceSentAt: day, ClosedAt: day,
			})
		},
	} {
		s, seen := answering(t, 200, `{"id":"d1"}`, nil)
		if err := call(s); err != nil {
			t.Errorf("%s: %v", want, err)
		}
		if len(*seen) != 1 || (*seen)[0] != want {
			t.Errorf("asked %v\n want %s", *seen, want)
		}
	}
	if full.Amount.Extra == nil || full.Fees[0].Extra == nil {
		t.Error("Create changed its input")
	}
}

func TestServiceTellsRefusals(t *testing.T) {
	s, _ := answering(t, 404, `{"code":404,"message":"Not Found","description":null}`, nil)
	for name, call := range map[string]func() error{
		"Create": func() error { _, err := s.Create(t.Context(), 1, someID, lawful); return err },
		"Get":    func() error { _, err := s.Get(t.Context(), 1, someID, "d1"); return err },
		"Update": func() error {
			return s.Update(t.Context(), living([]disputes.Status{nr}), disputes.Update{Status: ur, RetainedTotal: money("0.00")})
		},
	} {
		if err := call(); !errors.Is(err, client.ErrNotFound) {
			t.Errorf("%s: got %v, want the 404", name, err)
		}
	}
}

func TestServiceSendsNothingUnlawful(t *testing.T) {
	ctx := t.Context()
	s, seen := answering(t, 201, `{"id":"d1"}`, nil)
	move := disputes.Update{Status: ur, RetainedTotal: money("0.00")}
	foreign := living([]disputes.Status{nr})
	foreign.OrderID = 0
	for name, call := range map[string]func() error{
		"order_id: ":       func() error { _, err := s.Create(ctx, 0, someID, lawful); return err },
		"transaction_id: ": func() error { _, err := s.Create(ctx, 7, uuid.Nil, lawful); return err },
		"reason_code":      func() error { _, err := s.Create(ctx, 7, someID, disputes.Input{}); return err },
		"order_id ":        func() error { _, err := s.Get(ctx, -7, someID, "d1"); return err },
		"id: ":             func() error { return s.Update(ctx, nil, move) },
		"order_id  ":       func() error { return s.Update(ctx, foreign, move) },
		"status":           func() error { return s.Update(ctx, living([]disputes.Status{nr, wo}), move) },
		"retained_total.":  func() error { return s.Update(ctx, living([]disputes.Status{nr}), disputes.Update{Status: ur}) },
		"closed_at": func() error {
			return s.Update(ctx, living([]disputes.Status{nr}), disputes.Update{Status: wo, RetainedTotal: money("0.00")})
		},
		"retained_total.value": func() error {
			return s.Update(ctx, living([]disputes.Status{nr}), disputes.Update{Status: ur, RetainedTotal: money("99.00")})
		},
	} {
		if err := call(); !errors.Is(err, client.ErrValidation) || !strings.HasPrefix(err.Error(), strings.TrimSpace(name)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, id := range []string{"", ".", ".."} {
		if _, err := s.Get(ctx, 7, someID, id); err == nil {
			t.Errorf("got dispute %q", id)
		}
	}
	if len(*seen) != 0 {
		t.Errorf("asked %v, want nothing", *seen)
	}
}

// Whatever goes wrong, a dispute is created at most once: the platform would take
// a second one, and the merchant's money would be withheld twice.
func TestCreateIsNeverRepeated(t *testing.T) {
	const operation = "POST /orders/{order_id}/transactions/{transaction_id}/disputes"
	for name, test := range map[string]struct {
		fault   clienttest.Fault
		unknown bool // whether the dispute may exist
		applied int
	}{
		"reset before":     {clienttest.Fault{Reset: true}, true, 0},
		"reset after":      {clienttest.Fault{Reset: true, After: true}, true, 1},
		"500 before":       {clienttest.Fault{Status: 500}, true, 0},
		"500 after":        {clienttest.Fault{Status: 500, After: true}, true, 1},
		"503":              {clienttest.Fault{Status: 503}, true, 0},
		"half an answer":   {clienttest.Fault{Truncate: true, After: true}, true, 1},
		"429":              {clienttest.Fault{Status: 429}, false, 0},
		"a page of a host": {clienttest.Fault{Status: 200, Body: "<html>", Header: http.Header{"Content-Type": {"text/html"}}}, true, 0},
		"no id":            {clienttest.Fault{Status: 201, Body: "{}", Header: http.Header{"Content-Type": {"application/json"}}}, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d, order, tx := newDesk(t)
			test.fault.Operation, test.fault.Count = operation, 1
			if err := d.srv.Fault(test.fault); err != nil {
				t.Fatal(err)
			}
			id, err := v1.Disputes(d.client).Create(t.Context(), order, tx, lawful)
			if id != "" || err == nil || errors.Is(err, client.ErrOutcomeUnknown) != test.unknown {
				t.Errorf("id %q, %v; want an unknown outcome: %v", id, err, test.unknown)
			}
			sent := 0
			for _, r := range d.srv.Requests() {
				if r.Operation == operation {
					sent++
				}
			}
			if sent != 1 {
				t.Errorf("sent %d times, want once", sent)
			}
			// The limit of the transaction tells how many disputes there are.
			left := 0
			for range disputes.MaxPerTransaction + 1 {
				if _, err := v1.Disputes(d.client).Create(t.Context(), order, tx, lawful); err == nil {
					left++
				}
			}
			if left != disputes.MaxPerTransaction-test.applied {
				t.Errorf("%d more could be created, want %d", left, disputes.MaxPerTransaction-test.applied)
			}
		})
	}
}
