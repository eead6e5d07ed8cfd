package postgres

import (
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/webhook"
)

// entryColumns are the columns of an entry except its lane, as they are selected: key, kind, event, store_id, body,
// window_ns, settle_ns, clears, protected, unhandled, and trace. They are nil if there is no
// entry.
type entryColumns struct {
	key, kind, event *string
	store            *int64
	body             []byte
	window, settle   *int64
	clears           []string
	protected        *bool
	unhandled        *string
	trace            *string // also nil if the body has none
}

func (e *entryColumns) targets() []any {
	return []any{&e.key, &e.kind, &e.event, &e.store, &e.body, &e.window, &e.settle, &e.clears, &e.protected, &e.unhandled, &e.trace}
}

func (e *entryColumns) entry(lane string) webhook.Entry {
	entry := webhook.Entry{
		Key: *e.key, Lane: lane, Kind: webhook.Kind(*e.kind), Event: webhook.Name(*e.event), StoreID: value.ID(*e.store), Body: e.body,
		Window: time.Duration(*e.window), Settle: time.Duration(*e.settle),
		Protected: *e.protected, Unhandled: *e.unhandled,
	}
	if e.trace != nil {
		entry.Trace = *e.trace
	}
	for _, name := range e.clears {
		entry.Clears = append(entry.Clears, webhook.Name(name))
	}
	return entry
}
