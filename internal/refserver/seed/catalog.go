package seed

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// text is a text in the languages of the store.
func text(en, es, pt string) map[string]string {
	return map[string]string{"en": en, "es": es, "pt": pt}
}

type category struct {
	key, parent string
	name        map[string]string
	feed        string
	hidden      bool
}

// categories are a tree of three levels. Outlet is hidden, which soft-hides what
// is in it.
func categories() []category {
	return []category{
		{key: "clothing", name: text("Clothing", "Indumentaria", "Vestuário"), feed: "Apparel & Accessories > Clothing"},
		{key: "tops", parent: "clothing", name: text("Tops", "Remeras y buzos", "Camisetas e moletons")},
		{key: "t-shirts", parent: "tops", name: text("T-shirts", "Remeras", "Camisetas"), feed: "Apparel & Accessories > Clothing > Shirts & Tops"},
		{key: "hoodies", parent: "tops", name: text("Hoodies", "Buzos", "Moletons")},
		{key: "shoes", parent: "clothing", name: text("Shoes", "Calzado", "Calçados"), feed: "Apparel & Accessories > Shoes"},
		{key: "home", name: text("Home", "Casa", "Casa"), feed: "Home & Garden"},
		{key: "kitchen", parent: "home", name: text("Kitchen", "Cocina", "Cozinha")},
		{key: "outlet", name: text("Outlet", "Outlet", "Outlet"), hidden: true},
		{key: "last season", parent: "outlet", name: text("Last season", "Temporada pasada", "Temporada passada")},
	}
}

func (c *caller) categories() map[string]int64 {
	ids := map[string]int64{}
	for _, k := range categories() {
		body := object{"name": k.name}
		if k.parent != "" {
			body["parent"] = ids[k.parent]
		}
		if k.feed != "" {
			body["feed_shopping_category"] = k.feed
		}
		if k.hidden {
			body["visibility"] = "hidden"
		}
		ids[k.key] = id(c.call("categories.create", nil, body))
	}
	return ids
}

type product struct {
	key        string
	name       map[string]string
	categories []string
	tags       string
	price      string
	sale       string
	weight     string
	size       string // of each side
	// attributes and their values; every combination is a variant.
	attributes []map[string]string
	values     [][]map[string]string
	// stock is that of each variant at the first location, "" is unlimited; warehouse
	// is that at the second.
	stock     string
	warehouse int
	images    int
	more      object
}

func sizes(names ...string) []map[string]string {
	var out []map[string]string
	for _, n := range names {
		out = append(out, text(n, n, n))
	}
	return out
}

func products() []product {
	size, colour := text("Size", "Talle", "Tamanho"), text("Colour", "Color", "Cor")
	black, white, blue := text("Black", "Negro", "Preto"), text("White", "Blanco", "Branco"), text("Blue", "Azul", "Azul")
	return []product{
		{key: "tee", name: text("Plain T-shirt", "Remera lisa", "Camiseta lisa"), categories: []string{"t-shirts"}, tags: "cotton,basic",
			price: "15000.00", weight: "0.200", size: "20", attributes: []map[string]string{size, colour},
			values: [][]map[string]string{sizes("S", "M", "L"), {black, white}}, stock: "12", warehouse: 30, images: 3,
			more: object{"brand": "Lila & Mar", "seo_description": "A plain T-shirt of heavy cotton"}},
		{key: "striped tee", name: text("Striped T-shirt", "Remera rayada", "Camiseta listrada"), categories: []string{"t-shirts", "last season"}, tags: "cotton,sale",
			price: "18000.00", sale: "12600.00", weight: "0.210", size: "20", attributes: []map[string]string{size},
			values: [][]map[string]string{sizes("S", "M", "L")}, stock: "3", images: 2, more: object{"brand": "Lila & Mar"}},
		{key: "hoodie", name: text("Zip hoodie", "Buzo con cierre", "Moletom com zíper"), categories: []string{"hoodies"}, tags: "winter",
			price: "42000.00", weight: "0.650", size: "35", attributes: []map[string]string{size, colour},
			values: [][]map[string]string{sizes("M", "L"), {black, blue}}, stock: "5", warehouse: 8, images: 2, more: object{"brand": "Southwind"}},
		{key: "sneakers", name: text("Canvas sneakers", "Zapatillas de lona", "Tênis de lona"), categories: []string{"shoes"}, tags: "summer,basic",
			price: "55000.00", weight: "0.900", size: "30", attributes: []map[string]string{size},
			values: [][]map[string]string{sizes("38", "39", "40", "41")}, stock: "4", images: 2, more: object{"free_shipping": true}},
		{key: "boots", name: text("Leather boots", "Botas de cuero", "Botas de couro"), categories: []string{"shoes"}, tags: "winter",
			price: "98000.00", weight: "1.400", size: "35", attributes: []map[string]string{size},
			values: [][]map[string]string{sizes("39", "40")}, stock: "0", images: 1},
		{key: "mug", name: text("Enamel mug", "Jarro enlozado", "Caneca esmaltada"), categories: []string{"kitchen"}, tags: "camping",
			price: "7500.00", weight: "0.250", size: "10", stock: "40", warehouse: 60, images: 1},
		{key: "plate", name: text("Enamel plate", "Plato enlozado", "Prato esmaltado"), categories: []string{"kitchen"}, tags: "camping",
			price: "9000.00", weight: "0.350", size: "24", stock: "25", images: 1},
		{key: "set", name: text("Camping set", "Set de camping", "Conjunto de camping"), categories: []string{"kitchen", "home"}, tags: "camping,kit", images: 1},
		{key: "teapot", name: text("Cast iron teapot", "Tetera de hierro", "Bule de ferro"), categories: []string{"kitchen"},
			price: "61000.00", weight: "1.800", size: "22", stock: "2", images: 2, more: object{"video_url": "https://video.example/teapot"}},
		{key: "candle", name: text("Soy candle", "Vela de soja", "Vela de soja"), categories: []string{"home"}, tags: "gift",
			price: "11000.00", weight: "0.300", size: "9", images: 1},
		{key: "gift card", name: text("Gift card", "Tarjeta de regalo", "Cartão presente"), tags: "gift",
			price: "20000.00", more: object{"requires_shipping": false}},
		{key: "rug", name: text("Handwoven rug", "Alfombra tejida a mano", "Tapete artesanal"), categories: []string{"home"},
			weight: "6.000", size: "160", images: 1, more: object{"published": false}},
	}
}

// combinations are all ways of taking one value of each attribute.
func combinations(values [][]map[string]string) [][]map[string]string {
	out := [][]map[string]string{nil}
	for _, choices := range values {
		var next [][]map[string]string
		for _, begun := range out {
			for _, v := range choices {
				next = append(next, append(begun[:len(begun):len(begun)], v))
			}
		}
		out = next
	}
	return out
}

func (c *caller) products(categories map[string]int64, warehouse string) map[string]int64 {
	ids := map[string]int64{}
	for _, p := range products() {
		body := object{"name": p.name, "tags": p.tags, "attributes": p.attributes}
		for key, value := range p.more {
			body[key] = value
		}
		var in []int64
		for _, key := range p.categories {
			in = append(in, categories[key])
		}
		body["categories"] = in
		var images []object
		for n := range p.images {
			images = append(images, object{"src": fmt.Sprintf("https://images.example/%s-%d.jpg", strings.ReplaceAll(p.key, " ", "-"), n+1)})
		}
		body["images"] = images
		var variants []object
		for n, values := range combinations(p.values) {
			variants = append(variants, p.variant(n, values, c.store, warehouse))
		}
		body["variants"] = variants
		ids[p.key] = id(c.call("products.create", nil, body))
	}
	return ids
}

func (p product) variant(n int, values []map[string]string, st world.Store, warehouse string) object {
	v := object{"values": values, "sku": fmt.Sprintf("%s-%02d", strings.ToUpper(strings.ReplaceAll(p.key, " ", "")), n+1)}
	for member, value := range map[string]string{
		"price": p.price, "promotional_price": p.sale, "weight": p.weight, "width": p.size, "height": p.size, "depth": p.size,
	} {
		if value != "" {
			v[member] = value
		}
	}
	switch {
	case p.warehouse > 0:
		v["inventory_levels"] = []object{{"stock": p.stock}, {"location_id": warehouse, "stock": p.warehouse}}
	case p.stock != "":
		v["stock"] = p.stock
	}
	return v
}

// kit makes a product a kit of the mug, twice, and the plate.
func (c *caller) kit(products map[string]int64) {
	c.put(func(tx *world.Tx) error {
		k := world.Kit{
			ID:              products["set"],
			DiscountPercent: decimal.NewNullDecimal(decimal.NewFromInt(10)),
			Components:      []world.Component{{ProductID: products["mug"], Quantity: 2}, {ProductID: products["plate"], Quantity: 2}},
			CreatedAt:       tx.Now(),
			UpdatedAt:       tx.Now(),
		}
		return tx.Kits.Put(k.ID, k)
	})
}

// warehouse is the second location, which ships only what is sold online.
func (c *caller) warehouse() string {
	region := func(name, code string) object { return object{"name": name, "code": code} }
	made := c.call("locations.create", nil, object{
		"name": object{"es_AR": "Depósito", "en_US": "Warehouse"},
		"address": object{
			"zipcode": "2000", "street": "Avenida del Puerto", "number": "1200", "city": "Rosario",
			"province": region("Santa Fe", "S"), "region": region("Litoral", "LIT"), "country": region("Argentina", "AR"),
		},
		"tags": []string{"online"},
	})
	key, _ := made["id"].(string)
	return key
}
