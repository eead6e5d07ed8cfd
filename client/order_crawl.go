package client

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// OrderCrawl is a query for orders, also for more than the 10,000 of one query.
type OrderCrawl = Crawl[Order]

// Crawl selects all orders of a filter, in the largest pages: its Page and PerPage are not used. It is List(f).Crawl()
// otherwise.
func (s *OrderService) Crawl(f OrderFilter) OrderCrawl {
	f.Page, f.PerPage = 0, MaxPerPage
	return s.List(f).Crawl()
}

// UpdatedSince is List.UpdatedSince for orders, also for more than 10,000 changes.
// UpdatedMin of f is replaced.
func (s *OrderService) UpdatedSince(f OrderFilter, mark time.Time) *Sync[Order] {
	f.UpdatedMin = overlapped(mark)
	return &Sync[Order]{&syncing{codecOf(engine.CoreOf(s)), s.Crawl(f).core.pages, mark}}
}
