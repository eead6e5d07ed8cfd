package shipping

import (
	"context"
	"math/big"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// A spoiled request is answered 400 or 413 and reaches no function, in little memory. What is read nevertheless is
// answered as the handler's documentation says.
func TestSpoiledRequests(t *testing.T) {
	var calls atomic.Int64
	var told []string
	report := func(_ context.Context, f *Failure) { told = append(told, f.Error()) }
	generate := func(context.Context, []Label) ([]LabelFailure, error) { calls.Add(1); return nil, nil }
	change := func(context.Context, []LabelRef) ([]LabelFailure, error) { calls.Add(1); return nil, nil }
	rate := func(context.Context, Quote) ([]Rate, error) { calls.Add(1); return []Rate{ship(t, "standard")}, nil }
	for _, v := range []struct {
		path           string
		good           []byte
		called, others []int
	}{
		{"/rates", document(t, "rate_request"), []int{200}, []int{400, 413}},
		{"/labels/generate", slices.Concat([]byte("["), document(t, "label_request"), []byte("]")), []int{202, 207}, []int{400, 413, 207}},
		{"/labels/cancel", refs(firstLabel, secondLabel), []int{204}, []int{400, 413}},
		{"/labels/suspension", refs(firstLabel, secondLabel), []int{204}, []int{400, 413}},
		{"/labels/reactivate", refs(firstLabel, secondLabel), []int{204}, []int{400, 413}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var h http.Handler = &Handler{Access: Access{Guarded: true}, Rates: rate, OnFailure: report, Fresh: -1, Stale: -1}
			if v.path != "/rates" {
				h = &LabelHandler{Access: Access{Guarded: true}, Generate: generate, Cancel: change, Suspend: change, Reactivate: change, OnFailure: report}
			}
			statuses := map[int]int{}
			reader := hostile.Reader{Read: func(body []byte) bool {
				if v.path == "/rates" {
					readAsInGeneral(t, body)
				}
				calls.Store(0)
				code := postTo(h, v.path, body).Code
				statuses[code]++
				if n := calls.Load(); n > 1 || n == 1 && !slices.Contains(v.called, code) || n == 0 && !slices.Contains(v.others, code) {
					t.Errorf("%s %.100q: status %d, %d calls", v.path, body, code, n)
				}
				return calls.Load() > 0
			}}
			if !reader.Read(v.good) {
				t.Errorf("%s: refused as it is", v.good)
			}
			t.Logf("%s: %v; statuses %v", v.path, reader.Play(t, hostile.Documents(hostile.OfHandler, v.good)), statuses)
		})
	}
	for _, text := range told {
		if len(text) > 500 {
			t.Errorf("reported in %d bytes: %.200s", len(text), text)
		}
	}
}

func TestSpoiledRecords(t *testing.T) {
	hostile.Records(t, map[string]any{
		"carrier": &carriers.Carrier{}, "carrier_option": &carriers.Option{}, "store_carrier": &carriers.StoreCarrier{}, "rate_request": &Request{}, "label_request": &Label{},
	}, func(name string) []byte { return document(t, name) })
}

// numberForm is the grammar of JSON.
var numberForm = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?([0-9]+))?$`)

// A number is read exactly or refused, and a refusal costs no more whatever was written.
func TestNumbersOfStrangers(t *testing.T) {
	count, taken := 0, 0
	var greatest hostile.Spent
	for s := range hostile.Numbers() {
		parts := numberForm.FindStringSubmatch(s[:min(len(s), 65)])
		exponent := 0
		if parts != nil {
			exponent, _ = strconv.Atoi("0" + parts[4])
		}
		want := parts != nil && len(s) <= 64 && exponent <= 99
		quoted := []byte(`"` + s + `"`)
		var n Number
		var d decimal.Decimal
		var err error
		spent := hostile.Cost(func() {
			if err = n.UnmarshalJSON(quoted); err == nil {
				d, err = n.Decimal()
			}
		})
		count, greatest = count+1, greatest.Max(spent)
		if (err == nil) != want || err != nil && len(err.Error()) > 500 || spent.Bytes > 64<<10 {
			t.Errorf("%.60q: got %v, %.200v, and it cost %v", s, d, err, spent)
		}
		if err != nil {
			continue
		}
		taken++
		if exact, ok := new(big.Rat).SetString(s); !ok || d.Rat().Cmp(exact) != 0 {
			t.Errorf("%q: got %v", s, d)
		}
	}
	t.Logf("%d numbers, %d read, at most %v for one", count, taken, greatest)
}
