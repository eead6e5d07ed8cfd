package webhook

import (
	"fmt"
	"log/slog"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Entries are printed and logged without their body, which may contain personal data. MarshalJSON is unchanged, for
// queues.

// Format shows the event, the store and the key of the entry.
func (e Entry) Format(f fmt.State, _ rune) { show(f, e, "") }

// Format shows the entry, the attempt and the token.
func (l Lease) Format(f fmt.State, _ rune) {
	show(f, l.Entry, fmt.Sprintf(", attempt %d, token %d", l.Attempt, l.Token))
}

// Format shows the entry and why it is dead.
func (d DeadLetter) Format(f fmt.State, _ rune) {
	show(f, d.Entry, fmt.Sprintf(", dead after %d attempts: %s", d.Attempts, callback.Message(d.Cause)))
}

func show(f fmt.State, e Entry, more string) {
	_, _ = fmt.Fprintf(f, "%s of store %d, key %q%s", quoted(e.Event), e.StoreID, e.Key, more)
}

// LogValue shows the event, the store and the key of the entry.
func (e Entry) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("event", callback.Printable(string(e.Event), callback.MostShown)),
		slog.Int64("store_id", int64(e.StoreID)),
		slog.String("key", e.Key),
		slog.String("lane", e.Lane),
		slog.String("kind", string(e.Kind)),
	)
}
