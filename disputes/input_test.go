package disputes_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/disputes"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

func at(s string) time.Time {
	t, err := client.ParseTime(s)
	if err != nil {
		panic(err)
	}
	return t.Time
}

var settled = disputes.SettledAmount{
	Value: client.MustMoney("9.95"), Currency: "USD", ExchangeRate: disputes.ExchangeRate{Value: "0.00097", From: currency},
}

// wrongInputs holds inputs by what is wrong with them; "" for nothing.
var wrongInputs = []struct {
	change func(*disputes.Input)
	want   string
}{
	{func(*disputes.Input) {}, ""},
	{func(in *disputes.Input) { in.Reason = "bad_mood" }, `reason_code: "bad_mood": must be a reason code of the contract`},
	{func(in *disputes.Input) { in.Reason = "" }, `reason_code: "": must be`},
	{func(in *disputes.Input) { in.ExternalReason = "" }, `external_reason_code: "": must be the card operator's code`},
	{func(in *disputes.Input) { in.InitiatedAt = client.Time{} }, `initiated_at: "": must be a time`},
	{func(in *disputes.Input) { in.Amount = disputes.Amount{} }, `amount.currency: "": must be an ISO 4217 code`},
	{func(in *disputes.Input) { in.Amount = money("-1.00") }, `amount.value: "-1.00": must be 0.00 or more, with two decimals`},
	{func(in *disputes.Input) { in.Amount = money("25.505") }, `amount.value: "25.505": must be 0.00 or more, with two decimals`},
	{func(in *disputes.Input) { in.Amount.Currency = "ars" }, `amount.currency: "ars": must be an ISO 4217 code`},
	{func(in *disputes.Input) { in.RetainedTotal = disputes.Amount{} }, `retained_total.currency: "": must be an ISO 4217 code`},
	{func(in *disputes.Input) { in.RetainedTotal = money("25.51") }, `retained_total.value: "25.51": must be between 0.00 and the disputed amount, 25.50`},
	{func(in *disputes.Input) { in.RetainedTotal = money("-0.01") }, `retained_total.value: "-0.01": must be 0.00 or more`},
	{func(in *disputes.Input) { in.RetainedTotal.Currency = "USD" }, `retained_total.currency: "USD": must be the currency of the disputed amount, ARS`},
	{func(in *disputes.Input) { in.RetainedTotal = money("0.00") }, ""},
	{func(in *disputes.Input) { in.RetainedTotal = money("25.50") }, ""},
	{func(in *disputes.Input) { in.RetainedSettledAmount = settled }, ""},
	{func(in *disputes.Input) {
		in.RetainedSettledAmount = settled
		in.RetainedSettledAmount.Currency = currency
	}, `retained_settled_amount.currency: "ARS": must be another currency`},
	{func(in *disputes.Input) { in.RetainedSettledAmount = settled; in.RetainedSettledAmount.Currency = "" }, `retained_settled_amount.currency: "": must be an ISO 4217 code`},
	{func(in *disputes.Input) {
		in.RetainedSettledAmount = settled
		in.RetainedSettledAmount.Value = client.Cents(-1)
	}, `retained_settled_amount.value: "-0.01": must be 0.00 or more`},
	{func(in *disputes.Input) {
		in.RetainedSettledAmount = settled
		in.RetainedSettledAmount.ExchangeRate.From = ""
	}, `retained_settled_amount.exchange_rate.from: "": must be an ISO 4217 code`},
	{func(in *disputes.Input) {
		in.RetainedSettledAmount = settled
		in.RetainedSettledAmount.ExchangeRate.From = "BRL"
	}, `retained_settled_amount.exchange_rate.from: "BRL": must be the currency of the disputed amount, ARS`},
	{func(in *disputes.Input) {
		in.RetainedSettledAmount = settled
		in.RetainedSettledAmount.ExchangeRate.Value = ""
	}, `retained_settled_amount.exchange_rate.value: "": must be a decimal above 0`},
	{func(in *disputes.Input) {
		in.RetainedSettledAmount = settled
		in.RetainedSettledAmount.ExchangeRate.Value = "0.000"
	}, `retained_settled_amount.exchange_rate.value: "0.000": must be`},
	{func(in *disputes.Input) {
		in.RetainedSettledAmount = settled
		in.RetainedSettledAmount.ExchangeRate.Value = "-1"
	}, `retained_settled_amount.exchange_rate.value: "-1": must be`},
	{func(in *disputes.Input) { in.EvidenceURL = "https://files.partner.example/1.pdf" }, ""},
	{func(in *disputes.Input) { in.EvidenceURL = "http://files.partner.example/1.pdf" }, `evidence_url: "http://files.partner.example/1.pdf": must be an HTTPS URL`},
	{func(in *disputes.Input) { in.EvidenceURL = "https://" }, `evidence_url: "https://": must be an HTTPS URL`},
	{func(in *disputes.Input) { in.EvidenceURL = "https://%" }, `evidence_url: "https://%": must be an HTTPS URL`},
	{func(in *disputes.Input) {
		in.EvidenceURL = "https://files.partner.example/1.pdf"
		in.Fees = []disputes.Fee{{Type: "tip", Amount: money("1.00")}}
	}, `fees[0].type: "tip": must be processing_fee`},
	// An amount of which one member is given is none that is left out.
	{func(in *disputes.Input) { in.RetainedSettledAmount.Value = settled.Value }, `retained_settled_amount.currency: "": must be`},
	{func(in *disputes.Input) { in.RetainedSettledAmount.Currency = "USD" }, `retained_settled_amount.exchange_rate.from: "": must be`},
	{func(in *disputes.Input) { in.RetainedSettledAmount.ExchangeRate.Value = "0.5" }, `retained_settled_amount.currency: "": must be`},
	{func(in *disputes.Input) { in.RetainedSettledAmount.ExchangeRate.From = currency }, `retained_settled_amount.currency: "": must be`},
	{func(in *disputes.Input) {
		in.RetainedSettledAmount = settled
		in.RetainedSettledAmount.ExchangeRate.Value = "0.0009700000000000000001"
	}, ""},
	{func(in *disputes.Input) {
		in.Fees = []disputes.Fee{{Type: disputes.FeeTypeProcessing, Amount: money("5.00")}}
	}, ""},
	{func(in *disputes.Input) {
		in.Fees = []disputes.Fee{{Type: disputes.FeeTypeProcessing, Amount: money("5.00")}, {Type: "tip", Amount: money("1.00")}}
	}, `fees[1].type: "tip": must be processing_fee`},
	{func(in *disputes.Input) {
		in.Fees = []disputes.Fee{{Type: disputes.FeeTypeProcessing, Amount: money("-5.00")}}
	}, `fees[0].amount.value: "-5.00": must be`},
	{func(in *disputes.Input) { in.Fees = []disputes.Fee{{Type: disputes.FeeTypeProcessing}} }, `fees[0].amount.currency: "": must be`},
}

func TestInputIsChecked(t *testing.T) {
	for _, test := range wrongInputs {
		in := lawful
		test.change(&in)
		err := in.Check()
		if test.want == "" && err != nil || test.want != "" && (!errors.Is(err, client.ErrValidation) || !strings.HasPrefix(err.Error(), test.want)) {
			t.Errorf("got %v\nwant %s", err, test.want)
		}
	}
}

// A mebibyte in the place of a text of the contract is refused, and not repeated.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	withSettled := func(change func(*disputes.SettledAmount)) func(*disputes.Input) {
		return func(in *disputes.Input) {
			in.RetainedSettledAmount = settled
			change(&in.RetainedSettledAmount)
		}
	}
	withFee := func(fee disputes.Fee) func(*disputes.Input) {
		return func(in *disputes.Input) { in.Fees = []disputes.Fee{fee} }
	}
	check := func(field string, check func() error) {
		var err error
		spent := hostile.Cost(func() { err = check() })
		if !errors.Is(err, client.ErrValidation) || !strings.HasPrefix(err.Error(), field+": ") || len(err.Error()) > 500 || spent.Bytes > 16<<20 {
			t.Errorf("%s: cost %v: %.200v", field, spent, err)
		}
		t.Logf("%s: %v", field, spent)
	}
	for field, change := range map[string]func(*disputes.Input){
		"reason_code":                                 func(in *disputes.Input) { in.Reason = disputes.Reason(long) },
		"amount.currency":                             func(in *disputes.Input) { in.Amount.Currency = long },
		"retained_total.currency":                     func(in *disputes.Input) { in.RetainedTotal.Currency = long },
		"retained_settled_amount.currency":            withSettled(func(s *disputes.SettledAmount) { s.Currency = long }),
		"retained_settled_amount.exchange_rate.from":  withSettled(func(s *disputes.SettledAmount) { s.ExchangeRate.From = long }),
		"retained_settled_amount.exchange_rate.value": withSettled(func(s *disputes.SettledAmount) { s.ExchangeRate.Value = client.Measure(strings.Repeat("1", 1<<20)) }),
		"evidence_url":                                func(in *disputes.Input) { in.EvidenceURL = long },
		"fees[0].type":                                withFee(disputes.Fee{Type: disputes.FeeType(long), Amount: money("5.00")}),
		"fees[0].amount.currency":                     withFee(disputes.Fee{Type: disputes.FeeTypeProcessing, Amount: disputes.Amount{Currency: long, Value: client.Cents(500)}}),
	} {
		in := lawful
		change(&in)
		check(field, in.Check)
	}
	for field, update := range map[string]disputes.Update{
		"status":       {Status: disputes.Status(long), RetainedTotal: money("0.00")},
		"evidence_url": {Status: ur, RetainedTotal: money("0.00"), EvidenceURL: long},
	} {
		check(field, func() error { return lawful.Timeline().Check(update) })
	}
}

func TestUpdateIsChecked(t *testing.T) {
	for _, test := range []struct {
		past   []disputes.Status
		update disputes.Update
		want   string
	}{
		{[]disputes.Status{nr}, disputes.Update{RetainedTotal: money("0.00")}, `status: "": must be a status of the contract`},
		{[]disputes.Status{nr}, disputes.Update{Status: "pondering"}, `status: "pondering": must be a status of the contract`},
		{[]disputes.Status{nr, ds}, disputes.Update{Status: wo}, `status: "won": must be under_review, which may follow documentation_sent: validation`},
		{[]disputes.Status{nr, ur}, disputes.Update{Status: ds}, `status: "documentation_sent": must be won, lost or insured, which may follow under_review: validation`},
		{[]disputes.Status{nr, ur}, disputes.Update{Status: ur}, `status: "under_review": must be won, lost or insured, which may follow under_review: validation`},
		{[]disputes.Status{nr, lo}, disputes.Update{Status: ur}, `status: "under_review": must be no update: nothing follows lost: validation`},
		{[]disputes.Status{nr, in, ur}, disputes.Update{Status: in}, `status: "insured": must be won or lost, which may follow under_review: at most one transition to or from insured: validation`},
		{[]disputes.Status{nr, "appealed"}, disputes.Update{Status: wo}, `status: "won": must be no update: nothing follows appealed`},
		{[]disputes.Status{nr}, disputes.Update{Status: ur}, `retained_total.currency: "": must be an ISO 4217 code`},
		{[]disputes.Status{nr}, disputes.Update{Status: ur, RetainedTotal: money("25.51")}, `retained_total.value: "25.51": must be between 0.00 and the disputed amount, 25.50`},
		{[]disputes.Status{nr}, disputes.Update{Status: wo, RetainedTotal: money("0.00")}, `closed_at: "": must be a time: it is required when status is won`},
		{[]disputes.Status{nr}, disputes.Update{Status: lo, RetainedTotal: money("0.00")}, `closed_at: "": must be a time: it is required when status is lost`},
		{[]disputes.Status{nr}, disputes.Update{Status: ds, RetainedTotal: money("0.00"), EvidenceURL: "ftp://x"}, `evidence_url: "ftp://x": must be an HTTPS URL`},
		{[]disputes.Status{nr}, disputes.Update{Status: wo, RetainedTotal: money("0.00"), ClosedAt: day, EvidenceURL: "ftp://ignored"}, ""},
		{[]disputes.Status{nr}, disputes.Update{Status: ds, RetainedTotal: money("0.00"), EvidenceURL: "https://files.partner.example/1.pdf", EvidenceSentAt: day, ClosedAt: day}, ""},
		{[]disputes.Status{nr}, disputes.Update{Status: ur, RetainedTotal: money("0.00"), RetainedSettledAmount: settled}, ""},
		{[]disputes.Status{nr}, disputes.Update{Status: ur, RetainedTotal: money("0.00"), RetainedSettledAmount: disputes.SettledAmount{Currency: currency, ExchangeRate: disputes.ExchangeRate{Value: "1", From: currency}}}, `retained_settled_amount.currency: "ARS": must be another currency`},
	} {
		err := living(test.past).Timeline().Check(test.update)
		if test.want == "" && err != nil || test.want != "" && (!errors.Is(err, client.ErrValidation) || !strings.HasPrefix(err.Error(), test.want)) {
			t.Errorf("got %v\nwant %s", err, test.want)
		}
	}
}

func TestUpdateTellsWhatIsIgnored(t *testing.T) {
	for status, want := range map[disputes.Status][]string{
		nr: {"closed_at"}, ds: {"closed_at"}, in: {"closed_at"}, ur: {"closed_at"},
		wo: {"evidence_url", "evidence_sent_at"}, lo: {"evidence_url", "evidence_sent_at"},
	} {
		u := disputes.Update{Status: status, EvidenceURL: "https://files.partner.example/1.pdf", EvidenceSentAt: day, ClosedAt: day}
		if got := u.Ignored(); !slices.Equal(got, want) {
			t.Errorf("%s ignores %v, want %v", status, got, want)
		}
		if got := (disputes.Update{Status: status}).Ignored(); got != nil {
			t.Errorf("%s ignores %v of nothing", status, got)
		}
	}
}

func TestUpdateKnowsWhetherItWasApplied(t *testing.T) {
	const evidence = "https://files.partner.example/1.pdf"
	sent := disputes.Update{Status: ds, RetainedTotal: money("10.00"), EvidenceURL: evidence, EvidenceSentAt: client.At(day.Add(400 * time.Millisecond)), ClosedAt: day}
	other, respelled := evidence+"x", "https://Files.Partner.example:443/%31.pdf"
	for name, test := range map[string]struct {
		change func(*disputes.Dispute)
		want   bool
	}{
		"applied":         {func(*disputes.Dispute) {}, true},
		"other state":     {func(d *disputes.Dispute) { d.Status = ur }, false},
		"other retention": {func(d *disputes.Dispute) { d.RetainedTotal = money("0.00") }, false},
		"no evidence":     {func(d *disputes.Dispute) { d.EvidenceURL = nil }, false},
		"other evidence":  {func(d *disputes.Dispute) { d.EvidenceURL = &other }, false},
		// Such an answer looked like an update that was lost.
		"evidence in another spelling": {func(d *disputes.Dispute) { d.EvidenceURL = &respelled }, true},
		"evidence not sent":            {func(d *disputes.Dispute) { d.EvidenceSentAt = client.Time{} }, false},
		"other currency":               {func(d *disputes.Dispute) { d.RetainedTotal.Currency = "USD" }, false},
		"sent at another":              {func(d *disputes.Dispute) { d.EvidenceSentAt = client.At(sent.EvidenceSentAt.Add(time.Second)) }, false},
		"closed once":                  {func(d *disputes.Dispute) { d.ClosedAt = day }, true}, // of which an update that does not close says nothing
	} {
		d := living([]disputes.Status{nr, ds})
		url := evidence
		d.EvidenceURL, d.EvidenceSentAt = &url, day
		test.change(d)
		if got := sent.AppliedTo(d); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	closing := disputes.Update{Status: wo, RetainedTotal: money("10.00"), EvidenceURL: evidence, ClosedAt: day}
	d := living([]disputes.Status{nr, wo})
	if closing.AppliedTo(d) {
		t.Error("applied without its closing time")
	}
	if d.ClosedAt = day; !closing.AppliedTo(d) {
		t.Error("not applied, for the evidence that is ignored")
	}
}

// Inputs send absent members as nothing, and have no other way to be absent.
func TestInputsSendAbsentMembersAsNothing(t *testing.T) {
	for _, in := range []any{disputes.Input{}, disputes.Update{}} {
		typ := reflect.TypeOf(in)
		for _, f := range reflect.VisibleFields(typ) {
			if strings.Contains(f.Tag.Get("json"), "omitempty") || f.Type.Kind() == reflect.Pointer {
				t.Errorf("%s.%s has type %s and tag %s", typ, f.Name, f.Type, f.Tag)
			}
		}
	}
}

func TestEnumsKnowTheContract(t *testing.T) {
	for word := range strings.FieldsSeq("bank_cannot_process check_returned credit_not_processed customer_initiated debit_not_authorized duplicate_transaction " +
		"fraudulent_activity incorrect_account_details insufficient_funds product_not_received product_unacceptable subscription_canceled unrecognized") {
		if !disputes.Reason(word).Known() {
			t.Errorf("reason %s is not known", word)
		}
	}
	for word := range strings.FieldsSeq("needs_response documentation_sent insured under_review won lost") {
		if !disputes.Status(word).Known() {
			t.Errorf("status %s is not known", word)
		}
	}
	if disputes.Reason("x").Known() || disputes.Status("x").Known() || disputes.FeeType("x").Known() {
		t.Error("x is known")
	}
}
