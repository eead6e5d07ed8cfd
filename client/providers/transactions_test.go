package providers

import (
	"errors"
	"io"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

var someID = uuid.MustParse("02aaa5c6-080a-40e9-a61f-90ca2150d6a2")

func TestTransactionHasAFieldForEveryMember(t *testing.T) {
	data, err := os.ReadFile("../../testdata/wire/transaction.json")
	if err != nil {
		t.Fatal(err)
	}
	var tx Transaction
	if err := wire.Unmarshal(data, &tx); err != nil {
		t.Fatal(err)
	}
	if left := [...]client.Extra{tx.Extra, tx.PaymentMethod.Extra, tx.Events[0].Extra, tx.Info.Extra, tx.Info.Card.Extra, tx.Info.Installments.Extra}; !reflect.DeepEqual(left, [6]client.Extra{}) {
		t.Errorf("members without a field: %s", left)
	}
	back, err := wire.Marshal(tx)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range hostile.Differences(generic(t, back), generic(t, data)) {
		t.Errorf("read and written again: %s", d)
	}
}

func sale() TransactionInput {
	return TransactionInput{
		PaymentProviderID: someID,
		PaymentMethod:     PaymentMethodInput{Type: MethodTypeCreditCard, ID: "visa"},
		FirstEvent:        EventInput{Amount: Amount{client.Cents(4999), "BRL"}, Type: EventTypeSale, Status: EventSuccess, AuthorizationCode: "A1"},
		Info:              InfoInput{ExternalID: "ext-1", Installments: client.Set(InstallmentsInput{Quantity: 1})},
	}
}

func TestTransactionInputIsChecked(t *testing.T) {
	one := Amount{client.Cents(100), "BRL"}
	for _, test := range []struct {
		change func(*TransactionInput)
		want   string
	}{
		{func(*TransactionInput) {}, ""},
		{func(in *TransactionInput) { in.PaymentProviderID = uuid.Nil }, "payment_provider_id"},
		{func(in *TransactionInput) { in.PaymentMethod.Type = "" }, "payment_method.type"},
		{func(in *TransactionInput) { in.PaymentMethod.Type = "CreditCard" }, "payment_method.type"},
		{func(in *TransactionInput) { in.PaymentMethod.ID = "" }, "payment_method.id"},
		{func(in *TransactionInput) {
			in.PaymentMethod = PaymentMethodInput{Type: MethodTypePix}
		}, ""},
		{func(in *TransactionInput) {
			in.PaymentMethod = PaymentMethodInput{Type: MethodTypeWallet}
		}, ""},
		{func(in *TransactionInput) {
			in.FirstEvent.Type, in.FirstEvent.AuthorizationCode = EventTypeRefund, ""
		}, ""},
		{func(in *TransactionInput) { in.FirstEvent.Status = EventError }, ""},
		{func(in *TransactionInput) { in.Info.ExternalID = "" }, "info.external_id"},
		{func(in *TransactionInput) { in.Info.Installments = client.Opt[InstallmentsInput]{} }, "info.installments.quantity"},
		{func(in *TransactionInput) { in.Info.Installments = client.Set(InstallmentsInput{}) }, "info.installments.quantity"},
		{func(in *TransactionInput) {
			in.Info.Installments = client.Set(InstallmentsInput{Quantity: 3, Interest: "6.5%"})
		}, "info.installments.interest"},
		{func(in *TransactionInput) {
			in.Info.Installments = client.Set(InstallmentsInput{Quantity: 3, Interest: "0.065"})
		}, ""},
		{func(in *TransactionInput) { in.FirstEvent.AuthorizationCode = "" }, "first_event.authorization_code"},
		{func(in *TransactionInput) {
			in.FirstEvent.Type, in.FirstEvent.AuthorizationCode = EventTypeCapture, ""
		}, "first_event.authorization_code"},
		{func(in *TransactionInput) {
			in.FirstEvent.Status, in.FirstEvent.AuthorizationCode = EventPending, ""
		}, ""},
		{func(in *TransactionInput) {
			in.PaymentMethod.Type, in.FirstEvent.AuthorizationCode = MethodTypePix, ""
		}, "first_event.authorization_code"},
		{func(in *TransactionInput) {
			in.PaymentMethod.Type, in.FirstEvent.AuthorizationCode = MethodTypeDebitCard, ""
		}, "first_event.authorization_code"},
		{func(in *TransactionInput) {
			in.PaymentMethod.Type, in.FirstEvent.AuthorizationCode = MethodTypeCash, ""
		}, ""},
		{func(in *TransactionInput) { in.FirstEvent.Status = EventFailure }, "first_event.failure_code"},
		{func(in *TransactionInput) {
			in.FirstEvent.Status, in.FirstEvent.FailureCode = EventFailure, "card_declined"
		}, ""},
		{func(in *TransactionInput) { in.FirstEvent.Status = "" }, "first_event.status"},
		{func(in *TransactionInput) { in.FirstEvent.Type = "gift" }, "first_event.type"},
		{func(in *TransactionInput) { in.FirstEvent.Type = EventTypeExpiration }, "first_event.type"},
		{func(in *TransactionInput) {
			in.PaymentMethod.Type, in.FirstEvent.Type = MethodTypeBoleto, EventTypeCapture
		}, "first_event.type"},
		{func(in *TransactionInput) {
			in.PaymentMethod.Type, in.FirstEvent.Type = MethodTypeBoleto, EventTypeExpiration
		}, ""},
		{func(in *TransactionInput) {
			in.PaymentMethod.Type, in.FirstEvent.Type = MethodTypeWallet, EventTypeExpiration
		}, "first_event.type"},
		{func(in *TransactionInput) { in.FirstEvent.Amount.Value = client.Cents(-1) }, "first_event.amount.value"},
		{func(in *TransactionInput) { in.FirstEvent.Amount.Value = client.MustMoney("25.505") }, "first_event.amount.value"},
		{func(in *TransactionInput) { in.FirstEvent.Amount.Currency = "" }, "first_event.amount.currency"},
		{func(in *TransactionInput) { in.FirstEvent.Amount.Currency = "a$ " }, "first_event.amount.currency"},
		{func(in *TransactionInput) {
			in.FirstEvent.DiscountAmount = Amount{client.Cents(200), "BRL"}
		}, ""},
		{func(in *TransactionInput) {
			in.FirstEvent.DiscountAmount = Amount{client.Cents(-1), "BRL"}
		}, "first_event.discount_amount.value"},
		{func(in *TransactionInput) {
			in.FirstEvent.DiscountAmount = Amount{client.Cents(200), "ARS"}
		}, "first_event.discount_amount.currency"},
		{func(in *TransactionInput) { in.FirstEvent.DiscountAmount.Value = client.Cents(200) }, "first_event.discount_amount.currency"},

		{func(in *TransactionInput) {
			in.FirstEvent.Info = EventInfo{Message: "m", FraudScore: "1.00", RiskLevel: RiskLevelHigh, AcceptURL: "https://a.example/1", CancelURL: "https://a.example/2"}
		}, ""},
		{func(in *TransactionInput) { in.FirstEvent.Info.FraudScore = "0" }, ""},
		{func(in *TransactionInput) { in.FirstEvent.Info.FraudScore = "1.01" }, "first_event.info.fraud_score"},
		{func(in *TransactionInput) { in.FirstEvent.Info.FraudScore = "87" }, "first_event.info.fraud_score"},
		{func(in *TransactionInput) { in.FirstEvent.Info.FraudScore = "-0.1" }, "first_event.info.fraud_score"},
		{func(in *TransactionInput) { in.FirstEvent.Info.FraudScore = "high" }, "first_event.info.fraud_score"},
		{func(in *TransactionInput) { in.FirstEvent.Info.RiskLevel = "High" }, "first_event.info.risk_level"},
		{func(in *TransactionInput) { in.FirstEvent.Info.AcceptURL = "http://a.example" }, "first_event.info.accept_url"},
		{func(in *TransactionInput) { in.FirstEvent.Info.CancelURL = "https://user:pass@a.example" }, "first_event.info.cancel_url"},

		{func(in *TransactionInput) { in.Info.SupportsPartialRefund = true }, "info.refund_url"},
		{func(in *TransactionInput) { in.Info.RefundURL = "https://a.example/refunds" }, ""},
		{func(in *TransactionInput) {
			in.Info.RefundURL, in.Info.SupportsPartialRefund = "https://a.example/refunds", true
		}, ""},
		{func(in *TransactionInput) { in.Info.RefundURL = "a.example/refunds" }, "info.refund_url"},
		{func(in *TransactionInput) {
			in.Info.ConsumerDiscounts = []ConsumerDiscount{{Type: "other", Amount: one}}
		}, ""},
		{func(in *TransactionInput) {
			in.Info.ConsumerDiscounts = []ConsumerDiscount{{Type: "tax", Amount: one}}
		},
			"info.consumer_discounts[0].type"},
		{func(in *TransactionInput) {
			in.Info.ConsumerDiscounts = []ConsumerDiscount{{Type: "other"}}
		},
			"info.consumer_discounts[0].amount.currency"},
		{func(in *TransactionInput) {
			in.Info.ConsumerCharges = []Charge{{Type: ChargeTypeTax, Amount: one}, {Amount: one}}
		},
			"info.consumer_charges[1].type"},
		{func(in *TransactionInput) {
			in.Info.MerchantCharges = []Charge{{Type: ChargeTypeOther, Amount: Amount{client.Cents(-1), "BRL"}}}
		}, "info.merchant_charges[0].amount.value"},
	} {
		in := sale()
		test.change(&in)
		err := in.Check()
		if test.want == "" && err != nil || test.want != "" && (!errors.Is(err, client.ErrValidation) || !strings.HasPrefix(err.Error(), test.want+": ")) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
}

func TestMethodsTakeEvents(t *testing.T) {
	all := []EventType{EventTypeAuthorization, EventTypeCapture, EventTypeExpiration, EventTypeFraudAnalysis, EventTypeRefund, EventTypeMerchantReview, EventTypeSale, EventTypeVoid, "newer"}
	for method, want := range map[MethodType]string{
		MethodTypeCreditCard: "authorization capture in_fraud_analysis refund needs_merchant_review sale void",
		MethodTypeBoleto:     "expiration refund sale", MethodTypePix: "expiration refund sale", MethodTypeTicket: "expiration refund sale",
		MethodTypeDebitCard: "refund sale", MethodTypeCash: "refund sale", MethodTypeWallet: "refund sale", MethodTypeWireTransfer: "refund sale", MethodTypeBankDebit: "refund sale", "newer": "refund sale",
	} {
		var taken []string
		for _, event := range all {
			if method.Takes(event) {
				taken = append(taken, string(event))
			}
		}
		if got := strings.Join(taken, " "); got != want {
			t.Errorf("%s takes %s, want %s", method, got, want)
		}
	}
}

func TestTransactionEnumsKnowTheContract(t *testing.T) {
	for word := range strings.FieldsSeq("authorized expired failed in_fraud_analysis needs_merchant_review paid partially_refunded pending refunded voided") {
		if !Status(word).Known() {
			t.Errorf("status %s is not known", word)
		}
	}
	for word := range strings.FieldsSeq("bank_debit boleto cash credit_card debit_card pix ticket wallet wire_transfer") {
		if !MethodType(word).Known() {
			t.Errorf("method %s is not known", word)
		}
	}
	if Status("x").Known() || MethodType("x").Known() || EventType("x").Known() || EventStatus("x").Known() {
		t.Error("x is known")
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// service returns a service whose requests are answered by body, and what it was asked.
func service(t *testing.T, status int, body string) (*TransactionService, *[]string) {
	t.Helper()
	var seen []string
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 123, Token: client.StaticToken("token"), UserAgent: "Tests (tests@app.example)",
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
	return (*TransactionService)(engine.At((*engine.Core)(c), string(client.VersionV1))), &seen
}

func TestTransactionServiceRequests(t *testing.T) {
	ctx := t.Context()
	const path = "/v1/123/orders/7/transactions"
	for want, call := range map[string]func(*TransactionService) error{
		"GET " + path + "/" + someID.String(): func(s *TransactionService) error { _, err := s.Get(ctx, 7, someID); return err },
		"POST " + path + ` {"payment_provider_id":"02aaa5c6-080a-40e9-a61f-90ca2150d6a2","payment_method":{"type":"credit_card","id":"visa"},` +
			`"first_event":{"amount":{"value":"49.99","currency":"BRL"},"type":"sale","status":"success","authorization_code":"A1"},` +
			`"info":{"external_id":"ext-1","installments":{"quantity":1}}}`: func(s *TransactionService) error { _, err := s.Create(ctx, 7, sale()); return err },
		"POST " + path + "/" + someID.String() + `/events {"amount":{"value":"10.00","currency":"BRL"},"type":"refund","status":"success"}`: func(s *TransactionService) error {
			_, err := s.CreateEvent(ctx, 7, someID, EventInput{Amount: Amount{client.Cents(1000), "BRL"}, Type: EventTypeRefund, Status: EventSuccess})
			return err
		},
	} {
		s, seen := service(t, 200, `{"id":"02aaa5c6-080a-40e9-a61f-90ca2150d6a2"}`)
		if err := call(s); err != nil {
			t.Errorf("%s: %v", want, err)
		}
		if len(*seen) != 1 || (*seen)[0] != want {
			t.Errorf("asked %v\n want %s", *seen, want)
		}
	}
	s, seen := service(t, 200, `[{"id":"02aaa5c6-080a-40e9-a61f-90ca2150d6a2","status":"paid"}]`)
	if all, err := s.List(7).Collect(ctx); err != nil || len(all) != 1 || all[0].Status != StatusPaid || len(*seen) != 1 {
		t.Errorf("list: %v, %v, asked %v", all, err, *seen)
	}
	s, seen = service(t, 404, `{"code":404,"message":"Not Found","description":null}`)
	for name, call := range map[string]func() error{
		"Get":    func() error { _, err := s.Get(ctx, 7, someID); return err },
		"Create": func() error { _, err := s.Create(ctx, 7, sale()); return err },
		"CreateEvent": func() error {
			_, err := s.CreateEvent(ctx, 7, someID, EventInput{Amount: Amount{client.Cents(1000), "BRL"}, Type: EventTypeRefund, Status: EventSuccess})
			return err
		},
	} {
		if err := call(); !errors.Is(err, client.ErrNotFound) {
			t.Errorf("%s: got %v, want ErrNotFound", name, err)
		}
	}
	*seen = nil
	if _, err := s.Create(ctx, 7, TransactionInput{}); !errors.Is(err, client.ErrValidation) {
		t.Errorf("got %v, want ErrValidation", err)
	}
	if _, err := s.CreateEvent(ctx, 7, someID, EventInput{}); !errors.Is(err, client.ErrValidation) || len(*seen) != 0 {
		t.Errorf("got %v, want ErrValidation and nothing sent, got %v", err, *seen)
	}
}
