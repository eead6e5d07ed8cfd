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
		{"name", func(p *client.Product) { p.Name["pt"] = "Copo" }, []string{`mug: name_pt: is "Copo", must be "Caneca"`}},
		{"language lost", func(p *client.Product) { delete(p.Name, "pt") }, []string{`mug: name_pt: is "", must be "Caneca"`}},
		{"language added", func(p *client.Product) { p.Name["es"] = "Taza" }, []string{`mug: name_es: is "Taza", must be ""`}},
		{"description", func(p *client.Product) { p.Description["en"] = "Clay" }, []string{`mug: description_en: is "Clay", must be ""`}},
		{"handle", func(p *client.Product) { p.Handle["en"] = "mug-1" }, []string{`mug: handle_en: is "mug-1", must be "mug"`}},
		{"no handle", func(p *client.Product) { p.Handle = nil }, []string{`mug: handle: is "", must be "mug"`}},
		{"title", func(p *client.Product) { p.SEOTitle = client.Plain("Mug") }, []string{`mug: seo_title: is "Mug", must be "A mug"`}},
		{"brand", func(p *client.Product) { p.Brand = &other }, []string{`mug: brand: is "Theirs", must be "Ours"`}},
		{"no brand", func(p *client.Product) { p.Brand = nil }, []string{`mug: brand: is "null", must be "Ours"`}},
		{"tags", func(p *client.Product) { p.Tags = "new" }, []string{`mug: tags: is "new", must be "new, clay"`}},
		{"published", func(p *client.Product) { p.Published = false }, []string{`mug: published: is "false", must be "true"`}},
		{"free shipping", func(p *client.Product) { p.FreeShipping = true }, []string{`mug: free_shipping: is "true", must be "false"`}},
		{"category", func(p *client.Product) { p.Categories[0].ID = 8 }, []string{`mug: categories: is "[8]", must be "[7]"`}},
		{"attribute", func(p *client.Product) { p.Attributes[0]["en"] = "Size" }, []string{`mug: attributes 1_en: is "Size", must be "Colour"`}},
		{"image", func(p *client.Product) { p.Images = nil }, []string{`mug: number of images: is "0", must be "1"`}},
		{"variant", func(p *client.Product) { p.Variants = nil }, []string{`mug: number of variants: is "0", must be "1"`}},
		{"value", func(p *client.Product) { p.Variants[0].Values[0]["en"] = "Blue" }, []string{`mug: variant 1: values 1_en: is "Blue", must be "Red"`}},
		{"price", func(p *client.Product) { p.Variants[0].Price = &dearer }, []string{`mug: variant 1: price: is "12.51", must be "12.50"`}},
		{"no price", func(p *client.Product) { p.Variants[0].Price = nil }, []string{`mug: variant 1: price: is "null", must be "12.50"`}},
		{"no promotion", func(p *client.Product) { p.Variants[0].PromotionalPrice = nil }, []string{`mug: variant 1: promotional_price: is "null", must be "9.90"`}},
		{"stock", func(p *client.Product) { p.Variants[0].Stock = nil }, []string{`mug: variant 1: stock: is "unlimited", must be "3"`}},
		{"weight", func(p *client.Product) { p.Variants[0].Weight = "0.301" }, []string{`mug: variant 1: weight: is "0.301", must be "0.3"`}},
		{"width", func(p *client.Product) { p.Variants[0].Width = "1.00" }, []string{`mug: variant 1: width: is "1.00", must be ""`}},
		{"SKU", func(p *client.Product) { p.Variants[0].SKU = nil }, []string{`mug: variant 1: sku: is "null", must be "MUG"`}},
		{"barcode", func(p *client.Product) { p.Variants[0].Barcode = &other }, []string{`mug: variant 1: barcode: is "Theirs", must be "null"`}},
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
