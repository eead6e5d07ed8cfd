package world

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Page is a page of the storefront that a merchant writes. Its texts are keyed by
// locale, for example es_AR.
type Page struct {
	ID        int64
	Published bool
	Name      map[string]string
	// Handle is the part of the storefront's URL, unique per locale in the store.
	Handle         map[string]string
	Content        map[string]string
	SEOTitle       map[string]string
	SEODescription map[string]string
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Indexes find a page by its handles, as locale/handle.
func (p Page) Indexes() []table.Entry { return handles(p.Handle) }
