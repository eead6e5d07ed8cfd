package shipping

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
)

var day = time.Date(2016, 7, 14, 14, 48, 45, 0, time.FixedZone("", -3*60*60))

func goodOffer() Offer {
	return Offer{Code: "standard", Name: "Estándar", Price: client.MustMoney("14.15"), Currency: "ARS", MinDelivery: day, MaxDelivery: day.AddDate(0, 0, 3), Reference: "ref123"}
}

func goodPoint() Point {
	return Point{
		Address: Address{Address: "A", Number: "3", City: "L", Country: "AR", Latitude: "12", Longitude: "-12.5"},
		Hours:   []Hours{{time.Monday, "0900", "1800"}},
	}
}

func TestRatesAreWritten(t *testing.T) {
	door, err := DoorRate(goodOffer())
	if err != nil {
		t.Fatal(err)
	}
	o := goodOffer()
	o.Reference, o.MinDelivery, o.MaxDelivery, o.AcceptsCOD, o.PhoneRequired, o.PriceMerchant = "", time.Time{}, time.Time{}, client.Set(false), true, client.Set(client.MustMoney("14.15"))
	p := goodPoint()
	p.Hours, p.Availability = append(p.Hours, Hours{time.Saturday, "2200", "0200"}, Hours{time.Sunday, "2200", "0000"}), client.Set(false)
	point, err := PickupRate(o, p)
	if err != nil {
		t.Fatal(err)
	}
	req := read(t, document(t, "rate_request"))
	body, err := req.Encode([]Rate{door, point})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"rates":[` +
		`{"name":"Estándar","code":"standard","price":14.15,"price_merchant":14.15,"currency":"ARS","type":"ship","min_delivery_date":"2016-07-14T14:48:45-0300","max_delivery_date":"2016-07-17T14:48:45-0300","id_required":false,"phone_required":false,"accepts_cod":true,"reference":"ref123"},` +
		`{"name":"Estándar","code":"standard","price":14.15,"price_merchant":14.15,"currency":"ARS","type":"pickup","id_required":false,"phone_required":true,"accepts_cod":false,"reference":"standard",` +
		`"address":{"address":"A","number":"3","floor":null,"locality":null,"city":"L","province":null,"country":"AR","phone":null,"zipcode":null,"latitude":"12","longitude":"-12.5"},` +
		`"hours":[{"day":1,"start":"0900","end":"1800"},{"day":6,"start":"2200","end":"2359"},{"day":0,"start":"0000","end":"0200"},{"day":0,"start":"2200","end":"2359"}],"availability":false}]}`
	if string(body) != want {
		t.Errorf("got  %s\nwant %s", body, want)
	}
	if err := Validate(req, body); err != nil {
		t.Error(err)
	}
	if door.Type() != carriers.TypeToDoor || point.Type() != carriers.TypeToPickup || door.Code() != "standard" || door.Price().String() != "14.15" {
		t.Errorf("%v, %v", door, point)
	}
	if _, err := json.Marshal(Rate{}); err == nil {
		t.Error("the zero rate was written")
	}
}

func TestInvalidRatesCannotBeBuilt(t *testing.T) {
	minus := client.MustMoney("-0.01")
	for want, change := range map[string]func(*Offer, *Point){
		`code: ""`:                            func(o *Offer, _ *Point) { o.Code = "" },
		`code: "a\nb"`:                        func(o *Offer, _ *Point) { o.Code = "a\nb" },
		`name: " "`:                           func(o *Offer, _ *Point) { o.Name = " " },
		`name: "\xff"`:                        func(o *Offer, _ *Point) { o.Name = "\xff" },
		`price: "-0.01"`:                      func(o *Offer, _ *Point) { o.Price = minus },
		`price: "10000000000000000.00"`:       func(o *Offer, _ *Point) { o.Price = client.Cents(1e18) },
		`price_merchant: "-0.01"`:             func(o *Offer, _ *Point) { o.PriceMerchant = client.Set(minus) },
		`price_merchant: "0.00"`:              func(o *Offer, _ *Point) { o.PriceMerchant = client.Null[client.Money]() },
		`currency: "ars"`:                     func(o *Offer, _ *Point) { o.Currency = "ars" },
		`currency: "XYZ"`:                     func(o *Offer, _ *Point) { o.Currency = "XYZ" },
		`currency: "S A"`:                     func(o *Offer, _ *Point) { o.Currency = "S A" },
		`currency: ""`:                        func(o *Offer, _ *Point) { o.Currency = "" },
		"must be min_delivery_date or later":  func(o *Offer, _ *Point) { o.MaxDelivery = o.MinDelivery.Add(-1) },
		"min_delivery_date: \"10000":          func(o *Offer, _ *Point) { o.MinDelivery = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
		"max_delivery_date: \"0001":           func(o *Offer, _ *Point) { o.MaxDelivery = time.Time{}.Add(1) },
		"max_delivery_date: \"2016":           func(o *Offer, _ *Point) { o.MaxDelivery = day.In(time.FixedZone("", 90)) },
		"accepts_cod":                         func(o *Offer, _ *Point) { o.AcceptsCOD = client.Null[bool]() },
		`reference: "\x00"`:                   func(o *Offer, _ *Point) { o.Reference = "\x00" },
		"availability":                        func(_ *Offer, p *Point) { p.Availability = client.Null[bool]() },
		"address.address":                     func(_ *Offer, p *Point) { p.Address = Address{} },
		`address.city: "\t"`:                  func(_ *Offer, p *Point) { p.Address.City = "\t" },
		`address.country: "Argentina"`:        func(_ *Offer, p *Point) { p.Address.Country = "Argentina" },
		"must be a longitude with a latitude": func(_ *Offer, p *Point) { p.Address.Longitude = "" },
		`address.latitude: "90.1"`:            func(_ *Offer, p *Point) { p.Address.Latitude = "90.1" },
		`address.latitude: "1e1"`:             func(_ *Offer, p *Point) { p.Address.Latitude = "1e1" },
		`address.longitude: "180.5"`:          func(_ *Offer, p *Point) { p.Address.Longitude = "180.5" },
		`address.longitude: "12,5"`:           func(_ *Offer, p *Point) { p.Address.Longitude = "12,5" },
		`hours: "0"`:                          func(_ *Offer, p *Point) { p.Hours = nil },
		`hours[0].day: "7"`:                   func(_ *Offer, p *Point) { p.Hours[0].Day = 7 },
		`hours[0].day: "-1"`:                  func(_ *Offer, p *Point) { p.Hours[0].Day = -1 },
		`hours[0].start: "9:00"`:              func(_ *Offer, p *Point) { p.Hours[0].Start = "9:00" },
		`hours[0].end: "2400"`:                func(_ *Offer, p *Point) { p.Hours[0].End = "2400" },
		`hours[0].end: "1860"`:                func(_ *Offer, p *Point) { p.Hours[0].End = "1860" },
		"must be another time than start":     func(_ *Offer, p *Point) { p.Hours[0].End = p.Hours[0].Start },
		"the last minute of a day":            func(_ *Offer, p *Point) { p.Hours[0] = Hours{time.Friday, "2359", "0000"} },
	} {
		o, p := goodOffer(), goodPoint()
		change(&o, &p)
		r, err := PickupRate(o, p)
		if err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, client.ErrValidation) {
			t.Errorf("got %v, %v, want …%s…", r, err, want)
		}
		if r.Type() != "" {
			t.Errorf("%s: a rate beside the error", want)
		}
	}
}

func TestEncodeLeavesOut(t *testing.T) {
	req := read(t, document(t, "rate_request"))
	point, err := PickupRate(goodOffer(), goodPoint())
	if err != nil {
		t.Fatal(err)
	}
	o := goodOffer()
	o.PriceMerchant = client.Set(client.MustMoney("9.00"))
	cheaper, err := DoorRate(o)
	if err != nil {
		t.Fatal(err)
	}
	points := make([]Rate, 11)
	for i := range points {
		points[i] = point
	}
	for _, v := range []struct {
		name  string
		free  bool
		rates []Rate
		kept  int
		want  string
	}{
		{"the same code twice", true, []Rate{ship(t, "standard"), ship(t, "standard"), ship(t, "express")}, 2, "rates[1].code"},
		{"pickup beside ship", true, []Rate{ship(t, "standard"), point, point}, 3, ""},
		{"eleven points", true, points, 10, "rates[10].code"},
		{"the zero rate", true, []Rate{{}, point}, 1, "rates[0].type"},
		{"nothing but the zero rate", true, []Rate{{}}, 0, "rates[0].type"},
		{"another price of the merchant", false, []Rate{cheaper, point}, 1, "rates[0].price_merchant"},
		{"another price of the merchant, with free shipping", true, []Rate{cheaper, point}, 2, ""},
		{"no rates", true, nil, 0, ""},
	} {
		req.Items[1].FreeShipping = v.free
		body, err := req.Encode(v.rates)
		if (err == nil) != (v.want == "") || err != nil && (!errors.Is(err, ErrDropped) || !strings.Contains(err.Error(), v.want)) {
			t.Errorf("%s: got %v, want …%s…", v.name, err, v.want)
		}
		if got := strings.Count(string(body), `"code"`); got != v.kept {
			t.Errorf("%s: %d rates, want %d: %s", v.name, got, v.kept, body)
		}
		if body != nil {
			if err := Validate(req, body); err != nil {
				t.Errorf("%s: %v", v.name, err)
			}
		}
	}
}

func TestValidateRefuses(t *testing.T) {
	req := read(t, with(t, "items.1.free_shipping", false))
	const door = `"name":"N","code":"c","price":14.15,"currency":"ARS","type":"ship","reference":"r"`
	const point = `"name":"N","code":"c","price":14.15,"currency":"ARS","type":"pickup","reference":"r","address":{"address":"A"},"hours":[{"day":1,"start":"0900","end":"1800"}]`
	for _, good := range []string{door, point, door + `,"min_delivery_date":null,"price_merchant":14.150`, point + `,"availability":true`,
		door + `,"min_delivery_date":"2016-07-14T00:00:00-0300","max_delivery_date":"2016-07-14T00:00:00-0300"`,
		strings.Replace(point, `"A"`, `"A","latitude":"-90","longitude":"180.0","country":"AZ"`, 1),
		strings.Replace(point, `"A"`, `"A","latitude":null,"longitude":null,"country":null`, 1),
		strings.Replace(point, `[{"day":1,"start":"0900","end":"1800"}]`, `[{"day":0,"start":"0000","end":"0001"},{"day":6,"start":"2358","end":"2359"}]`, 1)} {
		if err := Validate(req, []byte(`{"rates":[{`+good+`}]}`)); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, v := range []struct{ of, from, to, want string }{
		{door, `"name":"N",`, ``, `rates[0].name: "absent"`},
		{door, `"N"`, `null`, "rates[0].name"},
		{door, `"N"`, `""`, "not empty"},
		{door, `"N"`, `"\u0007"`, "control characters"},
		{door, `"code":"c",`, ``, "rates[0].code"},
		{door, `14.15`, `"14.15"`, "rates[0].price"},
		{door, `14.15`, `-1`, "rates[0].price"},
		{door, `14.15`, `-0.0`, "rates[0].price"},
		{door, `14.15`, `1e2`, "rates[0].price"},
		{door, `14.15`, `14.15,"price_merchant":9`, "rates[0].price_merchant"},
		{door, `"ARS"`, `"Ars"`, "rates[0].currency"},
		{door, `"ARS"`, `"XYZ"`, "rates[0].currency"},
		{door, `"ARS"`, `"AR"`, "rates[0].currency"},
		{door, `"ARS"`, `"ARS "`, "rates[0].currency"},
		{door, `"ARS"`, `7`, "rates[0].currency"},
		{door, `14.15`, `14.15,"price_merchant":"14.15"`, "rates[0].price_merchant"},
		{door, `"N"`, `"a\u0085b"`, "rates[0].name"},
		{door, `"N"`, `"a\u007fb"`, "rates[0].name"},
		{door, `"N"`, `"  "`, "rates[0].name"},
		{door, `"r"`, `"r","id_required":1`, "rates[0].id_required"},
		{door, `"r"`, `"r","max_delivery_date":"1969-12-31T23:59:59+0000"`, "rates[0].max_delivery_date"},
		{door, `"r"`, `"r","max_delivery_date":7`, "rates[0].max_delivery_date"},
		{door, `"ship"`, `"both"`, "rates[0].type"},
		{door, `"r"`, `null`, "rates[0].reference"},
		{door, `,"reference":"r"`, ``, "rates[0].reference"},
		{door, `"r"`, `"r","address":{}`, "rates[0].address"},
		{door, `"r"`, `"r","availability":true`, "rates[0].availability"},
		{door, `"r"`, `"r","accepts_cod":null`, "rates[0].accepts_cod"},
		{door, `"r"`, `"r","min_delivery_date":"2016-07-14"`, "ISO 8601"},
		{door, `"r"`, `"r","min_delivery_date":"2016-07-15T00:00:00-0300","max_delivery_date":"2016-07-15T00:00:00+0000"`, "min_delivery_date or later"},
		{door, `"r"`, `"r","reference":"s"`, "each member once"},
		{point, `"address":{"address":"A"},`, ``, "rates[0].address"},
		{point, `{"address":"A"}`, `{}`, "rates[0].address.address"},
		{point, `"A"`, `"A","latitude":12,"longitude":1`, "rates[0].address"},
		{point, `"A"`, `"A","latitude":"12"`, "both latitude and longitude"},
		{point, `"A"`, `"A","latitude":"NaN","longitude":"1"`, "latitude"},
		{point, `"A"`, `"A","latitude":"91","longitude":"1"`, "latitude"},
		{point, `"A"`, `"A","latitude":"-90.1","longitude":"1"`, "latitude"},
		{point, `"A"`, `"A","latitude":"1e1","longitude":"1"`, "latitude"},
		{point, `"A"`, `"A","latitude":"x","longitude":"1"`, "latitude"},
		{point, `"A"`, `"A","latitude":"1","longitude":"180.1"`, "longitude"},
		{point, `"A"`, `"A","country":"arg"`, "country"},
		{point, `"A"`, `"A","country":"a1"`, "country"},
		{point, `"A"`, `"A","country":"@A"`, "country"},
		{point, `"A"`, `"A","country":"[A"`, "country"},
		{point, `"A"`, `"A","country":"A@"`, "country"},
		{point, `"A"`, `"A","country":"A["`, "country"},
		{point, `"A"`, `"A","city":7`, "rates[0].address.city"},
		{point, `{"address":"A"}`, `null`, "rates[0].address"},
		{point, `{"address":"A"}`, `{"address":"A","address":"B"}`, "each member once"},
		{point, `[{"day":1,"start":"0900","end":"1800"}]`, `{}`, "rates[0].hours"},
		{point, `{"day":1,"start":"0900","end":"1800"}`, `null`, "rates[0].hours[0]"},
		{point, `"day":1`, `"day":1,"x":1`, "rates[0].hours[0].x"},
		{point, `"day":1`, `"day":10`, "rates[0].hours[0].day"},
		{point, `"day":1,`, ``, "rates[0].hours[0].day"},
		{point, `"0900"`, `"09:00"`, "rates[0].hours[0].start"},
		{point, `"A"`, `"A","x":1`, "rates[0].address.x"},
		{point, `[{"day":1,"start":"0900","end":"1800"}]`, `[]`, "rates[0].hours"},
		{point, `"day":1`, `"day":7`, "rates[0].hours[0].day"},
		{point, `"day":1`, `"day":"1"`, "rates[0].hours[0].day"},
		{point, `"day":1`, `"day":1.0`, "rates[0].hours[0].day"},
		{point, `"0900"`, `"900"`, "rates[0].hours[0].start"},
		{point, `"0900"`, `900`, "rates[0].hours[0].start"},
		{point, `"1800"`, `"0900"`, "after start"},
		{point, `"1800"`, `"2460"`, "rates[0].hours[0].end"},
	} {
		body := `{"rates":[{` + strings.Replace(v.of, v.from, v.to, 1) + `}]}`
		if err := Validate(req, []byte(body)); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%s: got %v, want …%s…", body, err, v.want)
		}
	}
	for _, body := range []string{``, `null`, `[]`, `{}`, `{"rates":[]}`, `{"rates":null}`, `{"rates":{}}`, `{"rates":[null]}`, `{"rates":[{` + door + `}],"x":1}`,
		`{"rates":[{` + door + `}]}x`, "{\"rates\":[{\"name\":\"\xff\"}]}", `{"rates":[{` + door + `},{` + door + `}]}`,
		`{"rates":[7]}`, `{"rates":[{` + point + strings.Repeat(`},{`+point, 10) + `}]}`, `{"rates":[{` + door + `}],"rates":[]}`, `{"rates":[{` + door + `}]`} {
		if err := Validate(req, []byte(body)); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: got %v", body, err)
		}
	}
}
