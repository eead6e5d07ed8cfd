package carrier_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// TestRateRules has the rules of the table of rates, one by one; what breaks one is
// hidden, and its neighbour is shown.
func TestRateRules(t *testing.T) {
	place := func(more object) object { return object{"address": with(object{"address": "A"}, more)} }
	hours := func(list ...object) object { return object{"hours": list} }
	day := func(more object) object { return with(object{"day": 0, "start": "0000", "end": "2359"}, more) }
	for want, list := range map[string][]object{
		"": {
			ship(nil), ship(object{"price": 0}), ship(object{"price": 14.155, "price_merchant": 20}), ship(object{"price_merchant": nil}),
			ship(object{"min_delivery_date": "2016-07-14T14:48:45-0300", "max_delivery_date": "2016-07-17T14:48:45Z"}), ship(object{"min_delivery_date": nil}),
			ship(object{"min_delivery_date": "2016-07-14"}), ship(object{"id_required": true, "phone_required": nil, "accepts_cod": false}),
			ship(object{"reference": "absent"}), ship(object{"reference": nil}), ship(object{"reference": ""}), ship(object{"availability": "of no interest", "address": 1, "hours": 2, "new": true}),
			pickup(nil), pickup(object{"availability": false}), pickup(hours(day(nil), day(object{"day": 6, "start": "1800", "end": "0200"}))), pickup(place(object{"floor": nil, "new": 1})),
		},
		"name is missing":                           {ship(object{"name": "absent"}), ship(object{"name": nil})},
		"name: must be a string":                    {ship(object{"name": ""}), ship(object{"name": 1})},
		"code is missing":                           {ship(object{"code": "absent"}), pickup(object{"code": nil})},
		"code: must be a string":                    {ship(object{"code": 7}), ship(object{"code": ""})},
		"price is missing":                          {ship(object{"price": "absent"}), ship(object{"price": nil})},
		"price: must be a number from 0":            {ship(object{"price": "14.15"}), ship(object{"price": -0.01}), ship(object{"price": json.RawMessage("1e13")}), ship(object{"price": json.RawMessage("1e999")})},
		"price: must be a number with fewer":        {ship(object{"price": json.RawMessage("1e-999999999")})},
		"currency is missing":                       {ship(object{"currency": "absent"})},
		`currency "ars": must be an ISO 4217`:       {ship(object{"currency": "ars"})},
		`currency "PESO": must be an ISO 4217`:      {ship(object{"currency": "PESO"})},
		"currency USD: must be ARS":                 {ship(object{"currency": "USD"})},
		"type is missing":                           {ship(object{"type": "absent"})},
		`type "drone": must be ship or pickup`:      {ship(object{"type": "drone"})},
		`type "Ship": must be ship or pickup`:       {ship(object{"type": "Ship"})},
		"address and hours: must both be there":     {pickup(object{"address": "absent"}), pickup(object{"hours": nil})},
		"address: must be an object":                {pickup(object{"address": "A 3"})},
		"address: zipcode: must be a string":        {pickup(place(object{"zipcode": 1824}))},
		"address: latitude: must be a string":       {pickup(place(object{"latitude": 12.5}))},
		"hours: must be an array":                   {pickup(object{"hours": array{}}), pickup(object{"hours": object{}})},
		"hours[0].day: must be 0 for Sunday":        {pickup(hours(day(object{"day": 7}))), pickup(hours(day(object{"day": -1}))), pickup(hours(day(object{"day": "absent"})))},
		"hours[1].day":                              {pickup(hours(day(nil), day(object{"day": nil})))},
		"hours[0]: must have start and end as HHMM": {pickup(hours(day(object{"start": "900"}))), pickup(hours(day(object{"end": "2400"}))), pickup(hours(day(object{"end": "1260"}))), pickup(hours(day(object{"start": "09:00"})))},
		"price_merchant: must be a number":          {ship(object{"price_merchant": "1"}), ship(object{"price_merchant": -1})},
		"min_delivery_date: must be an ISO 8601":    {ship(object{"min_delivery_date": 20160714})},
		`min_delivery_date "14/07/2016": must be`:   {ship(object{"min_delivery_date": "14/07/2016"})},
		`max_delivery_date "soon": must be an ISO`:  {ship(object{"max_delivery_date": "soon"})},
		"id_required: must be true or false":        {ship(object{"id_required": "yes"})},
		"phone_required: must be true or false":     {ship(object{"phone_required": 1})},
		"accepts_cod: must be true or false":        {ship(object{"accepts_cod": "true"})},
		"availability: must be true or false":       {pickup(object{"availability": "true"})},
		"reference: must be a string":               {ship(object{"reference": 5})},
		`code "Standard": the carrier has no such`:  {ship(object{"code": "Standard"})},
		`code "estándar": the carrier has no such`:  {ship(object{"code": "estándar"})},
	} {
		for i, r := range list {
			p := open(t)
			p.rates = array{r, pickup(object{"name": "Neighbour"})}
			q := p.quote(parcel())
			hidden := q.Calls[0].Hidden
			if want == "" {
				if len(q.Options) != 2 || len(hidden) != 0 {
					t.Errorf("rate %d is hidden: %+v", i, hidden)
				}
				continue
			}
			if len(q.Options) != 1 || q.Options[0].Name != "Neighbour" || len(hidden) != 1 || hidden[0].Index != 0 || !strings.Contains(hidden[0].Reason, want) {
				t.Errorf("want %q, got %+v and the options %+v", want, hidden, q.Options)
			}
		}
	}
	p := open(t)
	p.raw = `{"rates":[null,7,"x",[]]}`
	if q := p.quote(parcel()); len(q.Calls[0].Hidden) != 4 || q.Calls[0].Hidden[3].Index != 3 || len(q.Options) != 0 {
		t.Errorf("what is no rate: %+v", q)
	}
}

// TestWhatIsShown compares a whole option.
func TestWhatIsShown(t *testing.T) {
	p := open(t)
	at := "2016-07-14T14:48:45-0300"
	p.rates = array{
		ship(object{"price": 14.155, "price_merchant": 20.5, "min_delivery_date": at, "max_delivery_date": at, "phone_required": true, "id_required": true, "accepts_cod": false}),
		pickup(object{"availability": false}),
	}
	q := p.quote(parcel())
	s, b := q.Options[0], q.Options[1]
	when := time.Date(2016, 7, 14, 17, 48, 45, 0, time.UTC)
	if s.Source != carrier.Asked || s.Carrier != 77 || s.ID != 1 || s.Code != "standard" || s.Name != "Standard" || s.Type != "ship" || s.Price.String() != "14.16" || s.Merchant.String() != "20.5" ||
		s.Currency != "ARS" || !s.MinDelivery.Equal(when) || !s.MaxDelivery.Equal(when) || !s.IDRequired || !s.PhoneRequired || s.AcceptsCOD || !s.Available || s.Reference != "ref123" || s.Point != nil {
		t.Errorf("ship %+v", s)
	}
	if b.ID != 2 || b.Type != "pickup" || b.Price.String() != "9" || b.Merchant.String() != "9" || !b.MinDelivery.IsZero() || b.IDRequired || b.PhoneRequired || !b.AcceptsCOD || b.Available {
		t.Errorf("pickup %+v", b)
	}
	if want := `{"address":{"address":"A","country":"AR","floor":null,"latitude":"12","longitude":"-12","number":"3"},"hours":[{"day":1,"end":"1800","start":"0900"}]}`; string(b.Point) != want {
		t.Errorf("point %s", b.Point)
	}
}

// TestDuplicateCodes shows the first ship rate of a code, and ten pickup rates.
func TestDuplicateCodes(t *testing.T) {
	p := open(t)
	p.rates = array{ship(object{"name": "First"}), ship(object{"name": "Second"}), pickup(object{"code": "standard", "name": "Counter"}), ship(object{"code": "branch", "name": "Other"})}
	if got := names(p.quote(parcel())); got != "First,Counter,Other" {
		t.Errorf("got %s", got)
	}
	p = open(t)
	p.rates = array{ship(object{"name": "First", "price": nil}), ship(object{"name": "Second"})}
	if q := p.quote(parcel()); len(q.Options) != 0 || !strings.Contains(q.Calls[0].Hidden[1].Reason, `code "standard": another ship rate`) {
		t.Errorf("the first of equal codes counts, even if it is hidden: %+v", q)
	}
	p = open(t)
	var many array
	for i := range 12 {
		many = append(many, pickup(object{"name": fmt.Sprint("B", i)}))
	}
	many[3] = pickup(object{"name": "wrong", "hours": nil})
	p.rates = append(many, pickup(object{"name": "S", "code": "standard"}))
	q := p.quote(parcel())
	if got := names(q); got != "B0,B1,B2,B4,B5,B6,B7,B8,B9,B10,S" {
		t.Errorf("got %s", got)
	}
	if h := q.Calls[0].Hidden; len(h) != 2 || h[1].Index != 11 || !strings.Contains(h[1].Reason, "at most 10 pickup rates") {
		t.Errorf("hidden %+v", h)
	}
}

func names(q carrier.Quote) string {
	var out []string
	for _, o := range q.Options {
		out = append(out, o.Name)
	}
	return strings.Join(out, ",")
}

// TestMerchantSettings changes options between two quotes: they apply to answers that
// are reused too.
func TestMerchantSettings(t *testing.T) {
	p := open(t)
	p.rates = array{ship(object{"price_merchant": 20, "min_delivery_date": "2016-02-28T10:00:00-0300", "max_delivery_date": nil}), pickup(nil)}
	free := parcel()
	free.FreeShipping = true
	for i, c := range []struct {
		change func(*world.CarrierOption)
		parcel carrier.Parcel
		want   string
	}{
		{nil, parcel(), "14.15 20 2016-02-28"},
		{func(o *world.CarrierOption) { o.AdditionalCost = amount("1500") }, parcel(), "1514.15 20 2016-02-28"},
		{func(o *world.CarrierOption) { o.AdditionalDays = 2 }, parcel(), "14.15 20 2016-03-01"},
		{func(o *world.CarrierOption) { o.AllowFreeShipping = true }, parcel(), "14.15 20 2016-02-28"},
		{nil, free, "14.15 20 2016-02-28"},
		{func(o *world.CarrierOption) { o.AllowFreeShipping = true }, free, "0 20 2016-02-28"},
		{func(o *world.CarrierOption) { o.AllowFreeShipping, o.AdditionalCost = true, amount("5") }, free, "0 20 2016-02-28"},
		{func(o *world.CarrierOption) { o.Active = false }, parcel(), "hidden"},
	} {
		p.update(func(tx *world.Tx) error {
			o := p.standard
			if c.change != nil {
				c.change(&o)
			}
			return tx.CarrierOptions.Put(o.ID, o)
		})
		q := p.quote(c.parcel)
		o, got := q.Options[0], "hidden"
		if o.Type == "ship" {
			got = fmt.Sprint(o.Price, " ", o.Merchant, " ", o.MinDelivery.Format("2006-01-02"))
			if !o.MaxDelivery.IsZero() {
				t.Errorf("case %d: null is the date %s", i, o.MaxDelivery)
			}
		}
		if got != c.want || q.Options[len(q.Options)-1].Price.String() != "9" {
			t.Errorf("case %d: got %s, want %s", i, got, c.want)
		}
	}
	if p.asked() != 1 {
		t.Errorf("the carrier was asked %d times", p.asked())
	}
	p.update(func(tx *world.Tx) error { tx.CarrierOptions.Delete(1); return nil })
	if q := p.quote(parcel()); names(q) != "Branch" || !strings.Contains(q.Calls[0].Hidden[0].Reason, "no such option") {
		t.Errorf("without the option: %+v", q)
	}
}

// TestTypesOfTheCarrier hides rates of a type that it has not.
func TestTypesOfTheCarrier(t *testing.T) {
	for kind, want := range map[string]string{"ship": "Standard", "pickup": "Branch"} {
		p := open(t)
		p.rates = array{ship(nil), pickup(nil)}
		p.update(func(tx *world.Tx) error {
			c := p.carrier
			c.Types = []string{kind}
			return tx.Carriers.Put(c.ID, c)
		})
		if got := names(p.quote(parcel())); got != want {
			t.Errorf("a carrier that can %s: %s", kind, got)
		}
	}
}

func TestRequireReference(t *testing.T) {
	p := open(t)
	p.rates = array{ship(object{"reference": "absent"}), pickup(object{"reference": nil}), pickup(object{"name": "With"})}
	p.desk.SetRules(carrier.Rules{RequireReference: true})
	q := p.quote(parcel())
	if names(q) != "With" || len(q.Calls[0].Hidden) != 2 || q.Calls[0].Hidden[0].Reason != "reference: must be a string" {
		t.Errorf("got %+v", q)
	}
	p.desk.SetRules(carrier.Rules{})
	if got := names(p.quote(parcel())); got != "Standard,Branch,With" {
		t.Errorf("without the rule: %s", got)
	}
}
