package shipping

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

var seedFlag = flag.Uint64("shipping.seed", 0, "the seed of random choices, to repeat them; 0 is another one each time")

// seeded returns the seed of the random choices of a test, and logs how to repeat them.
func seeded(t *testing.T) uint64 {
	seed := *seedFlag
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-shipping.seed=%d", seed)
	return seed
}

// No combination of what a program may put in makes an answer that the validator refuses.
func TestProofRandomRates(t *testing.T) {
	seed, builds := seeded(t), tier.Size(1_000, 10_000, 1_000_000)
	r := rand.New(rand.NewPCG(seed, 10))
	req := read(t, document(t, "rate_request"))
	built, refusals, sent, left := 0, 0, 0, 0
	for built < builds {
		var rates []Rate
		for range 1 + r.IntN(14) {
			rate, err := randomRate(r)
			if err != nil {
				refusals++
				continue
			}
			built++
			rates = append(rates, rate)
		}
		req.Items[1].FreeShipping = r.IntN(2) == 0
		body, kept, _ := req.facts().encode(rates)
		left += len(rates) - kept
		if body == nil {
			continue
		}
		sent++
		if err := Validate(req, body); err != nil {
			t.Fatalf("seed %d: after %d rates: %v\n%s", seed, built, err, body)
		}
	}
	if refusals < builds/10 || left < builds/1000 {
		t.Errorf("seed %d: %d built, %d refused, %d left out: too few of one", seed, built, refusals, left)
	}
	t.Logf("seed %d: %d rates built, %d refused, %d left out of %d answers, 0 invalid", seed, built, refusals, left, sent)
}

func randomRate(r *rand.Rand) (Rate, error) {
	o := Offer{
		Code: text(r), Name: text(r), Price: money(r), Currency: oneOf(r, "ARS", "BRL", "USD", "JPY", "ars", "", "ZZZ", "AR"),
		MinDelivery: instant(r), MaxDelivery: instant(r), IDRequired: r.IntN(2) == 0, PhoneRequired: r.IntN(2) == 0, Reference: oneOf(r, "", "ref", text(r)),
	}
	if r.IntN(10) > 0 {
		o.Currency = oneOf(r, "ARS", "BRL", "USD", "JPY")
	}
	switch r.IntN(12) {
	case 0:
		o.PriceMerchant, o.AcceptsCOD = client.Set(money(r)), client.Set(r.IntN(2) == 0)
	case 1:
		o.PriceMerchant = client.Set(o.Price)
	case 2:
		o.AcceptsCOD = client.Null[bool]()
	}
	if r.IntN(2) == 0 {
		return DoorRate(o)
	}
	p := Point{Address: Address{Address: client.Code(text(r)), City: client.Code(oneOf(r, "", "x", text(r))), Country: client.Code(oneOf(r, "", "AR", "BR", "ar", "ARG")),
		Latitude: client.Code(oneOf(r, "", "12", "-90", "90.00", "91", "NaN", "1e1")), Longitude: client.Code(oneOf(r, "", "12.123456", "-180", "181", "x"))}}
	if r.IntN(10) > 0 {
		p.Address.Address, p.Address.Country, p.Address.Latitude, p.Address.Longitude = "A", "AR", "1", "2"
	}
	for range 1 + r.IntN(3) {
		p.Hours = append(p.Hours, Hours{time.Weekday(r.IntN(7)), clock(r), clock(r)})
	}
	if r.IntN(20) == 0 {
		p.Hours = oneOf(r, nil, []Hours{{7, "0900", "1800"}}, []Hours{{-1, "0900", "1800"}})
	}
	if r.IntN(3) == 0 {
		p.Availability = client.Set(r.IntN(2) == 0)
	}
	return PickupRate(o, p)
}

func oneOf[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

func text(r *rand.Rand) string {
	if r.IntN(30) > 0 {
		return oneOf(r, "standard", "express", "Estándar", `a"b\c`, "<b>", "日本", "😀", "standard ")
	}
	return oneOf(r, "", " ", "\n", "\x00", "\xff", "a\u2028b", "\u0085", "\u200b", "\ufffd", "\U0010ffff", "a\tb", "\ufeffx", "\u00a0", "\u3000")
}

func money(r *rand.Rand) client.Money {
	switch r.IntN(30) {
	case 0:
		return client.Cents(-r.Int64N(1000))
	case 1:
		return client.Cents(r.Int64N(1 << 62))
	case 2, 3, 4:
		return client.MustMoney(oneOf(r, "0", "0.000001", "1.5", "999999999999999.999", "100.000"))
	}
	return client.Cents(r.Int64N(100_000))
}

func instant(r *rand.Rand) time.Time {
	if r.IntN(3) == 0 {
		return time.Time{}
	}
	zone := time.FixedZone("", oneOf(r, 0, -3*3600, 5*3600+1800, 14*3600))
	if r.IntN(40) == 0 {
		zone = time.FixedZone("", oneOf(r, 61, 24*3600, -25*3600))
	}
	if r.IntN(40) == 0 {
		return time.Date(r.IntN(12000)-100, 1, 1, 0, 0, 0, r.IntN(1e9), zone)
	}
	return time.Date(2026, 1, 1+r.IntN(4), r.IntN(24), r.IntN(60), r.IntN(2), r.IntN(2)*r.IntN(1e9), zone)
}

func clock(r *rand.Rand) string {
	if r.IntN(40) > 0 {
		return oneOf(r, "0000", "0900", "1200", "1800", "2000", "2358", "2359")
	}
	return oneOf(r, "2400", "0060", "9", "", "09:0", "٠٩٠٠")
}
