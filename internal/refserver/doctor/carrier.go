package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// The option that a carrier gets if the app has added none at the endpoint.
const usualCode = "standard"

// carrier is an endpoint for rates.
type carrier struct {
	id      int64
	country string
	grams   int64 // of the last parcel: another weight is another request
	width   string
	quote   quoteJSON
	all     []quoteJSON
}

func (*carrier) limit() time.Duration { return world.Contract().RateTimeout }

// foreign reports calls of other carriers at the origin.
func (*carrier) foreign(e *exam, at *url.URL) bool { return at.Path != e.to.Path }

func (*carrier) signs(*exam) bool { return false }

func (*carrier) sign(e *exam, like exchange, body []byte) (http.Header, bool) {
	return resigned(e, like, body), true
}

// prepare finds the carrier of the endpoint, or adds one, and has the platform require references.
func (c *carrier) prepare(ctx context.Context, e *exam) error {
	stores, err := all[struct {
		ID      int64  `json:"id"`
		Country string `json:"country"`
	}](ctx, e.platform, "stores")
	if err != nil {
		return err
	}
	for _, s := range stores {
		if s.ID == e.platform.store {
			c.country = s.Country
		}
	}
	known, err := all[struct {
		ID  int64  `json:"id"`
		URL string `json:"rates_url"`
	}](ctx, e.platform, e.platform.in("entities/carriers"))
	if err != nil {
		return err
	}
	for _, k := range known {
		if k.URL == e.address() {
			c.id = k.ID
		}
	}
	if c.id == 0 {
		if c.id, err = e.addCarrier(ctx, object{"callback_url": e.address()}); err != nil {
			return err
		}
	}
	if err := e.keep(ctx, "shipping-rules"); err != nil {
		return err
	}
	// The platform must not answer from its cache what an examination asked a moment before.
	c.grams, c.width = 200+rand.Int64N(1000), fmt.Sprintf("12.%02d", rand.IntN(100))
	return e.platform.put(ctx, "shipping-rules", object{"require_reference": true})
}

// addCarrier adds a carrier with addresses, until the end.
func (e *exam) addCarrier(ctx context.Context, with object) (int64, error) {
	with["name"], with["types"] = "Doctor", "ship,pickup"
	raw, err := e.platform.act(ctx, http.MethodPost, "/shipping_carriers", with)
	if err != nil {
		return 0, err
	}
	var id int64
	if err := json.Unmarshal(raw, &id); err != nil {
		return 0, err
	}
	e.restore = append(e.restore, func(ctx context.Context) error {
		_, err := e.platform.act(ctx, http.MethodDelete, fmt.Sprintf("/shipping_carriers/%d", id), nil)
		return err
	})
	_, err = e.platform.act(ctx, http.MethodPost, fmt.Sprintf("/shipping_carriers/%d/options", id),
		object{"code": usualCode, "name": "Doctor's option"})
	return id, err
}

// quoteJSON is what buyers see, and the call to the carrier.
type quoteJSON struct {
	Options []struct {
		Carrier int64      `json:"carrier"`
		Code    string     `json:"code"`
		From    *time.Time `json:"min_delivery"`
		To      *time.Time `json:"max_delivery"`
	} `json:"options"`
	Calls []rateCallJSON `json:"calls"`
}

type rateCallJSON struct {
	Carrier int64   `json:"carrier"`
	Status  int     `json:"status"`
	Late    bool    `json:"late"`
	MS      float64 `json:"ms"`
	Healthy bool    `json:"healthy"`
	Reason  string  `json:"reason"`
	Hidden  []struct {
		Index int    `json:"index"`
		Code  string `json:"code"`
		Why   string `json:"why"`
	} `json:"hidden"`
}

// ask has the platform ask for rates, and returns its verdict.
func (c *carrier) ask(ctx context.Context, e *exam, to object, grams int64) (verdict, error) {
	parcel := object{"to": to, "items": []object{{
		"id": 1, "product": 1, "name": "Pot", "sku": "POT", "quantity": 1, "grams": grams, "price": "40.00",
		"width": c.width, "height": "10", "depth": "10",
	}}}
	c.quote = quoteJSON{}
	if err := e.platform.Call(ctx, http.MethodPost, e.platform.in("quotes"), parcel, &c.quote); err != nil {
		return verdict{}, err
	}
	at := slices.IndexFunc(c.quote.Calls, func(r rateCallJSON) bool { return r.Carrier == c.id })
	if at < 0 {
		return verdict{}, errNothing
	}
	parcels := fmt.Sprintf(`"grams":%d,`, grams)
	x, arrived := e.relay.find(ctx, func(x exchange) bool { return contains(x.body, parcels) })
	if !arrived {
		return verdict{}, errNothing
	}
	c.all = append(c.all, c.quote)
	r := c.quote.Calls[at]
	return verdict{
		status: r.Status, accepted: r.Healthy, late: r.Late, says: r.Reason,
		took: time.Duration(r.MS * float64(time.Millisecond)), ex: x,
	}, nil
}

func (c *carrier) call(ctx context.Context, e *exam) (verdict, error) {
	c.grams++
	to := object{
		"name": "Ana", "address": "Mitre", "number": "1200", "city": "Rosario", "country": c.country, "postal_code": "2000",
	}
	return c.ask(ctx, e, to, c.grams)
}
