package carrier_test

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// FuzzAnswer wants every option that is shown to be one that may be, whatever a carrier
// answers.
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{`{"rates":[]}`, `{"rates":[{"name":"N","code":"standard","price":1e2,"currency":"ARS","type":"ship","reference":""}]}`,
		`{"rates":[{"name":"N","code":"branch","price":0,"currency":"ARS","type":"pickup","address":{},"hours":[{"day":1,"start":"0000","end":"2359"}]}]}`,
		`{"rates":[{"price":1e-999999999}]}`, `{"rates":{}}`, `[]`, ``, strings.Repeat("[", 1000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, answer string) { wantSane(open(t), answer) })
}

// wantSane quotes with an answer.
func wantSane(p *post, answer string) {
	p.Helper()
	p.mu.Lock()
	p.raw = answer + " "
	p.mu.Unlock()
	c := parcel()
	c.Items[0].ID = int64(p.asked() + 1)
	q := p.quote(c)
	for _, o := range q.Options {
		if o.Name == "" || o.Code != "standard" && o.Code != "branch" || o.Price.IsNegative() || o.Price.Exponent() < -2 || o.Currency != "ARS" ||
			(o.Type == "pickup") != (o.Point != nil) || o.Type != "ship" && o.Type != "pickup" {
			p.Errorf("shown of %q: %+v", answer, o)
		}
	}
	if call := q.Calls[0]; !call.Healthy || call.Status != 200 {
		p.Errorf("call %+v", call)
	}
}

// TestHostileAnswers cuts, doubles and overwrites an answer that is good.
func TestHostileAnswers(t *testing.T) {
	const seed = 11
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	p := open(t)
	l := p.World().Limits()
	l.RateReuse = 0
	p.World().SetLimits(l)
	good := `{"rates":[{"name":"N","code":"standard","price":14.15,"price_merchant":20,"currency":"ARS","type":"ship","min_delivery_date":"2016-07-14T14:48:45-0300","reference":"r"},` +
		`{"name":"B","code":"branch","price":1,"currency":"ARS","type":"pickup","address":{"zipcode":"1"},"hours":[{"day":6,"start":"0900","end":"1800"}]}]}`
	for range 2000 {
		bad := []byte(good)
		for range 1 + random.IntN(3) {
			i, j := random.IntN(len(bad)), random.IntN(len(bad))
			switch random.IntN(4) {
			case 0:
				bad[i] = byte(random.IntN(256))
			case 1:
				bad = append(bad[:min(i, j):min(i, j)], bad[max(i, j):]...)
			case 2:
				bad[i] = bad[j]
			default:
				bad = append(bad[:i:i], append([]byte(`null`), bad[i:]...)...)
			}
			if len(bad) == 0 {
				bad = []byte("x")
			}
		}
		wantSane(p, string(bad))
	}
}
