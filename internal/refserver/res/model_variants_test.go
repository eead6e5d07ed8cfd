package res_test

import (
	"net/http"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// piece is a variant of the model. A product without variants of its own has one
// without a value.
type piece struct {
	id                int64
	value, price, sku string
	stock             int // -1 is unlimited
}

// mostPieces is low, so that sequences come to the bound.
const mostPieces = 3

// pieceIn is one variant of a body, with its members as the model understands them.
type pieceIn struct {
	body   object
	values array // nil if the body has none
	faulty bool  // apart from id and values
}

// pieceIn draws a variant of a body.
func (p *play) pieceIn() pieceIn {
	in := pieceIn{body: object{}}
	if in.values = pick(p, "values", array{"S"}, array{"M"}, array{"L"}, array{"XL"}, array{}, array{"S", "M"}, nil); in.values != nil {
		in.body["values"] = in.values
	}
	if price := pick(p, "price", "", "", "1.00", "2.00", "-1.00"); price != "" {
		in.body["price"], in.faulty = price, price[0] == '-'
	}
	if sku := pick(p, "sku", "", "a", "b", "null"); sku != "" {
		if in.body["sku"] = sku; sku == "null" {
			in.body["sku"] = nil
		}
	}
	switch n := pick(p, "stock", -9, -1, 0, 3, -2); n {
	case -9:
	case -1:
		in.body["stock"] = nil
	default:
		in.body["stock"], in.faulty = n, in.faulty || n < 0
	}
	return in
}

// on is the piece with what the body says.
func (in pieceIn) on(v piece) piece {
	if len(in.values) == 1 {
		v.value = in.values[0].(string)
	}
	if price, ok := in.body["price"]; ok {
		v.price = price.(string)
	}
	if sku, ok := in.body["sku"]; ok {
		v.sku, _ = sku.(string)
	}
	if n, ok := in.body["stock"]; ok {
		if v.stock = -1; n != nil {
			v.stock = n.(int)
		}
	}
	return v
}

// fit reports whether the pieces can be those of one product: values and SKUs are
// there once.
func fit(all []piece) bool {
	for i, v := range all {
		for _, o := range all[:i] {
			if v.value == o.value || v.sku != "" && v.sku == o.sku {
				return false
			}
		}
	}
	return true
}

// rack is the model of the variants of a product.
type rack struct {
	*play
	pieces []piece
	path   string
	known  map[int64]bool // ids that were handed out
	other  int64          // a variant of another product
}

// learn takes over the ids of pieces that are new, which no piece had before.
func (m *rack) learn(answer any) {
	list, ok := answer.(array)
	if !ok {
		list = array{answer}
	}
	for _, v := range list {
		value, _ := at(v, "values.0.en").(string)
		i := slices.IndexFunc(m.pieces, func(o piece) bool { return o.value == value || o.value == "" && value == "absent" })
		if i >= 0 && m.pieces[i].id == 0 {
			if m.known[id(v)] {
				m.Fatalf("the id %d is handed out twice", id(v))
			}
			m.pieces[i].id, m.known[id(v)] = id(v), true
		}
	}
}

func (m *rack) list() (list array) {
	m.get(m.path, &list)
	return list
}

func (m *rack) compare(*rapid.T) {
	list := m.list()
	if len(m.known) == 0 {
		m.learn(list)
	}
	var got []piece
	for _, v := range list {
		value, _ := at(v, "values.0.en").(string)
		if value == "absent" {
			value = ""
		}
		price, _ := at(v, "price").(string)
		sku, _ := at(v, "sku").(string)
		stock, finite := at(v, "stock").(float64)
		if !finite {
			stock = -1
		}
		m.equal("stock_management", at(v, "stock_management"), finite)
		got = append(got, piece{id(v), value, price, sku, int(stock)})
	}
	m.equal("variants", got, m.pieces)
}

// replace is PUT with an array: what it has are the only variants afterwards.
func (m *rack) replace(t *rapid.T) {
	n := rapid.IntRange(0, mostPieces+1).Draw(t, "variants")
	bodies, answer, next := array{}, http.StatusOK, []piece(nil)
	if n == 0 {
		answer = http.StatusBadRequest
	}
	for range n {
		in := m.pieceIn()
		bodies = append(bodies, in.body)
		if len(in.values) == 0 {
			answer = http.StatusBadRequest // values should not be empty
			continue
		}
		v := piece{stock: -1}
		if i := slices.IndexFunc(m.pieces, func(o piece) bool { return o.value == in.values[0] }); i >= 0 {
			v = m.pieces[i]
		}
		next = append(next, in.on(v))
		if answer == http.StatusOK && (in.faulty || len(in.values) != 1) {
			answer = http.StatusUnprocessableEntity
		}
	}
	if answer == http.StatusOK && (!fit(next) || n > mostPieces) {
		answer = http.StatusUnprocessableEntity
	}
	got := m.want(answer, "PUT "+m.path, bodies)
	if answer == http.StatusOK {
		m.pieces = next
		m.learn(got)
	}
}

func (m *rack) create(*rapid.T) {
	in := m.pieceIn()
	own := slices.DeleteFunc(slices.Clone(m.pieces), func(v piece) bool { return v.value == "" })
	next := append(own, in.on(piece{stock: -1}))
	refused := len(in.values) != 1 || in.faulty || !fit(next) || len(next) > mostPieces
	got := m.want(status(refused, http.StatusCreated), "POST "+m.path, in.body)
	if !refused {
		m.pieces = next
		m.learn(got)
	}
}

// patch is PATCH: every element has the id of a variant of the product.
func (m *rack) patch(t *rapid.T) {
	bodies, next, refused, strange := array{}, slices.Clone(m.pieces), false, []int64(nil)
	used := map[int64]bool{}
	for range rapid.IntRange(0, mostPieces).Draw(t, "variants") {
		in := m.pieceIn()
		bodies = append(bodies, in.body)
		var ids []int64
		for _, v := range m.pieces {
			ids = append(ids, v.id)
		}
		key := pick(m.play, "id", append(ids, ids[0], m.other, 0)...)
		if key != 0 {
			in.body["id"] = key
		}
		i := slices.Index(ids, key)
		if i < 0 || used[key] {
			if refused = true; key != 0 {
				strange = append(strange, key)
			}
			continue
		}
		used[key] = true
		// A product without variants of its own keeps the one that it has.
		noValues := in.values != nil && len(in.values) != 1 && (len(in.values) > 0 || next[i].value != "")
		refused = refused || in.faulty || noValues
		next[i] = in.on(next[i])
	}
	refused = refused || !fit(next)
	got := m.want(status(refused, http.StatusOK), "PATCH "+m.path, bodies)
	if !refused {
		m.pieces = next
	}
	if len(strange) > 0 {
		m.equal("duplicate_variant_ids", at(got, "duplicate_variant_ids"), plain(strange))
	}
}

func (m *rack) remove(*rapid.T) {
	v := pick(m.play, "variant", m.pieces...)
	m.want(http.StatusOK, path("DELETE %s/%d", m.path, v.id), nil)
	m.pieces = slices.DeleteFunc(slices.Clone(m.pieces), func(o piece) bool { return o.id == v.id })
	if len(m.pieces) == 0 {
		m.pieces = []piece{{stock: -1}}
		m.learn(m.list())
	}
}

func TestProofModelOfVariants(t *testing.T) {
	f := open(t)
	l := f.World().Limits()
	l.Variants = mostPieces
	f.World().SetLimits(l)
	other := id(f.sized("Other", "S"), "variants.0")
	product := f.object("POST /products", object{"name": "P", "attributes": array{object{"en": "Size"}}, "variants": array{object{"values": array{"S"}, "price": "1.00"}}})
	sequences(f, f.token, func(p *play) map[string]func(*rapid.T) {
		m := &rack{play: p, pieces: []piece{{value: "S", price: "1.00", stock: -1}}, path: path("/products/%d/variants", id(product)), known: map[int64]bool{}, other: other}
		return map[string]func(*rapid.T){"replace": m.replace, "create": m.create, "patch": m.patch, "remove": m.remove, "": m.compare}
	})
}
