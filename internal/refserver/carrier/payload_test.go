package carrier_test

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func TestPayload(t *testing.T) {
	p := open(t)
	p.update(func(tx *world.Tx) error {
		o := p.standard
		o.AdditionalCost, o.AdditionalDays = amount("1500"), 3
		off := world.CarrierOption{ID: 3, CarrierID: 77, Code: "off", Name: "Off"}
		_ = tx.CarrierOptions.Put(3, off)
		return tx.CarrierOptions.Put(1, o)
	})
	c := parcel()
	c.Items = append(c.Items, carrier.Item{ID: 9, ProductID: 8, Name: "Pot", SKU: "P-1", Quantity: 1, FreeShipping: true, Price: amount("0.5"), Cost: decimal.NewNullDecimal(amount("0.25"))})
	p.quote(c)
	want := `{"cart_id":"1234567890","store_id":1001,"currency":"ARS","language":"es","total_price":40.50,` +
		`"origin":{"name":null,"location_id":"` + p.home.ID + `","address":"Main street","number":"1","floor":null,"locality":null,"city":"Springfield","province":"Central","country":"AR","postal_code":"1000","phone":null},` +
		`"destination":{"name":null,"address":"B","number":"2","floor":null,"locality":"N","city":"C","province":"P","country":"AR","postal_code":"1602","phone":null},` +
		`"items":[{"id":1,"product_id":2,"name":"Mug","sku":null,"quantity":2,"free_shipping":false,"grams":1000,"price":20.00,"cost":null,"dimensions":{"width":12.0,"height":10.5,"depth":10.0}},` +
		`{"id":9,"product_id":8,"name":"Pot","sku":"P-1","quantity":1,"free_shipping":true,"grams":0,"price":0.50,"cost":0.25,"dimensions":{"width":0.0,"height":0.0,"depth":0.0}}],` +
		`"carrier":{"id":"77","name":"Post","options":[{"id":"1","name":"Standard","code":"standard","allow_free_shipping":false,"additional_cost":{"amount":1500.00,"currency":"ARS"},"additional_days":3},` +
		`{"id":"2","name":"Branch","code":"branch","allow_free_shipping":false,"additional_cost":{"amount":0.00,"currency":"ARS"},"additional_days":0}]}}`
	if p.bodies[0] != want {
		t.Errorf("got  %s\nwant %s", p.bodies[0], want)
	}
	c.CartID, c.Language, c.To.Name = 0, "pt", "Ana"
	p.quote(c)
	var b object
	if err := json.Unmarshal([]byte(p.bodies[1]), &b); err != nil || b["cart_id"] != nil || b["language"] != "pt" || b["destination"].(object)["name"] != "Ana" {
		t.Errorf("got %s, %v", p.bodies[1], err)
	}
}

// sum is the MD5 of texts joined with colons.
func sum(parts ...string) string {
	h := md5.Sum([]byte(strings.Join(parts, ":")))
	return hex.EncodeToString(h[:])
}

// TestKey has the key of the contract's words, and what is part of it and what is not.
func TestKey(t *testing.T) {
	p := open(t)
	first := p.quote(parcel()).Calls[0].Key
	if want := sum("77", "", p.home.ID, "Main street", "1", "", "", "Springfield", "Central", "AR", "1000", "",
		"", "B", "2", "", "N", "C", "P", "AR", "1602", "", sum("1", "2", "1000", "12.0", "10.5", "10.0")); first != want {
		t.Errorf("key %s, want %s", first, want)
	}
	for name, c := range map[string]struct {
		change func(*carrier.Parcel)
		same   bool
	}{
		"nothing":           {func(*carrier.Parcel) {}, true},
		"cart":              {func(c *carrier.Parcel) { c.CartID = 7 }, true},
		"language":          {func(c *carrier.Parcel) { c.Language = "pt" }, true},
		"free shipping":     {func(c *carrier.Parcel) { c.FreeShipping = true }, true},
		"name of the item":  {func(c *carrier.Parcel) { c.Items[0].Name = "Cup" }, true},
		"SKU":               {func(c *carrier.Parcel) { c.Items[0].SKU = "S" }, true},
		"product":           {func(c *carrier.Parcel) { c.Items[0].ProductID = 3 }, true},
		"price":             {func(c *carrier.Parcel) { c.Items[0].Price = amount("21") }, true},
		"cost":              {func(c *carrier.Parcel) { c.Items[0].Cost.Valid = true }, true},
		"item free":         {func(c *carrier.Parcel) { c.Items[0].FreeShipping = true }, true},
		"width written so":  {func(c *carrier.Parcel) { c.Items[0].Width = amount("12.000") }, true},
		"item":              {func(c *carrier.Parcel) { c.Items[0].ID = 2 }, false},
		"quantity":          {func(c *carrier.Parcel) { c.Items[0].Quantity = 3 }, false},
		"grams":             {func(c *carrier.Parcel) { c.Items[0].Grams = 1001 }, false},
		"width":             {func(c *carrier.Parcel) { c.Items[0].Width = amount("12.001") }, false},
		"height":            {func(c *carrier.Parcel) { c.Items[0].Height = amount("1") }, false},
		"depth":             {func(c *carrier.Parcel) { c.Items[0].Depth = amount("1") }, false},
		"one more item":     {func(c *carrier.Parcel) { c.Items = append(c.Items, c.Items[0]) }, false},
		"name":              {func(c *carrier.Parcel) { c.To.Name = "x" }, false},
		"address":           {func(c *carrier.Parcel) { c.To.Address = "x" }, false},
		"number":            {func(c *carrier.Parcel) { c.To.Number = "x" }, false},
		"floor":             {func(c *carrier.Parcel) { c.To.Floor = "x" }, false},
		"locality":          {func(c *carrier.Parcel) { c.To.Locality = "x" }, false},
		"city":              {func(c *carrier.Parcel) { c.To.City = "x" }, false},
		"province":          {func(c *carrier.Parcel) { c.To.Province = "x" }, false},
		"country":           {func(c *carrier.Parcel) { c.To.Country = "x" }, false},
		"postal code":       {func(c *carrier.Parcel) { c.To.PostalCode = "x" }, false},
		"phone":             {func(c *carrier.Parcel) { c.To.Phone = "x" }, false},
		"another origin":    {func(c *carrier.Parcel) { c.Items[0].Location = p.warehouse() }, false},
		"its first by name": {func(c *carrier.Parcel) { c.Items[0].Location = p.home.ID }, true},
	} {
		got := parcel()
		c.change(&got)
		before := p.asked()
		call := p.quote(got).Calls[0]
		hit := call.Source == carrier.Cached
		if (call.Key == first) != c.same || hit != c.same || (p.asked() == before) != c.same {
			t.Errorf("%s: the key is %s and the source %s, want the same: %t", name, call.Key, call.Source, c.same)
		}
	}
}

// warehouse is another location.
func (p *post) warehouse() string {
	p.Helper()
	const id = "01HZZZZZZZZZZZZZZZZZZZZZZZ"
	p.update(func(tx *world.Tx) error {
		l := p.home
		l.ID, l.Priority = id, 1
		return tx.Locations.Put(id, l)
	})
	return id
}

// TestOrigins sends one request per origin, and shows the options of each.
func TestOrigins(t *testing.T) {
	p := open(t)
	there := p.warehouse()
	c := parcel()
	far := c.Items[0]
	far.ID, far.Location = 2, there
	c.Items = append(c.Items, far, c.Items[0])
	q := p.quote(c)
	if p.asked() != 2 || len(q.Calls) != 2 || q.Calls[0].Location != p.home.ID || q.Calls[1].Location != there {
		t.Fatalf("%d requests, calls %+v", p.asked(), q.Calls)
	}
	if len(q.Options) != 2 || q.Options[0].Location != p.home.ID || q.Options[1].Location != there {
		t.Errorf("options %+v", q.Options)
	}
	for i, items := range []int{2, 1} {
		var body struct {
			Items []json.RawMessage `json:"items"`
		}
		if err := json.Unmarshal(q.Calls[i].Request, &body); err != nil || len(body.Items) != items {
			t.Errorf("request %d has %d items, want %d", i, len(body.Items), items)
		}
	}
}

func TestImpossibleParcels(t *testing.T) {
	p := open(t)
	for want, change := range map[string]func(*carrier.Parcel){
		"items: must have at least one":                  func(c *carrier.Parcel) { c.Items = nil },
		`items[0].location "none" does not exist`:        func(c *carrier.Parcel) { c.Items[0].Location = "none" },
		"items[0].quantity 0: must be 1 or more":         func(c *carrier.Parcel) { c.Items[0].Quantity = 0 },
		"items[0]: price, weight and dimensions must be": func(c *carrier.Parcel) { c.Items[0].Grams = -1 },
	} {
		c := parcel()
		change(&c)
		if _, err := p.desk.Quote(t.Context(), p.store.ID, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if p.asked() != 0 || len(p.desk.Calls()) != 0 {
		t.Errorf("the carrier was asked %d times", p.asked())
	}
}
