package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// comparison counts the compared fields and keeps the differences.
type comparison struct {
	fields int
	differ []string
}

func (c *comparison) that(equal bool, where string, got, want any) {
	c.fields++
	if !equal {
		c.differ = append(c.differ, fmt.Sprintf("%s: is %.60q, must be %.60q", where, fmt.Sprint(got), fmt.Sprint(want)))
	}
}

// compare reads everything back and compares it with the file.
func (s *session) compare(ctx context.Context) error {
	var c comparison
	if err := s.compareTree(ctx, &c); err != nil {
		return err
	}
	listed := map[client.ID]*client.Product{}
	for p, err := range v202503.Products(s.client).List(client.ProductFilter{}).All(ctx) {
		if err != nil {
			return err
		}
		listed[p.ID] = p
	}
	found := 0
	for _, p := range s.catalog.products {
		if p.made == nil {
			continue
		}
		got := listed[p.made.ID]
		if got == nil {
			c.that(false, p.handle, "nothing", "the product in the list")
			continue
		}
		found++
		c.product(p.handle, got, p.input)
	}
	s.t.check(len(c.differ) == 0, "%d of %d products listed, %d fields compared, %s", found, len(s.catalog.products), c.fields, count(len(c.differ), "differs", "differ"))
	s.t.list(c.differ)
	return nil
}

func (s *session) compareTree(ctx context.Context, c *comparison) error {
	listed, err := v202503.Categories(s.client).List(client.CategoryFilter{}).Collect(ctx)
	if err != nil {
		return err
	}
	for _, b := range s.tree {
		i := slices.IndexFunc(listed, func(got client.Category) bool { return got.ID == b.id })
		if i < 0 {
			c.that(false, b.String(), "nothing", "the category in the list")
			continue
		}
		var parent *client.ID
		if b.parent != nil {
			parent = &b.parent.id
		}
		got := listed[i]
		c.text("category "+b.String()+": name", got.Name, b.name)
		c.that(same(got.Parent, parent), "category "+b.String()+": parent", show(got.Parent), show(parent))
	}
	return nil
}

// product compares a product of the file with that of the platform.
func (c *comparison) product(at string, got *client.Product, want client.ProductInput) {
	at += ": "
	c.text(at+"name", got.Name, want.Name)
	c.text(at+"description", got.Description, want.Description)
	c.text(at+"handle", got.Handle, want.Handle)
	if want.SEOTitle != nil { // the platform makes one of the name otherwise
		c.text(at+"seo_title", got.SEOTitle, want.SEOTitle)
	}
	c.text(at+"seo_description", got.SEODescription, want.SEODescription)
	c.that(same(got.Brand, want.Brand.Ptr()), at+"brand", show(got.Brand), show(want.Brand.Ptr()))
	tags := client.Product{Tags: want.Tags.Or("")}
	c.that(slices.Equal(got.TagList(), tags.TagList()), at+"tags", got.Tags, tags.Tags)
	c.that(got.Published == want.Published.Or(true), at+"published", got.Published, want.Published.Or(true))
	c.that(got.FreeShipping == want.FreeShipping.Or(false), at+"free_shipping", got.FreeShipping, want.FreeShipping.Or(false))
	var categories []client.ID
	for _, category := range got.Categories {
		categories = append(categories, category.ID)
	}
	c.that(slices.Equal(categories, want.Categories.Or(nil)), at+"categories", categories, want.Categories.Or(nil))
	c.texts(at+"attributes", got.Attributes, want.Attributes)
	c.images(at, got.Images, want.Images)
	c.that(len(got.Variants) == len(want.Variants), at+"number of variants", len(got.Variants), len(want.Variants))
	for i := range min(len(got.Variants), len(want.Variants)) {
		c.variant(fmt.Sprintf("%svariant %d: ", at, i+1), got.Variants[i], want.Variants[i])
	}
}

// images compares everything except the URL, because the platform stores images at its own addresses.
func (c *comparison) images(at string, got []client.Image, want []client.ImageInput) {
	c.that(len(got) == len(want), at+"number of images", len(got), len(want))
	for i := range min(len(got), len(want)) {
		where := fmt.Sprintf("%simage %d: ", at, i+1)
		c.that(got[i].Position == client.Int(i+1), where+"position", got[i].Position, i+1)
		c.text(where+"alt", got[i].Alt, want[i].Alt)
	}
}

func (c *comparison) variant(at string, got client.Variant, want client.VariantInput) {
	c.texts(at+"values", got.Values, want.Values)
	c.that(same(got.SKU, want.SKU.Ptr()), at+"sku", show(got.SKU), show(want.SKU.Ptr()))
	c.that(same(got.Barcode, want.Barcode.Ptr()), at+"barcode", show(got.Barcode), show(want.Barcode.Ptr()))
	c.money(at+"price", got.Price, want.Price)
	c.money(at+"promotional_price", got.PromotionalPrice, want.PromotionalPrice)
	c.stock(at+"stock", got.Stock, want.Stock.Or(client.StockUnlimited))
	c.measure(at+"weight", got.Weight, want.Weight)
	c.measure(at+"width", got.Width, want.Width)
	c.measure(at+"height", got.Height, want.Height)
	c.measure(at+"depth", got.Depth, want.Depth)
}

// text compares every language. A plain text means all languages. A language that the file does not have must be absent
// or empty.
func (c *comparison) text(where string, got, want client.Text) {
	plain, isPlain := want[""]
	for _, language := range slices.Sorted(maps.Keys(want)) {
		if !isPlain {
			c.that(got[language] == want[language], where+"_"+language, got[language], want[language])
		}
	}
	for _, language := range slices.Sorted(maps.Keys(got)) {
		if _, told := want[language]; !told || isPlain {
			c.that(got[language] == plain, strings.TrimSuffix(where+"_"+language, "_"), got[language], plain)
		}
	}
	if isPlain && len(got) == 0 {
		c.that(plain == "", where, "", plain)
	}
}

func (c *comparison) texts(where string, got, want []client.Text) {
	c.that(len(got) == len(want), where, got, want)
	for i := range min(len(got), len(want)) {
		c.text(fmt.Sprintf("%s %d", where, i+1), got[i], want[i])
	}
}

func (c *comparison) money(where string, got *client.Money, want client.Opt[client.Money]) {
	amount, ok := want.Get()
	equal := got == nil && !ok || got != nil && ok && got.Equal(amount)
	c.that(equal, where, show(got), show(want.Ptr()))
}

func (c *comparison) stock(where string, got *client.Int, want client.Stock) {
	has := client.StockUnlimited
	if got != nil {
		has = client.Stock(*got)
	}
	c.that(has == want, where, has, want)
}

// measure compares numbers: "0.25" and "0.250" are one weight.
func (c *comparison) measure(where string, got client.Measure, want client.Opt[client.Measure]) {
	has, err := got.Decimal()
	wanted, _ := want.Or("").Decimal() // it was read before
	c.that(err == nil && (got == "") == want.IsZero() && has.Equal(wanted), where, got, want.Or(""))
}

// same reports whether both are nil, or neither and the values are equal.
func same[T comparable](a, b *T) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// show returns the value that p points to as a text.
func show[T any](p *T) string {
	if p == nil {
		return "null"
	}
	return fmt.Sprint(*p)
}
