package main

import (
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

func TestComparison(t *testing.T) {
	price, cheaper, dearer := client.MustMoney("12.50"), client.MustMoney("9.9"), client.MustMoney("12.51")
	stock, brand, other := client.Int(3), "Ours", "Theirs"
	want := client.ProductInput{
		Name: client.Text{"en": "Mug", "pt": "Caneca"}, Handle: client.Plain("mug"), SEOTitle: client.Plain("A mug"),
		Brand: client.Set(brand), Tags: client.Set("new, clay"), Categories: client.Set([]client.ID{7}),
		Attributes: []client.Text{{"en": "Colour"}}, Images: []client.ImageInput{{Src: "https://img.example.com/mug.jpg"}},
		Variants: []client.VariantInput{{
			Values: []client.Text{{"en": "Red"}}, SKU: client.Set("MUG"), Price: client.Set(price),
			PromotionalPrice: client.Set(cheaper), Stock: client.Set(client.Stock(3)), Weight: client.Set(client.Measure("0.3")),
		}},
	}
	answer := func() *client.Product {
		sku, reduced := "MUG", client.MustMoney("9.90")
		return &client.Product{
			Name: client.Text{"en": "Mug", "pt": "Caneca"}, Description: client.Text{"en": "", "pt": ""},
			Handle: client.Text{"en": "mug", "pt": "mug"}, SEOTitle: client.Plain("A mug"), Brand: &brand, Tags: "new,clay",
			Published: true, Categories: []client.Category{{ID: 7}}, Attributes: []client.Text{{"en": "Colour"}},
			Images: []client.Image{{Position: 1}},
			Variants: []client.Variant{{
				Values: []client.Text{{"en": "Red"}}, SKU: &sku, Price: &price, PromotionalPrice: &reduced, Stock: &stock, Weight: "0.300",
			}},
		}
	}
	tests := []struct {
		name   string
		change func(p *client.Product)
		differ []string
	}{
		{"equal", func(*client.Product) {}, nil},
		{"name", func(p *client.Product) { p.Name["pt"] = "Copo" }, []string{`mug: name_pt: got "Copo", want "Caneca"`}},
		{"language lost", func(p *client.Product) { delete(p.Name, "pt") }, []string{`mug: name_pt: got "", want "Caneca"`}},
		{"language added", func(p *client.Product) { p.Name["es"] = "Taza" }, []string{`mug: name_es: got "Taza", want ""`}},
		{"description", func(p *client.Product) { p.Description["en"] = "Clay" }, []string{`mug: description_en: got "Clay", want ""`}},
		{"handle", func(p *client.Product) { p.Handle["en"] = "mug-1" }, []string{`mug: handle_en: got "mug-1", want "mug"`}},
		{"no handle", func(p *client.Product) { p.Handle = nil }, []string{`mug: handle: got "", want "mug"`}},
		{"title", func(p *client.Product) { p.SEOTitle = client.Plain("Mug") }, []string{`mug: seo_title: got "Mug", want "A mug"`}},
		{"brand", func(p *client.Product) { p.Brand = &other }, []string{`mug: brand: got "Theirs", want "Ours"`}},
		{"no brand", func(p *client.Product) { p.Brand = nil }, []string{`mug: brand: got "null", want "Ours"`}},
		{"tags", func(p *client.Product) { p.Tags = "new" }, []string{`mug: tags: got "new", want "new, clay"`}},
		{"published", func(p *client.Product) { p.Published = false }, []string{`mug: published: got "false", want "true"`}},
		{"free shipping", func(p *client.Product) { p.FreeShipping = true }, []string{`mug: free_shipping: got "true", want "false"`}},
		{"category", func(p *client.Product) { p.Categories[0].ID = 8 }, []string{`mug: categories: got "[8]", want "[7]"`}},
		{"attribute", func(p *client.Product) { p.Attributes[0]["en"] = "Size" }, []string{`mug: attributes 1_en: got "Size", want "Colour"`}},
		{"image", func(p *client.Product) { p.Images = nil }, []string{`mug: number of images: got "0", want "1"`}},
		{"variant", func(p *client.Product) { p.Variants = nil }, []string{`mug: number of variants: got "0", want "1"`}},
		{"value", func(p *client.Product) { p.Variants[0].Values[0]["en"] = "Blue" }, []string{`mug: variant 1: values 1_en: got "Blue", want "Red"`}},
		{"price", func(p *client.Product) { p.Variants[0].Price = &dearer }, []string{`mug: variant 1: price: got "12.51", want "12.50"`}},
		{"no price", func(p *client.Product) { p.Variants[0].Price = nil }, []string{`mug: variant 1: price: got "null", want "12.50"`}},
		{"no promotion", func(p *client.Product) { p.Variants[0].PromotionalPrice = nil }, []string{`mug: variant 1: promotional_price: got "null", want "9.90"`}},
		{"stock", func(p *client.Product) { p.Variants[0].Stock = nil }, []string{`mug: variant 1: stock: got "unlimited", want "3"`}},
		{"weight", func(p *client.Product) { p.Variants[0].Weight = "0.301" }, []string{`mug: variant 1: weight: got "0.301", want "0.3"`}},
		{"width", func(p *client.Product) { p.Variants[0].Width = "1.00" }, []string{`mug: variant 1: width: got "1.00", want ""`}},
		{"SKU", func(p *client.Product) { p.Variants[0].SKU = nil }, []string{`mug: variant 1: sku: got "null", want "MUG"`}},
		{"barcode", func(p *client.Product) { p.Variants[0].Barcode = &other }, []string{`mug: variant 1: barcode: got "Theirs", want "null"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := answer()
			tt.change(got)
			var c comparison
			c.product("mug", got, want)
			if !slices.Equal(c.differ, tt.differ) {
				t.Errorf("got %q, want %q", c.differ, tt.differ)
			}
		})
	}
}
