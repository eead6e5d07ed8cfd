package world

import (
	"strconv"
	"time"
)

// Event is something that happened in a store and was committed.
type Event struct {
	// ID counts the events of the world from 1.
	ID    int64
	Store int64
	// Name has the form category/event.
	Name string
	// Fields are the members of the payload except store_id and event.
	Fields map[string]any
	At     time.Time
	// App is the one that it concerns, 0 for all.
	App int64
	// To lists who receives it; it may be empty. Then Silence is why.
	To      []Target
	Silence Silence
	// Cause is what Tx.By said, 0 if nothing.
	Cause int64
}

// By says what the events of the transaction are caused by, as a number that the caller understands.
func (tx *Tx) By(cause int64) { tx.cause = cause }

// Silence is why an event is sent to nobody.
type Silence string

const (
	// Suspended stores have silent webhooks.
	Suspended Silence = "suspended"
	// NoWebhook: no app, or not the one concerned, has registered for the event.
	NoWebhook Silence = "no_webhook"
	// NoAddress: the app has none for this data-protection event in its settings.
	NoAddress Silence = "no_address"
)

// Target is one address an event goes to.
type Target struct {
	App int64
	// Webhook is the registration that asked for it, 0 for an address that comes
	// from the app's settings.
	Webhook int64
	URL     string
}

// Emit reports an event to every app of the store that registered a webhook for
// it. It leaves the transaction only when the transaction commits. The map
// belongs to the event from now on.
func (tx *Tx) Emit(name string, fields map[string]any) {
	tx.emit(0, name, fields)
}

// EmitTo reports an event that concerns one app only.
func (tx *Tx) EmitTo(app int64, name string, fields map[string]any) {
	tx.emit(app, name, fields)
}

func (tx *Tx) emit(app int64, name string, fields map[string]any) {
	e := Event{Store: tx.store.ID, Name: name, Fields: fields, At: tx.now, App: app}
	url, settings := tx.settingsURL(app, name)
	// While a store is suspended webhooks are neither sent nor kept for later.
	switch {
	case tx.store.Suspended:
		e.Silence = Suspended
	case settings && url == "":
		e.Silence = NoAddress
	case settings:
		e.To = []Target{{App: app, URL: url}}
	default:
		if e.To = tx.listeners(app, name); len(e.To) == 0 {
			e.Silence = NoWebhook
		}
	}
	tx.events = append(tx.events, e)
}

func (tx *Tx) listeners(app int64, name string) []Target {
	var to []Target
	for _, h := range tx.Webhooks.Where("event", name) {
		if app == 0 || app == h.App {
			to = append(to, Target{App: h.App, Webhook: h.ID, URL: h.URL})
		}
	}
	return to
}

// settingsURL returns the address of a data-protection event, which every app
// has in its settings and none registers.
func (tx *Tx) settingsURL(app int64, name string) (url string, ok bool) {
	a, _ := tx.state.apps.Get(app)
	switch name {
	case "store/redact":
		return a.Settings.StoreRedactURL, true
	case "customers/redact":
		return a.Settings.CustomersRedactURL, true
	case "customers/data_request":
		return a.Settings.CustomersDataRequestURL, true
	}
	return "", false
}

// ids is the payload most events have.
func ids(id int64) map[string]any { return map[string]any{"id": id} }

func installKey(app, store int64) string {
	return strconv.FormatInt(app, 10) + "/" + strconv.FormatInt(store, 10)
}
