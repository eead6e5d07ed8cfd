package disputes_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/disputes"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// document reads testdata/wire/name.json.
func document(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../testdata/wire/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// generic reads JSON without any of our types. The platform prints ids as strings,
// and we print numbers.
func generic(t *testing.T, data []byte) map[string]any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	var v map[string]any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"store_id", "app_id", "order_id"} {
		if s, ok := v[id].(string); ok {
			v[id] = json.Number(s)
		}
	}
	return v
}

func TestDisputeHasAFieldForEveryMember(t *testing.T) {
	for _, name := range []string{"dispute", "dispute_open"} {
		data := document(t, name)
		s, _ := answering(t, 200, string(data), func(_ context.Context, d client.Drift) {
			if d.Want != "an integer" {
				t.Errorf("%s: %s: want %s, got %s", name, d.Path, d.Want, d.Got)
			}
		})
		d, err := s.Get(t.Context(), 1612216732, someID, "67654a1d7f0000f100f03533")
		if err != nil {
			t.Fatal(err)
		}
		back, err := wire.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range hostile.Differences(generic(t, back), generic(t, data)) {
			t.Errorf("%s: read and written again: %s", name, d)
		}
	}
}

func TestDisputeReadsEveryValue(t *testing.T) {
	var d disputes.Dispute
	if err := wire.Unmarshal(document(t, "dispute"), &d); err != nil {
		t.Fatal(err)
	}
	if d.ID != "67654a1d7f0000f100f03533" || d.StoreID != 1020559 || d.AppID != 1234 || d.OrderID != 1612216732 || d.TransactionID != someID {
		t.Errorf("ids: %s %d %d %d %s", d.ID, d.StoreID, d.AppID, d.OrderID, d.TransactionID)
	}
	if d.Reason != disputes.ReasonFraudulentActivity || d.ExternalReason != "fraud" || d.Status != disputes.StatusLost || !d.ClosedAt.Equal(at("2025-01-05T10:00:00Z")) {
		t.Errorf("%s, %s: %s at %s", d.Reason, d.ExternalReason, d.Status, d.ClosedAt)
	}
	if d.Amount.Value.String() != "100.00" || d.TransactionAmount.Value.String() != "120.00" || d.Fees[0].Type != disputes.FeeTypeProcessing || d.Fees[0].Amount.Value != client.Cents(500) {
		t.Errorf("%s of %s, fees %+v", d.Amount.Value, d.TransactionAmount.Value, d.Fees)
	}
	if r := d.RetainedSettledAmount.ExchangeRate; r.Value != "1020.5000" || r.From != "USD" {
		t.Errorf("rate %s from %s", r.Value, r.From)
	}
	if h := d.History; len(h) != 4 || h[2].RetainedDelta.Value != client.Cents(-10000) || h[0].RetainedSettledAmount.Currency != "ARS" || h[1].RetainedSettledAmount != nil {
		t.Errorf("history %+v", h)
	}
	if tl := d.Timeline(); tl.Status != disputes.StatusLost || len(tl.Next()) != 0 || !tl.Retained.Equal(d.RetainedTotal) {
		t.Errorf("timeline %+v", tl)
	}
}

func TestDisputeKeepsWhatItDoesNotKnow(t *testing.T) {
	const newer = `{"status":"appealed","reason_code":"changed_mind","newer":{"list":[1,null]},"amount":{"value":"1.00","currency":"ARS","hint":1},` +
		`"fees":[{"type":"tip","amount":{"value":"1.00","currency":"ARS"},"of":"x"}],"history":[{"status":"appealed","by":"bank"}],` +
		`"retained_settled_amount":{"value":"1.00","currency":"USD","exchange_rate":{"value":"1","from":"ARS","on":"2025-01-01"},"was":2}}`
	var d disputes.Dispute
	if err := wire.Unmarshal([]byte(newer), &d); err != nil {
		t.Fatal(err)
	}
	if d.Status.Known() || d.Reason.Known() || d.Fees[0].Type.Known() || d.Timeline().Next() != nil {
		t.Errorf("%s, %s, %s and what follows are known", d.Status, d.Reason, d.Fees[0].Type)
	}
	back, err := wire.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range []string{
		`"status":"appealed"`, `"reason_code":"changed_mind"`, `"newer":{"list":[1,null]}`, `"hint":1`, `"type":"tip"`, `"of":"x"`, `"by":"bank"`, `"on":"2025-01-01"`, `"was":2`,
	} {
		if !strings.Contains(string(back), kept) {
			t.Errorf("lost %s in %s", kept, back)
		}
	}
}

// Amounts that cost a decimal library seconds and gigabytes, and other amounts
// that are none.
func TestAmountsRefuseBombs(t *testing.T) {
	bombs := []string{
		`"1e1000000000"`, `"1e10000"`, `"1E20"`, `"` + strings.Repeat("9", 1_000_000) + `"`, `"−5.00"`, `"+5"`, `".5"`, `"5."`, `"NaN"`, `"0x1"`, `"1_000"`, `1e9999`,
	}
	var greatest hostile.Spent
	for _, bomb := range bombs {
		for _, document := range []string{
			`{"retained_total":{"value":` + bomb + `,"currency":"ARS"}}`,
			`{"history":[{"retained_delta":{"value":` + bomb + `,"currency":"ARS"}}]}`,
			`{"retained_settled_amount":{"value":` + bomb + `,"currency":"ARS"}}`,
		} {
			data := []byte(document)
			var d disputes.Dispute
			err := wire.Unmarshal(data, &d)
			if err == nil || len(err.Error()) > 1000 {
				t.Errorf("%.60s: %.200v", document, err)
			}
			spent := hostile.Cost(func() { _ = wire.Unmarshal(data, new(disputes.Dispute)) })
			if most := uint64(8*len(data) + 1<<16); spent.Bytes > most {
				t.Errorf("%.60s: took %v, want %d bytes at most", document, spent, most)
			}
		}
		in := lawful
		in.RetainedSettledAmount = disputes.SettledAmount{
			Currency: "USD", ExchangeRate: disputes.ExchangeRate{Value: client.Measure(strings.Trim(bomb, `"`)), From: currency},
		}
		if err := in.Check(); !errors.Is(err, client.ErrValidation) || len(err.Error()) > 1000 {
			t.Errorf("rate %.60s: %.200v", bomb, err)
		}
		value := []byte(bomb)
		spent := hostile.Cost(func() { _ = new(client.Money).UnmarshalJSON(value); _ = in.Check() })
		if spent.Bytes > 1<<16 {
			t.Errorf("%.60s: refused in %v, want 64 KiB at most", bomb, spent)
		}
		greatest = greatest.Max(spent)
	}
	t.Logf("each refused within %v", greatest)
}

func TestSpoiledRecords(t *testing.T) {
	hostile.Records(t, map[string]any{"dispute": &disputes.Dispute{}, "dispute_open": &disputes.Dispute{}}, func(name string) []byte { return document(t, name) })
}
