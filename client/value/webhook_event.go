package value

import (
	"log/slog"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// WebhookEvent is the name of an event in the form category/event, such as "product/created". Package webhook lists the
// events. Version v1 has no events of the categories app_subscription, charge, customer and subscription, and no
// "order/unpacked". The URLs of privacy requests are set in the app's settings; these events are not registered.
type WebhookEvent string

// LogValue truncates the name to 64 runes and removes unprintable characters, because names of unknown events in
// deliveries are logged.
func (e WebhookEvent) LogValue() slog.Value {
	runes := []rune(wire.Clean(string(e[:min(len(e), 4*maxEventRunes)])))
	return slog.StringValue(string(runes[:min(len(runes), maxEventRunes)]))
}

const maxEventRunes = 64
