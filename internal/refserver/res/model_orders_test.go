package res_test

import (
	"net/http"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// sold is an order of the model.
type sold struct {
	id                        int64
	status, payment, shipping string
	claimed                   int // pieces that it took from stock
}

// till is the model of the orders of a store, all of one variant.
type till struct {
	*play
	orders  []*sold
	stock   int
	variant int64
	product string
	// touched is the order that was changed last.
	touched *sold
}

func (m *till) buy(t *rapid.T) {
	n, claim, payment := rapid.IntRange(1, 4).Draw(t, "quantity"), rapid.Bool().Draw(t, "claim"), pick(m.play, "payment", "pending", "paid")
	body := object{"products": array{object{"variant_id": m.variant, "quantity": n}}, "payment_status": payment, "shipping_pickup_type": "ship"}
	o := &sold{status: "open", payment: payment, shipping: "unpacked"}
	if claim {
		body["inventory_behaviour"] = "claim"
		o.claimed = n
	}
	refused := claim && n > m.stock
	made := m.want(status(refused, http.StatusCreated), "POST /orders", body)
	if !refused {
		o.id = id(made)
		m.stock -= o.claimed
		m.orders, m.touched = append(m.orders, o), o
	}
}

// act plays something that happens to an order, which allowed lets happen and change
// does to the model.
func (m *till) act(call func(o *sold) (call string, body any, allowed bool), change func(o *sold)) func(*rapid.T) {
	return func(t *rapid.T) {
		if len(m.orders) == 0 {
			t.Skip("there is no order yet: rapid draws another step")
		}
		o := pick(m.play, "order", m.orders...)
		words, body, allowed := call(o)
		m.want(status(!allowed, http.StatusOK), words, body)
		if allowed {
			m.touched = o
			change(o)
		}
	}
}

// post is an act with a path of its own.
func (m *till) post(act string, allowed func(o *sold) bool, change func(o *sold)) func(*rapid.T) {
	return m.act(func(o *sold) (string, any, bool) { return path("POST /orders/%d/%s", o.id, act), nil, allowed(o) }, change)
}

func (m *till) cancel(t *rapid.T) {
	body, back := any(nil), true
	if rapid.Bool().Draw(t, "with a body") {
		back = rapid.Bool().Draw(t, "restock")
		body = object{"reason": "customer", "restock": back}
	}
	m.act(func(o *sold) (string, any, bool) {
		return path("POST /orders/%d/cancel", o.id), body, o.status != "cancelled"
	}, func(o *sold) {
		if o.status = "cancelled"; back {
			m.stock, o.claimed = m.stock+o.claimed, 0
		}
	})(t)
}

// put names the status that an order is to have. Naming the one it has changes nothing.
func (m *till) put(t *rapid.T) {
	to := pick(m.play, "status", "open", "closed", "cancelled", "paid", "lost")
	m.act(func(o *sold) (string, any, bool) {
		allowed := to == o.status
		switch to {
		case "open":
			allowed = allowed || o.status == "closed"
		case "closed":
			allowed = allowed || o.status == "open"
		case "cancelled":
			allowed = true
		case "paid":
			allowed = o.payment == "pending" && o.status != "cancelled"
		}
		return path("PUT /orders/%d", o.id), object{"status": to}, allowed
	}, func(o *sold) {
		switch {
		case to == "paid":
			o.payment = "paid"
		case to == "cancelled" && o.status != to:
			m.stock, o.claimed, o.status = m.stock+o.claimed, 0, to
		default:
			o.status = to
		}
	})(t)
}

// audit compares all orders.
func (m *till) audit(*rapid.T) {
	for _, o := range m.orders {
		m.compareOrder(o)
	}
}

func (m *till) compare(*rapid.T) {
	if m.touched != nil {
		m.compareOrder(m.touched)
	}
	var variant struct {
		Stock int `json:"stock"`
	}
	m.get(m.product, &variant)
	m.equal("stock", variant.Stock, m.stock)
}

func (m *till) compareOrder(o *sold) {
	var got struct {
		Status       string  `json:"status"`
		Payment      string  `json:"payment_status"`
		Shipping     string  `json:"shipping_status"`
		PaidAt       *string `json:"paid_at"`
		ClosedAt     *string `json:"closed_at"`
		CancelledAt  *string `json:"cancelled_at"`
		ShippedAt    *string `json:"shipped_at"`
		CancelReason *string `json:"cancel_reason"`
	}
	m.get(path("/orders/%d", o.id), &got)
	m.equal(path("order %d", o.id), []string{got.Status, got.Payment, got.Shipping}, []string{o.status, o.payment, o.shipping})
	m.equal("paid_at is there", got.PaidAt != nil, o.payment == "paid")
	m.equal("cancelled_at is there", got.CancelledAt != nil, o.status == "cancelled")
	m.equal("cancel_reason is there", got.CancelReason != nil, o.status == "cancelled")
	m.equal("shipped_at is there", got.ShippedAt != nil, o.shipping == "fulfilled")
	if o.status != "cancelled" { // one that was closed first keeps the date
		m.equal("closed_at is there", got.ClosedAt != nil, o.status == "closed")
	}
}

func TestProofModelOfOrders(t *testing.T) {
	f := open(t)
	product := f.sized("P", "S")
	variant := id(product, "variants.0")
	sequences(f, f.token, func(p *play) map[string]func(*rapid.T) {
		m := &till{play: p, stock: 5, variant: variant, product: path("/products/%d/variants/%d", id(product), variant)}
		in := func(statuses ...string) func(*sold) bool {
			return func(o *sold) bool { return slices.Contains(statuses, o.status) }
		}
		shipping := func(from ...string) func(*sold) bool {
			return func(o *sold) bool { return o.status != "cancelled" && slices.Contains(from, o.shipping) }
		}
		return map[string]func(*rapid.T){
			"buy":     m.buy,
			"close":   m.post("close", in("open"), func(o *sold) { o.status = "closed" }),
			"open":    m.post("open", in("closed"), func(o *sold) { o.status = "open" }),
			"pack":    m.post("pack", shipping("unpacked"), func(o *sold) { o.shipping = "unfulfilled" }),
			"fulfill": m.post("fulfill", shipping("unpacked", "unfulfilled"), func(o *sold) { o.shipping = "fulfilled" }),
			"cancel":  m.cancel,
			"put":     m.put,
			"receive": func(t *rapid.T) {
				m.stock += rapid.IntRange(0, 3).Draw(t, "pieces")
				m.want(http.StatusOK, "PUT "+m.product, object{"stock": m.stock})
			},
			"audit": m.audit,
			"":      m.compare,
		}
	})
}
