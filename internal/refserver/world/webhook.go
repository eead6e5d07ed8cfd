package world

import (
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Webhook is a registration of an app for one kind of event of one store.
type Webhook struct {
	ID        int64
	App       int64
	Event     string
	URL       string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Indexes find the webhooks of an event and those of an app.
func (w Webhook) Indexes() []table.Entry {
	return []table.Entry{
		table.Multi("event", w.Event),
		table.Multi("app", strconv.FormatInt(w.App, 10)),
	}
}
