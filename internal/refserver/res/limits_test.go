package res_test

import (
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// TestLimitsOfTheContract spells the numbers out that the contract and its supplement
// give. The limits of labels and carriers are in the tests of their packages.
func TestLimitsOfTheContract(t *testing.T) {
	const day = 24 * time.Hour
	l := world.Contract()
	for name, tc := range map[string]struct{ got, want any }{
		"products":                    {l.Products, 100000},
		"categories":                  {l.Categories, 5000},
		"images":                      {l.Images, 250},
		"variants":                    {l.Variants, 1000},
		"attributes":                  {l.Attributes, 3},
		"seo title":                   {l.SEOTitle, 70},
		"seo description":             {l.SEODescription, 320},
		"description of a category":   {l.CategoryText, 65535},
		"bytes of an image":           {l.ImageBytes, 10 * 1024 * 1024},
		"orders of a query":           {l.OrdersPerQuery, 10000},
		"page":                        {l.PageSize, 30},
		"largest page":                {l.MaxPageSize, 200},
		"tracking events":             {l.TrackingEvents, 100},
		"variants of stock and price": {l.StockPriceBatch, 50},
		"ids of products":             {l.ProductIDs, 30},
		"disputes":                    {l.Disputes, 3},
		"customers of a price table":  {l.TableCustomers, 10000},
		"value of a custom field":     {l.CustomFieldValue, 250},
		"lifetime of a code":          {l.CodeLifetime, 5 * time.Minute},
		"checkout, readable":          {l.CheckoutReadable, 30 * day},
		"checkout, kept":              {l.CheckoutKept, 90 * day},
		"checkout, a cart made of it": {l.CheckoutRevivable, 6 * time.Hour},
	} {
		if tc.got != tc.want {
			t.Errorf("%s: %v, the contract has %v", name, tc.got, tc.want)
		}
	}
}
