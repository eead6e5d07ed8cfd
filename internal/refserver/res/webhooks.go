package res

import (
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func webhookOps() []api.Op {
	const note = "none of its own; the scope of the event's entity"
	missing := []api.ErrCase{{Status: 404, Text: "null"}}
	invalid := []api.ErrCase{
		{Status: 422, Text: "event: " + invalidEvent},
		{Status: 422, Text: "url: " + invalidURL},
		{Status: 403, Text: "Missing a required scope: read_products"},
	}
	return []api.Op{
		{ID: "webhooks.list", Method: "GET", Path: "/webhooks", ScopeNote: note,
			Query: api.Recurring("url", "event"), Paging: api.Paging{FirstEmpty: true}, Handler: api.Collection(findWebhooks, showWebhook)},
		{ID: "webhooks.get", Method: "GET", Path: "/webhooks/{id}", ScopeNote: note, Errors: missing,
			Handler: api.Record(webhook, showWebhook)},
		{ID: "webhooks.create", Method: "POST", Path: "/webhooks", ScopeNote: note, Success: 201,
			Errors: invalid, Handler: createWebhook},
		{ID: "webhooks.update", Method: "PUT", Path: "/webhooks/{id}", ScopeNote: note,
			Errors: slices.Concat(missing, invalid), Provenance: api.Supplement, Handler: updateWebhook},
		{ID: "webhooks.delete", Method: "DELETE", Path: "/webhooks/{id}", ScopeNote: note, NoBody: true,
			Errors: missing, Provenance: api.Supplement, Handler: deleteWebhook},
	}
}

const (
	invalidEvent = "Invalid event specified. Events allowed are available on Parameters section: https://docs.example/webhooks"
	invalidURL   = "invalid url specified"
)

type webhookJSON struct {
	ID        int64  `json:"id"`
	URL       string `json:"url"`
	Event     string `json:"event"`
	CreatedAt string `json:"created_at"`
	UpdatedAt string `json:"updated_at"`
}

func showWebhook(_ *world.Tx, _ *api.In, w world.Webhook) any {
	return webhookJSON{ID: w.ID, URL: w.URL, Event: w.Event, CreatedAt: api.Stamp(w.CreatedAt), UpdatedAt: api.Stamp(w.UpdatedAt)}
}

// findWebhooks lists those of the app that asks.
func findWebhooks(tx *world.Tx, in *api.In) ([]world.Webhook, error) {
	var out []world.Webhook
	for _, w := range tx.Webhooks.Where("app", strconv.FormatInt(in.App.ID, 10)) {
		if in.Selects(w.ID, w.CreatedAt, w.UpdatedAt) &&
			(!in.Has("url") || w.URL == in.Text("url")) && (!in.Has("event") || w.Event == in.Text("event")) {
			out = append(out, w)
		}
	}
	return out, nil
}

func webhook(tx *world.Tx, in *api.In) (world.Webhook, error) {
	w, ok := tx.Webhooks.Get(in.ID("id"))
	if !ok || w.App != in.App.ID {
		return w, api.NotFound("")
	}
	return w, nil
}

func createWebhook(tx *world.Tx, in *api.In) (any, error) {
	w, err := readWebhook(in, world.Webhook{ID: tx.NewID(), App: in.App.ID, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
	if err != nil {
		return nil, err
	}
	return showWebhook(tx, in, w), tx.Webhooks.Put(w.ID, w)
}

func updateWebhook(tx *world.Tx, in *api.In) (any, error) {
	before, err := webhook(tx, in)
	if err != nil {
		return nil, err
	}
	w, err := readWebhook(in, before)
	if err != nil {
		return nil, err
	}
	w.UpdatedAt = tx.Now()
	return showWebhook(tx, in, w), tx.Webhooks.Put(w.ID, w)
}

func deleteWebhook(tx *world.Tx, in *api.In) (any, error) {
	w, err := webhook(tx, in)
	if err != nil {
		return nil, err
	}
	tx.Webhooks.Delete(w.ID)
	return api.Empty{}, nil
}

// readWebhook returns the webhook with what the body changes. The event has to be
// one of the version the request is made in, and of something the app may read.
func readWebhook(in *api.In, w world.Webhook) (world.Webhook, error) {
	var b struct {
		Event body.Opt[string] `json:"event"`
		URL   body.Opt[string] `json:"url"`
		body.ReadOnly
	}
	if err := body.Decode(in, &b); err != nil {
		return w, err
	}
	kind, known := eventKind(b.Event.Or(w.Event), in.Version)
	// A webhook that was registered in another version may stay as it is.
	known = known || w.Event != "" && b.Event.Or(w.Event) == w.Event
	w.Event, w.URL = b.Event.Or(w.Event), b.URL.Or(w.URL)
	refused := in.CheckURL(w.URL) != nil
	switch {
	case !known && refused:
		return w, api.Invalid("event", invalidEvent).With("url", []string{invalidURL})
	case !known:
		return w, api.Invalid("event", invalidEvent)
	case refused:
		return w, api.Invalid("url", invalidURL)
	}
	return w, in.Need(kind.Scopes...)
}

func eventKind(name, version string) (EventKind, bool) {
	for _, k := range Events() {
		if k.Name == name && (k.Versions == nil || slices.Contains(k.Versions, version)) {
			return k, true
		}
	}
	return EventKind{}, false
}
