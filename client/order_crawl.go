package client

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// OrderCrawl is a query for orders without the limit of 10,000 results.
type OrderCrawl = Crawl[Order]

// Crawl selects all orders of a filter in pages of the largest size. Page and PerPage are not used. Otherwise it equals
// List(f).Crawl().
func (s *OrderService) Crawl(f OrderFilter) OrderCrawl {
	f.Page, f.PerPage = 0, MaxPerPage
	return s.List(f).Crawl()
}

// UpdatedSince is List.UpdatedSince for orders, without the limit of 10,000 changes. It replaces UpdatedMin of f.
func (s *OrderService) UpdatedSince(f OrderFilter, mark time.Time) *Sync[Order] {
	f.UpdatedMin = overlapped(mark)
	return &Sync[Order]{&syncing{codecOf(engine.CoreOf(s)), s.Crawl(f).core.pages, mark}}
}
