package bench

import (
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
)

// Sizes of a product that shops with a catalog in several languages really have: with 10 variants, 200 products make
// a page of about two megabytes.
const (
	images = 3
	prose  = 6 // sentences of a description, in each language
)

var (
	sizes   = []string{"XS", "S", "M", "L", "XL"}
	colours = []client.Text{in("Black", "Negro", "Preto"), in("Sea blue", "Azul marino", "Azul-marinho")}
)

func in(en, es, pt string) client.Text { return client.Text{"en": en, "es": es, "pt": pt} }

// product is the n-th of a catalog. With 10 variants or fewer, they are combinations of size and colour.
func product(n, variants int, categories []client.ID) client.ProductInput {
	name := in("Linen shirt with pockets", "Camisa de lino con bolsillos", "Camisa de linho com bolsos")
	described := client.Text{}
	for language := range name {
		name[language] += fmt.Sprint(" ", n)
		described[language] = "<p>" + strings.Repeat("Prewashed linen, 140 g/m²; wash at 30 °C &amp; dry in the shade. ", prose) + "</p>\n<ul>\n\t<li>\"Relaxed\" fit</li>\n</ul>"
	}
	p := client.ProductInput{
		Name: name, Description: described, Categories: client.Set(categories), Brand: client.Set("Lila & Mar"),
		SEOTitle: name, SEODescription: in("Linen shirts for the summer", "Camisas de lino para el verano", "Camisas de linho para o verão"),
		Attributes: []client.Text{in("Size", "Talle", "Tamanho"), in("Colour", "Color", "Cor")}, Tags: client.Set("linen,summer,basic"),
	}
	for i := range images {
		p.Images = append(p.Images, client.ImageInput{Src: fmt.Sprintf("https://images.example/shirt-%d-%d.jpg", n, i+1), Alt: name})
	}
	for i := range variants {
		p.Variants = append(p.Variants, variant(n, i))
	}
	return p
}

func variant(n, i int) client.VariantInput {
	size := sizes[i%len(sizes)]
	v := client.VariantInput{
		Price: client.Set(client.Cents(int64(1500000 + n))), Cost: client.Set(client.Cents(600000)), Stock: client.Set(client.Stock(7 + i)),
		Weight: client.Set(client.Measure("0.250")), Width: client.Set(client.Measure("20")), Height: client.Set(client.Measure("30")), Depth: client.Set(client.Measure("3")),
		SKU: client.Set(fmt.Sprintf("LINEN-%06d-%02d", n, i)), Barcode: client.Set(fmt.Sprintf("779%09d", 100*n+i)),
		Values: []client.Text{in(size, size, size), colours[i/len(sizes)%len(colours)]},
	}
	if i%2 == 0 {
		v.PromotionalPrice = client.Set(client.Cents(1200000))
	}
	return v
}

// order buys a few variants.
func order(n int, variants []client.ID) client.OrderInput {
	address := client.OrderAddressInput{
		FirstName: "Ana", LastName: "Núñez", Address: "Avenida del Puerto", Number: fmt.Sprint(100 + n), Floor: "3 B", Locality: "Centro",
		City: "Rosario", Province: "Santa Fe", Zipcode: "2000", Country: "AR", Phone: "+5493415550101", Customs: map[string]string{"reference": "blue gate"},
	}
	o := client.OrderInput{
		Customer:       client.OrderCustomerInput{Name: "Ana Núñez", Email: fmt.Sprintf("ana.%d@mail.example", n), Phone: address.Phone, Document: "28111222"},
		BillingAddress: address, ShippingAddress: address, ShippingPickupType: client.PickupTypeShip, Shipping: "not-provided", ShippingOption: "Standard delivery",
		ShippingCostCustomer: client.Set(client.Cents(250000)), Note: "Please ring twice", PaymentStatus: client.PaymentPending,
	}
	for i, id := range variants {
		o.Products = append(o.Products, client.OrderProductInput{VariantID: id, Quantity: 1 + i})
	}
	return o
}
