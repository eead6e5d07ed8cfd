package webhook

import (
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client/value"
)

// Entity is the payload of an event that names only the changed record. Read the record to get its present state. 404
// means that it is gone, which is not an error.
type Entity struct {
	ID    value.ID    `json:"id"`
	Extra value.Extra `json:",embed"`
}

func (e Entity) identity() identity { return one(number(e.ID)) }

// LocationEntity is the payload of location/*.
type LocationEntity struct {
	ID    ulid.ULID   `json:"id"`
	Extra value.Extra `json:",embed"`
}

func (e LocationEntity) identity() identity { return one(e.ID.String()) }

// CustomFieldEntity is the payload of order_custom_field/* and product_variant_custom_field/*. ID is that of the field,
// not of an order or variant that has a value for it.
type CustomFieldEntity struct {
	ID    uuid.UUID   `json:"id"`
	Extra value.Extra `json:",embed"`
}

func (e CustomFieldEntity) identity() identity { return one(e.ID.String()) }

// CustomerEntity is the payload of customer/*. EventLaunchTS distinguishes retries from new events, and orders events.
// If it is missing, each delivery counts as a new event. If it cannot be parsed, it is zero and kept in Extra.
type CustomerEntity struct {
	ID            value.ID    `json:"id"`
	EventLaunchTS value.Time  `json:"event_launch_ts"`
	Extra         value.Extra `json:",embed"`
}

func (e CustomerEntity) identity() identity {
	return launched(e.EventLaunchTS, number(e.ID))
}

// Domain is the payload of domain/updated, which has no members. Read the domains from the store.
type Domain struct {
	Extra value.Extra `json:",embed"`
}

func (Domain) identity() identity { return one(wholeStore) }

// wholeStore is the id if an event concerns the store and no single record.
const wholeStore = "store"

// number returns the digits of an id, or "" if the body had none, because the platform counts from 1.
func number(id value.ID) string {
	if id <= 0 {
		return ""
	}
	return id.String()
}

// instant returns t as a text; equal instants give equal texts.
func instant(t value.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// joined makes one id of several. The first must not be empty. Each other is preceded by its length, so that no text
// can be taken for two.
func joined(first string, rest ...string) string {
	if first == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString(first)
	for _, s := range rest {
		b.WriteString(" " + strconv.Itoa(len(s)) + ":" + s)
	}
	return b.String()
}
