package doctor

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
)

// goods is how many products a cart has at most.
const goods = 4

// discounts is an endpoint for carts.
type discounts struct {
	variants []int64
	cart     int64
	lines    []lineJSON
	runs     []runJSON // all that the endpoint answered
	full     []byte    // a genuine cart with all products
}

func (*discounts) limit() time.Duration { return shop.Timeout }

func (*discounts) signs(e *exam) bool { return e.o.Secret != "" }

func (*discounts) sign(e *exam, like exchange, body []byte) (http.Header, bool) {
	return resigned(e, like, body), true
}

type promotionJSON struct {
	App int64 `json:"app_id"`
}

// prepare has the app sent carts of both tiers, if it is sent none yet, and fills a cart.
func (d *discounts) prepare(ctx context.Context, e *exam) error {
	if d.signs(e) {
		if err := e.keep(ctx, e.platform.in("storefront")); err != nil {
			return err
		}
		if err := e.platform.put(ctx, e.platform.in("storefront"), object{"signed": true}); err != nil {
			return err
		}
	}
	promotions, err := all[promotionJSON](ctx, e.platform, e.platform.in("entities/promotions"))
	if err != nil {
		return err
	}
	promotions = slices.DeleteFunc(promotions, func(p promotionJSON) bool { return p.App != e.platform.app })
	for _, tier := range []string{"line_item", "cross_items"} {
		if len(promotions) > 0 {
			break
		}
		body := object{"name": "Doctor's " + tier, "allocation_type": tier}
		if _, err := e.platform.act(ctx, http.MethodPost, "/promotions", body); err != nil {
			return err
		}
	}
	if err := d.callback(ctx, e); err != nil {
		return err
	}
	if d.variants, err = e.variants(ctx); err != nil {
		return err
	}
	if d.cart, err = e.newCart(ctx); err != nil {
		return err
	}
	_, err = d.change(ctx, e, d.cart, "add", object{"variant": d.variants[0], "quantity": 1})
	return err
}

// callback sets where carts are sent, until the end.
func (d *discounts) callback(ctx context.Context, e *exam) error {
	type set struct {
		App int64  `json:"app_id"`
		URL string `json:"url"`
	}
	known, err := all[set](ctx, e.platform, e.platform.in("entities/discount_callbacks"))
	if err != nil {
		return err
	}
	for _, k := range known {
		if k.App != 0 && k.App != e.platform.app {
			continue
		}
		if k.URL == e.address() {
			return nil
		}
		e.restore = append(e.restore, func(ctx context.Context) error {
			_, err := e.platform.act(ctx, http.MethodPut, "/discounts/callbacks", object{"url": k.URL})
			return err
		})
	}
	_, err = e.platform.act(ctx, http.MethodPut, "/discounts/callbacks", object{"url": e.address()})
	return err
}

// variants are those of some products of the store, the first of each. A store without products gets one.
func (e *exam) variants(ctx context.Context) ([]int64, error) {
	type variant struct {
		ID      int64 `json:"id"`
		Product int64 `json:"product_id"`
	}
	known, err := all[variant](ctx, e.platform, e.platform.in("entities/variants"))
	if err != nil {
		return nil, err
	}
	if len(known) == 0 {
		body := object{"name": object{"en": "Pot"}, "variants": []object{{"price": "40.00"}}}
		if _, err = e.platform.act(ctx, http.MethodPost, "/products", body); err == nil {
			known, err = all[variant](ctx, e.platform, e.platform.in("entities/variants"))
		}
	}
	var out []int64
	seen := map[int64]bool{}
	for _, v := range known {
		if !seen[v.Product] && len(out) < goods {
			out = append(out, v.ID)
		}
		seen[v.Product] = true
	}
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("the store has no product: %w", ErrOptions)
	}
	return out, err
}

func (e *exam) newCart(ctx context.Context) (int64, error) {
	var made struct {
		ID int64 `json:"id"`
	}
	err := e.platform.Call(ctx, http.MethodPost, e.platform.in("carts"), object{}, &made)
	return made.ID, err
}

// changeJSON is what came of a change of a cart.
type changeJSON struct {
	Cart cartJSON  `json:"cart"`
	Runs []runJSON `json:"runs"`
}

type cartJSON struct {
	Lines     []lineJSON     `json:"lines"`
	Discounts []discountJSON `json:"discounts"`
}

type lineJSON struct {
	ID       int64 `json:"id"`
	Variant  int64 `json:"variant"`
	Quantity int64 `json:"quantity"`
}

type discountJSON struct {
	App       int64  `json:"app"`
	Promotion string `json:"promotion"`
	Line      int64  `json:"line"`
	Amount    string `json:"amount"`
}

// runJSON is a cart that was sent, with the platform's judgement of the answer.
type runJSON struct {
	App      int64   `json:"app"`
	Tier     string  `json:"tier"`
	Status   int     `json:"status"`
	Late     bool    `json:"late"`
	MS       float64 `json:"ms"`
	Outcome  string  `json:"outcome"`
	Reason   string  `json:"reason"`
	Commands []struct {
		Valid bool   `json:"valid"`
		Error string `json:"error"`
	} `json:"commands"`
}

// change changes a cart, and has it sent once more if an answer was late, because it changed nothing then.
func (d *discounts) change(ctx context.Context, e *exam, cart int64, what string, body object) (changeJSON, error) {
	made, err := d.changed(ctx, e, cart, what, body)
	if err == nil && slices.ContainsFunc(made.Runs, func(r runJSON) bool { return r.Late }) {
		made, err = d.changed(ctx, e, cart, "replay", object{})
	}
	return made, err
}

// changed changes a cart. The runs of other apps are left out.
func (d *discounts) changed(ctx context.Context, e *exam, cart int64, what string, body object) (changeJSON, error) {
	var made changeJSON
	err := e.platform.Call(ctx, http.MethodPost, e.platform.in("carts/%d/%s", cart, what), body, &made)
	made.Runs = slices.DeleteFunc(made.Runs, func(r runJSON) bool { return r.App != e.platform.app })
	d.runs = append(d.runs, made.Runs...)
	return made, err
}

// sent is the last call about a cart.
func (d *discounts) sent(ctx context.Context, e *exam, cart int64) (exchange, bool) {
	own := fmt.Sprintf(`"cart_id":"%d"`, cart)
	return e.relay.find(ctx, func(x exchange) bool { return contains(x.body, own) })
}

func (d *discounts) call(ctx context.Context, e *exam) (verdict, error) {
	made, err := d.change(ctx, e, d.cart, "replay", object{})
	if err != nil {
		return verdict{}, err
	}
	if len(made.Runs) == 0 {
		return verdict{}, errNothing
	}
	x, arrived := d.sent(ctx, e, d.cart)
	if !arrived {
		return verdict{}, errNothing
	}
	v := verdict{accepted: true, ex: x}
	for _, r := range made.Runs {
		v.took = max(v.took, time.Duration(r.MS*float64(time.Millisecond)))
		v.late = v.late || r.Late
		if ok := r.Status == http.StatusOK || r.Status == http.StatusNoContent; v.accepted || !ok {
			v.status, v.says, v.accepted = r.Status, r.Reason, ok
		}
	}
	return v, nil
}
