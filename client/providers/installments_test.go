package providers

import (
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

func counts(options []InstallmentOption) string {
	var all []string
	for _, o := range options {
		all = append(all, fmt.Sprint(o.Installments))
	}
	return strings.Join(all, " ")
}

func TestInstallmentsAllowed(t *testing.T) {
	rules := InstallmentRules{
		Specification: []InstallmentOption{
			{Installments: 1}, {Installments: 3},
			{Installments: 6, MinimumPurchaseValue: []Minimum{{client.Cents(6000), "BRL"}, {client.Cents(100), "USD"}}},
			{Installments: 7, AppliesTo: []string{"visa"}},
			{Installments: 0}, {Installments: -3},
		},
		MinInstallmentValue: []Minimum{{client.Cents(1000), "BRL"}},
	}
	for _, test := range []struct{ total, currency, want string }{
		{"100.00", "BRL", "1 3 6 7"},
		{"70.00", "BRL", "1 3 6 7"}, // 10.00 a part: inclusive
		{"69.99", "BRL", "1 3 6"},
		{"60.00", "BRL", "1 3 6"}, // the purchase is enough: inclusive
		{"59.99", "BRL", "1 3"},
		{"30", "BRL", "1 3"},
		{"29.999999", "BRL", "1"}, // a part of 9.99999966… is not rounded up to 10.00
		{"9.99", "BRL", ""},
		{"0.00", "BRL", ""}, {"-100.00", "BRL", ""},
		{"1.00", "USD", "1 3 6 7"}, {"0.99", "USD", "1 3 7"},
		{"0.01", "MXN", "1 3 6 7"}, // no minimum is said
	} {
		if got := counts(rules.Allowed(client.MustMoney(test.total), test.currency)); got != test.want {
			t.Errorf("%s %s: allowed %s, want %s", test.total, test.currency, got, test.want)
		}
	}
	if o := rules.Specification[3]; !o.Takes("visa") || o.Takes("amex") || !rules.Specification[0].Takes("amex") {
		t.Error("banks and brands are not told apart")
	}
}

var seedFlag = flag.Uint64("payments.seed", 0, "the seed of random choices, to repeat them; 0 is another one each time")

// Allowed agrees with the contract's words in rational numbers: total / count is at least
// the minimum, and total at least the value. Half of the cases lie at a border.
func TestProofInstallments(t *testing.T) {
	cases, seed := tier.Size(10_000, 100_000, 10_000_000), *seedFlag
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-payments.seed=%d", seed)
	random := rand.New(rand.NewPCG(seed, 7))
	money := func(units int64, scale int) (client.Money, *big.Rat) {
		text := fmt.Sprintf("%0*d", scale+1, units)
		text = text[:len(text)-scale] + "." + text[len(text)-scale:]
		m, err := client.ParseMoney(strings.TrimSuffix(text, "."))
		if err != nil {
			t.Fatal(err)
		}
		r, _ := new(big.Rat).SetString(m.String())
		return m, r
	}
	allowed, borders := 0, 0
	for i := range cases {
		count := 1 + random.Int64N(48)
		scale := random.IntN(7)
		least, leastRat := money(random.Int64N(1_000_000), scale)
		purchase, purchaseRat := money(random.Int64N(20_000_000), random.IntN(7))
		units := random.Int64N(30_000_000)
		if i%2 == 0 { // the least total, or one unit beside it
			n, _ := new(big.Rat).Mul(leastRat, new(big.Rat).SetInt64(count*pow10(scale))).Float64()
			units = max(0, int64(n)+random.Int64N(3)-1)
		} else {
			scale = random.IntN(7)
		}
		total, totalRat := money(units, scale)
		rules := InstallmentRules{
			Specification:       []InstallmentOption{{Installments: client.Int(count), MinimumPurchaseValue: []Minimum{{purchase, "BRL"}}}},
			MinInstallmentValue: []Minimum{{least, "BRL"}},
		}
		part := new(big.Rat).Quo(totalRat, new(big.Rat).SetInt64(count))
		want := totalRat.Sign() > 0 && part.Cmp(leastRat) >= 0 && totalRat.Cmp(purchaseRat) >= 0
		if got := len(rules.Allowed(total, "BRL")) == 1; got != want {
			t.Fatalf("case %d: %s in %d parts of at least %s, from %s: allowed %v, want %v", i, total, count, least, purchase, got, want)
		}
		if want {
			allowed++
		}
		if part.Cmp(leastRat) == 0 {
			borders++
		}
	}
	if allowed < cases/20 || allowed > cases*19/20 || borders < cases/20 {
		t.Errorf("%d of %d cases allowed, %d on the border: the cases are too plain", allowed, cases, borders)
	}
	t.Logf("%d cases: %d allowed, %d on the border", cases, allowed, borders)
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

// Numbers that a decimal library would spend seconds and gigabytes on are refused by a look
// at their length or their form: the allocations say that nothing was built of them.
func TestDecimalBombsAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"131,072 digits":   strings.Repeat("9", 1<<17),
		"131,072 decimals": "0." + strings.Repeat("9", 1<<17),
		"an exponent":      "1e1000000000",
		"a small exponent": "1e-1000000000",
		"a fraction":       "1/3",
		"nested points":    strings.Repeat("1.", 1<<17),
	} {
		p := goodProvider()
		p.Methods[0].Installments.Specification[0].InterestRate = client.Measure(text)
		rates := goodProvider()
		rates.Rates[0].Definition[0].PercentFee = client.Measure(text)
		document := []byte(`{"value":"` + text + `","currency":"BRL"}`)
		for place, refuse := range map[string]func() error{
			"interest_rate": p.Check, "percent_fee": rates.Check,
			"minimum": func() error { return wire.Unmarshal(document, new(Minimum)) },
			"amount":  func() error { return wire.Unmarshal(document, new(Amount)) },
		} {
			var err error
			spent := hostile.Cost(func() { err = refuse() })
			if err == nil || len(err.Error()) > 500 {
				t.Errorf("%s of %s: got %.80v", place, name, err)
			}
			if most := uint64(8*len(document) + 1<<16); spent.Bytes > most {
				t.Errorf("%s of %s: %v, want %d bytes at most", place, name, spent, most)
			}
			t.Logf("%-13s %-16s %v", place, name, spent)
		}
	}
}
