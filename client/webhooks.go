package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/address"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Webhook is a registration: the platform sends a POST request to URL when Event happens in the store. Package webhook
// receives these requests.
type Webhook struct {
	ID        ID           `json:"id"`
	URL       string       `json:"url"`
	Event     WebhookEvent `json:"event"`
	CreatedAt Time         `json:"created_at"`
	UpdatedAt Time         `json:"updated_at"`
	Extra     Extra        `json:",embed"`
}

// onlyDated reports whether only the dated versions, from 2025-03 on, have the event.
func onlyDated(e WebhookEvent) bool {
	category, _, _ := strings.Cut(string(e), "/")
	return e == "order/unpacked" || slices.Contains([]string{"app_subscription", "charge", "customer", "subscription"}, category)
}

// folded returns the name in the form that is used to compare events.
func folded(e WebhookEvent) WebhookEvent { return WebhookEvent(strings.ToLower(string(e))) }

// WebhookInput is the body of Create and Update. Create requires both members. Update changes the members that are not
// empty.
type WebhookInput struct {
	// URL must be https. The platform rejects local hosts and its own domains.
	URL string `json:"url,omitzero"`
	// Event must be in the version of the API, such as WebhookEvent("order/paid").
	Event WebhookEvent `json:"event,omitzero"`
}

func (in WebhookInput) check(v Version, creating bool) error {
	if (creating || in.URL != "") && !secure(in.URL) {
		return engine.Invalid("url", in.URL, "an https URL")
	}
	category, event, _ := strings.Cut(string(in.Event), "/")
	if (creating || in.Event != "") && (category == "" || event == "") {
		return engine.Invalid("event", in.Event, "a name of the form category/event")
	}
	if v == VersionV1 && onlyDated(in.Event) {
		return fmt.Errorf("event: %s: %w", wire.Quote(string(in.Event)), ErrNotInVersion)
	}
	return nil
}

// WebhookFilter selects registrations. The zero filter selects all registrations of the app.
type WebhookFilter struct {
	Paging
	Window
	// SinceID selects registrations with a greater id.
	SinceID ID
	URL     string       // exactly this URL
	Event   WebhookEvent // exactly this event
}

func (f WebhookFilter) query() *query {
	return newQuery().paging(f.Paging).window(f.Window).id("since_id", f.SinceID).text("url", f.URL).text("event", string(f.Event))
}

// WebhookService manages the app's registrations in the store. It has no scope of its own. It requires the scope of the
// resource of the event. It is in all versions.
type WebhookService engine.Service

// List selects registrations.
//
//api:endpoint GET /webhooks
func (s *WebhookService) List(f WebhookFilter) List[Webhook] {
	return listOf[Webhook](s, f.query(), engine.ListSpec{Path: "/webhooks", SinceID: true})
}

// Get returns a registration. If fields are given, only these members are returned.
//
//api:endpoint GET /webhooks/{id}
func (s *WebhookService) Get(ctx context.Context, id ID, fields ...string) (*Webhook, error) {
	return engine.Get[Webhook](ctx, s, "/webhooks/{id}", only(fields), id)
}

// Create registers a URL for an event and returns the registration. Both are required.
//
//api:endpoint POST /webhooks
func (s *WebhookService) Create(ctx context.Context, in WebhookInput) (*Webhook, error) {
	if err := in.check(Version(engine.VersionOf(s)), true); err != nil {
		return nil, err
	}
	return engine.Send[Webhook](ctx, s, http.MethodPost, "/webhooks", in)
}

// CreateOrGet returns the registration of the URL for the event. If there is none, it creates one; see
// ProductService.CreateOrGet. See Ensure for the comparison of URLs. A registration has no other members that could
// differ.
func (s *WebhookService) CreateOrGet(ctx context.Context, in WebhookInput) (w *Webhook, made bool, err error) {
	if err := in.check(Version(engine.VersionOf(s)), true); err != nil {
		return nil, false, err
	}
	return s.creation(in).run(ctx)
}

// Ensure registers a URL for events, and returns the registrations in the order of events. It does not change existing
// registrations. It sends one request for each 200 registrations of the app in the store, and one for each missing
// registration. It is idempotent, so it may be called again after an error, and by several processes at the same time.
// After a registration it reads the list again. If another process has registered the same event, the oldest
// registration stays and each process deletes its own.
//
// URLs are compared in a normal form, because the platform may return a different spelling. The comparison ignores
// letter case of scheme and host, the default port, an empty path, unnecessary escapes and the fragment. Paths and
// queries are case-sensitive; event names are not. If several registrations match, Ensure returns the oldest.
func (s *WebhookService) Ensure(ctx context.Context, url string, events ...WebhookEvent) ([]*Webhook, error) {
	for _, event := range events {
		if err := (WebhookInput{Event: event, URL: url}).check(Version(engine.VersionOf(s)), true); err != nil {
			return nil, err
		}
	}
	there, err := s.registered(ctx, url)
	if err != nil {
		return nil, err
	}
	var ensured []*Webhook
	own := make(map[WebhookEvent]ID)
	for _, event := range events {
		if there[folded(event)] == nil {
			w, made, err := s.creation(WebhookInput{Event: event, URL: url}).make(ctx)
			if err != nil {
				return ensured, fmt.Errorf("register %s: %w", wire.Quote(string(event)), err)
			}
			if there[folded(event)] = w; made {
				own[folded(event)] = w.ID
			}
		}
		ensured = append(ensured, there[folded(event)])
	}
	if len(own) == 0 {
		return ensured, nil
	}
	if err := s.yield(ctx, url, own, ensured); err != nil {
		return ensured, fmt.Errorf("read the registrations again: %w", err)
	}
	return ensured, nil
}

// yield deletes new registrations of this call for events that another process has registered, and replaces them in
// ensured with the remaining registrations.
func (s *WebhookService) yield(ctx context.Context, url string, own map[WebhookEvent]ID, ensured []*Webhook) error {
	there, err := s.registered(ctx, url)
	if err != nil {
		return err
	}
	for event, id := range own {
		first := there[event]
		if first == nil || first.ID >= id { // reads may lag writes
			continue
		}
		if err := s.Delete(ctx, id); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		for i, w := range ensured {
			if w.ID == id {
				ensured[i] = first
			}
		}
	}
	return nil
}

// registered returns the oldest registration of a URL for each event. It does not use the platform's filter by URL,
// which would miss other spellings.
func (s *WebhookService) registered(ctx context.Context, url string) (map[WebhookEvent]*Webhook, error) {
	there := make(map[WebhookEvent]*Webhook)
	for w, err := range s.List(WebhookFilter{}).All(ctx) {
		if err != nil {
			return nil, err
		}
		event := folded(w.Event)
		if address.Same(w.URL, url) && (there[event] == nil || w.ID < there[event].ID) {
			there[event] = w
		}
	}
	return there, nil
}

func (s *WebhookService) creation(in WebhookInput) creation[Webhook] {
	return creation[Webhook]{
		find: func(ctx context.Context) (*Webhook, error) {
			there, err := s.registered(ctx, in.URL)
			return there[folded(in.Event)], err
		},
		create: func(ctx context.Context) (*Webhook, error) { return s.Create(ctx, in) },
	}
}

// Update changes URL or event of a registration.
//
//api:endpoint PUT /webhooks/{id}
func (s *WebhookService) Update(ctx context.Context, id ID, in WebhookInput) (*Webhook, error) {
	if err := in.check(Version(engine.VersionOf(s)), false); err != nil {
		return nil, err
	}
	return engine.Send[Webhook](ctx, s, http.MethodPut, "/webhooks/{id}", in, id)
}

// Delete removes a registration.
//
//api:endpoint DELETE /webhooks/{id}
func (s *WebhookService) Delete(ctx context.Context, id ID) error {
	return engine.Delete(ctx, s, "/webhooks/{id}", id)
}
