package main

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/client"
)

// row is one row of the file and its problems.
type row struct {
	sheet    *sheet
	cells    []string
	line     int
	problems []problem
}

// refuse reports that a cell breaks a rule. It must be called before the next row is read.
func (r *row) refuse(column, rule string) {
	line := r.line
	if i, ok := r.sheet.index[column]; ok {
		line, _ = r.sheet.csv.FieldPos(i)
	}
	r.problems = append(r.problems, problem{line, column, r.text(column), rule})
}

// text returns a cell; empty if the file has no such column.
func (r *row) text(column string) string {
	i, ok := r.sheet.index[column]
	if !ok {
		return ""
	}
	return strings.TrimSpace(r.cells[i])
}

// handle returns the name of the product; empty if it is rejected. Platforms write handles only in this form.
func (r *row) handle() string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-"
	s := r.text("handle")
	if s == "" || strings.Trim(s, letters) != "" || strings.Trim(s, "-") != s || strings.Contains(s, "--") {
		r.refuse("handle", "must be lower-case letters and digits, with single hyphens between them")
		return ""
	}
	return s
}

// texts returns the cells of a column that exists once for each language.
func (r *row) texts(column string) client.Text {
	var t client.Text
	for _, language := range r.sheet.languages {
		if s := r.text(column + "_" + language); s != "" {
			if t == nil {
				t = client.Text{}
			}
			t[language] = s
		}
	}
	return t
}

// plain returns a text that the platform stores in one language only.
func (r *row) plain(column string, most int) client.Text {
	s := r.text(column)
	if n := utf8.RuneCountInString(s); n > most {
		r.refuse(column, fmt.Sprintf("%d characters, must be at most %d", n, most))
	}
	if s == "" {
		return nil
	}
	return client.Plain(s)
}

// parsed returns the parsed value of a cell; nothing if the cell is empty.
func parsed[T any](r *row, column, want string, parse func(string) (T, bool)) client.Opt[T] {
	s := r.text(column)
	if s == "" {
		return client.Opt[T]{}
	}
	v, ok := parse(s)
	if !ok {
		r.refuse(column, "must be "+want)
		return client.Opt[T]{}
	}
	return client.Set(v)
}

func (r *row) flag(column string) client.Opt[bool] {
	return parsed(r, column, "true or false", func(s string) (bool, bool) { return s == "true", s == "true" || s == "false" })
}

func (r *row) money(column string) client.Opt[client.Money] {
	return parsed(r, column, "an amount with at most two decimals, such as 12.50", func(s string) (client.Money, bool) {
		m, err := client.ParseMoney(s)
		return m, err == nil && m.Cmp(client.Money{}) >= 0 && m.Decimal().Exponent() >= -2
	})
}

// measure rejects more decimals than the platform stores.
func (r *row) measure(column string, decimals int32) client.Opt[client.Measure] {
	return parsed(r, column, fmt.Sprintf("a number with at most %d decimals, such as 0.25", decimals), func(s string) (client.Measure, bool) {
		n, err := client.Measure(s).Decimal()
		return client.Measure(s), err == nil && !n.IsNegative() && n.Exponent() >= -decimals
	})
}

func (r *row) stock() client.Opt[client.Stock] {
	n := parsed(r, "stock", "a number of pieces, or nothing for unlimited stock", func(s string) (client.Stock, bool) {
		n, err := strconv.ParseInt(s, 10, 64)
		return client.Stock(n), err == nil && n >= 0
	})
	return client.Set(n.Or(client.StockUnlimited))
}

func (r *row) barcode() client.Opt[string] {
	return parsed(r, "barcode", "a GTIN of 8, 12, 13 or 14 digits with a correct check digit", func(s string) (string, bool) {
		return s, isGTIN(s)
	})
}

// isGTIN checks the digits. From the right, they are multiplied by 1 and 3 in turn, and the sum must end in 0.
func isGTIN(s string) bool {
	sum := 0
	for i := range len(s) {
		digit := s[len(s)-1-i]
		if digit < '0' || digit > '9' {
			return false
		}
		sum += int(digit-'0') * (1 + i%2*2)
	}
	return slices.Contains([]int{8, 12, 13, 14}, len(s)) && sum%10 == 0
}

// product reads the columns about the product.
func (r *row) product(handle string) *product {
	p := &product{handle: handle, line: r.line, first: r.cells, values: map[string]int{}, path: r.path()}
	p.input = client.ProductInput{
		Name:           r.texts("name"),
		Description:    r.texts("description"),
		Handle:         client.Plain(handle),
		Published:      r.flag("published"),
		FreeShipping:   r.flag("free_shipping"),
		SEOTitle:       r.plain("seo_title", client.MaxSEOTitle),
		SEODescription: r.plain("seo_description", client.MaxSEODescription),
		Attributes:     r.attributes(),
	}
	if p.input.Name == nil {
		r.refuse("name_"+r.sheet.languages[0], "must not be empty in all languages")
	}
	if brand := r.text("brand"); brand != "" {
		p.input.Brand = client.Set(brand)
	}
	if tags := r.text("tags"); tags != "" {
		p.input.Tags = client.Set(tags)
	}
	return p
}

func (r *row) attributes() []client.Text {
	var all []client.Text
	for n := 1; n <= client.MaxAttributes; n++ {
		column := fmt.Sprintf("attribute%d", n)
		name := r.texts(column)
		if name == nil {
			continue
		}
		if len(all) != n-1 {
			r.refuse(column+"_"+r.sheet.languages[0], "the attribute before it must not be empty")
		}
		all = append(all, name)
	}
	return all
}

// path returns the names of the categories from the top to the product's own.
func (r *row) path() []client.Text {
	var path []client.Text
	categories := r.texts("category")
	for _, language := range r.sheet.languages {
		whole, ok := categories[language]
		if !ok {
			continue
		}
		names := strings.Split(whole, ">")
		if path == nil {
			path = make([]client.Text, len(names))
		}
		if len(names) != len(path) {
			r.refuse("category_"+language, "must have as many levels in every language")
			return nil
		}
		for i, name := range names {
			if path[i] == nil {
				path[i] = client.Text{}
			}
			if path[i][language] = strings.TrimSpace(name); path[i][language] == "" {
				r.refuse("category_"+language, "must have a name on every level")
			}
		}
	}
	return path
}

// repeats checks that a later row has the same product columns as the first one.
func (r *row) repeats(p *product) {
	for i, column := range r.sheet.columns {
		if s := r.text(column); ofProduct(column) && s != "" && s != strings.TrimSpace(p.first[i]) {
			r.refuse(column, fmt.Sprintf("must be empty, or the same as in line %d", p.line))
		}
	}
}

// variant reads the columns about the variant.
func (r *row) variant(p *product) client.VariantInput {
	v := client.VariantInput{
		Price:            r.money("price"),
		PromotionalPrice: r.money("promotional_price"),
		Stock:            r.stock(),
		Weight:           r.measure("weight", 3),
		Width:            r.measure("width", 2),
		Height:           r.measure("height", 2),
		Depth:            r.measure("depth", 2),
		Barcode:          r.barcode(),
		Values:           r.values(p),
	}
	if v.Price.IsZero() {
		v.Price = client.Null[client.Money]()
	}
	if promotional, ok := v.PromotionalPrice.Get(); ok {
		if price, ok := v.Price.Get(); !ok || promotional.Cmp(price) >= 0 {
			r.refuse("promotional_price", "must be less than the price")
		}
	}
	if sku := r.text("sku"); sku != "" {
		v.SKU = client.Set(sku)
		if line := r.sheet.skus[sku]; line > 0 {
			r.refuse("sku", fmt.Sprintf("must be unique: line %d has it already", line))
		}
	}
	if src := r.text("image_src"); src != "" {
		if u, err := url.Parse(src); err != nil || u.Scheme != "https" || u.Host == "" {
			r.refuse("image_src", "must be an https URL")
		}
	}
	return v
}

// values returns one value for each attribute of the product.
func (r *row) values(p *product) []client.Text {
	var all []client.Text
	for n := 1; n <= client.MaxAttributes; n++ {
		column := fmt.Sprintf("value%d", n)
		value := r.texts(column)
		switch named := n <= len(p.input.Attributes); {
		case named && value == nil:
			r.refuse(column+"_"+r.sheet.languages[0], "must not be empty: the product has the attribute")
		case !named && value != nil:
			r.refuse(column+"_"+r.sheet.languages[0], "must be empty: the product does not have the attribute")
		case named:
			all = append(all, value)
		}
	}
	if line := p.values[fmt.Sprint(all)]; line > 0 {
		r.refuse("handle", fmt.Sprintf("line %d has the same values already", line))
	}
	return all
}

// keep adds the valid variant to its product.
func (r *row) keep(p *product, v client.VariantInput) {
	p.input.Variants = append(p.input.Variants, v)
	p.values[fmt.Sprint(v.Values)] = r.line
	if sku, ok := v.SKU.Get(); ok {
		r.sheet.skus[sku] = r.line
	}
	if src := r.text("image_src"); src != "" && !slices.ContainsFunc(p.input.Images, func(i client.ImageInput) bool { return i.Src == src }) {
		p.input.Images = append(p.input.Images, client.ImageInput{Src: src, Alt: p.input.Name})
	}
}
