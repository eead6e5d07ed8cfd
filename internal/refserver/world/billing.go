package world

import (
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Plan is what an app can be subscribed to. Plans are kept with the platform, apart
// from any store.
type Plan struct {
	// ID is a UUID.
	ID    string
	AppID int64
	Code  string
	// ExternalReference is the app's own id of it, empty for null.
	ExternalReference string
	// Description is empty for null.
	Description string
	// Default is set for the plan of stores that have no other.
	Default   bool
	CreatedAt time.Time
}

// Indexes find the plans of an app.
func (p Plan) Indexes() []table.Entry {
	return []table.Entry{table.Multi("app", strconv.FormatInt(p.AppID, 10))}
}

// PlansOf are those of an app, seen from any store.
func (tx *Tx) PlansOf(app int64) []Plan {
	all := tx.Plans
	if tx.store.ID != 0 {
		if data, ok := tx.state.data.Get(0); ok {
			all = data.Plans
		}
	}
	var out []Plan
	for _, p := range all.Where("app", strconv.FormatInt(app, 10)) {
		out = append(out, p)
	}
	return out
}

// AppSubscription is what a store pays an app regularly, once it is not what the plan
// begins with any more.
type AppSubscription struct {
	AppID   int64
	Concept string
	Amount  decimal.Decimal
	PlanID  string
}

// SubscriptionKey identifies a subscription of a store.
func SubscriptionKey(app int64, concept string) string {
	return strconv.FormatInt(app, 10) + "/" + concept
}

// Charge is what a store has to pay for a service once.
type Charge struct {
	// ID is a UUID.
	ID                string
	AppID             int64
	Concept           string
	Description       string
	ExternalReference string // empty for null
	From, To          time.Time
	Amount            Amount
	Status            ChargeStatus
	CreatedAt         time.Time
	UpdatedAt         time.Time
}

// ChargeStatus is what became of a charge.
type ChargeStatus string

// The statuses.
const (
	ChargePending ChargeStatus = "pending"
	ChargePaid    ChargeStatus = "paid"
	ChargeFailed  ChargeStatus = "failed"
)
