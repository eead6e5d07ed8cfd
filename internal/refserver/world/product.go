package world

import (
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Product is an article of a store's catalog. Its variants and images are
// records of their own.
type Product struct {
	ID          int64
	Name        map[string]string
	Description map[string]string
	// Handle is the part of the storefront's URL, unique per language in the store.
	Handle         map[string]string
	SEOTitle       string
	SEODescription string
	// Brand is empty for null.
	Brand string
	// VideoURL is https, or empty for null.
	VideoURL     string
	Published    bool
	FreeShipping bool
	// RequiresShipping is true for physical and false for digital products.
	RequiresShipping bool
	// Attributes name what the variants differ in, per language.
	Attributes []map[string]string
	// Tags are separated by commas.
	Tags string
	// Categories are ids in the order they were given.
	Categories []int64
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// Indexes find a product by its handles, as language/handle, and the products of
// a category.
func (p Product) Indexes() []table.Entry {
	entries := handles(p.Handle)
	for _, id := range p.Categories {
		entries = append(entries, table.Multi("category", strconv.FormatInt(id, 10)))
	}
	return entries
}

func handles(handle map[string]string) []table.Entry {
	var entries []table.Entry
	for language, h := range handle {
		entries = append(entries, table.Unique("handle", language+"/"+h))
	}
	return entries
}

// Image is a picture of a product.
type Image struct {
	ID        int64
	ProductID int64
	// Position counts from 1, the main image, without gaps.
	Position int
	// Src is the URL of the size of 1024 pixels; its final part is the size.
	Src string
	Alt map[string]string
	// StoreMediaUUID is the asset of the image, empty if the image was uploaded.
	StoreMediaUUID string
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Indexes find the images of a product.
func (i Image) Indexes() []table.Entry {
	return []table.Entry{table.Multi("product", strconv.FormatInt(i.ProductID, 10))}
}
