package promotions

import (
	"context"
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/address"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// PromotionService manages the app's promotions in a store. It requires no scope, but the platform must enable the
// app for discounts; otherwise it answers client.ErrForbidden. All versions have it.
type PromotionService engine.Service

// Create registers a promotion in the store and returns its id. From then on the platform sends carts to the URL set
// by CallbackService.Set. Create is not retried after a failure that may have happened after the platform applied it.
// After client.ErrOutcomeUnknown, look for the name in List before you repeat the call.
//
//api:endpoint POST /promotions
func (s *PromotionService) Create(ctx context.Context, in Input) (uuid.UUID, error) {
	if err := in.check(); err != nil {
		return uuid.Nil, err
	}
	created, err := engine.Result[created](ctx, s, engine.Request{Method: http.MethodPost, Path: "/promotions", Body: in})
	if err != nil {
		return uuid.Nil, err
	}
	return created.ID, nil
}

// CreateOrGet returns the promotion with the name and the tier of the input, or creates it. Made reports whether it
// was created, as in client.CreateOrGet. An existing promotion is not changed. In that case in.Differences(p) returns
// the members that differ, which Update can change. Texts cannot be read. If the response to the creation is lost,
// CreateOrGet looks for the promotion, as client.CreateOrGet does. So a repeated installation creates no second one,
// and made is false. Two concurrent processes can create two, because the contract does not require unique names.
func (s *PromotionService) CreateOrGet(ctx context.Context, in Input) (p *Promotion, made bool, err error) {
	if err := in.check(); err != nil {
		return nil, false, err
	}
	find := func(ctx context.Context) (*Promotion, error) {
		for p, err := range s.List().All(ctx) {
			if err != nil {
				return nil, err
			}
			if p.Name == in.Name && p.Tier == in.Tier {
				return p, nil
			}
		}
		return nil, nil
	}
	return client.CreateOrGet(ctx, find, func(ctx context.Context) (*Promotion, error) {
		id, err := s.Create(ctx, in)
		if err != nil {
			return nil, err
		}
		if p, err := find(ctx); err != nil || p != nil && p.ID == id {
			return p, err
		}
		return &Promotion{ID: id, Name: in.Name, Tier: in.Tier}, nil // the new promotion is not readable yet
	})
}

// created is the response to Create.
type created struct {
	ID    uuid.UUID    `json:"id"`
	Extra client.Extra `json:",embed" wire:"methods"`
}

// UnmarshalJSON reads the id in the envelope of the documentation, or without it, as some clients do.
func (c *created) UnmarshalJSON(data []byte) error {
	var answer struct {
		Data  client.Nullable[reference] `json:"data"`
		ID    uuid.UUID                  `json:"id"`
		Extra client.Extra               `json:",embed"`
	}
	if err := wire.Unmarshal(data, &answer); err != nil {
		return err
	}
	*c = created(answer.Data.V)
	if !answer.Data.Valid {
		*c = created{answer.ID, answer.Extra}
	}
	return nil
}

type reference struct {
	ID    uuid.UUID    `json:"id"`
	Extra client.Extra `json:",embed"`
}

// List returns a query for the app's promotions in the store, without deleted ones. The platform returns none of
// their texts except the name.
//
//api:endpoint GET /promotions
func (s *PromotionService) List() client.List[Promotion] {
	return client.List[Promotion](engine.List(s, engine.ListSpec{Path: "/promotions", Envelope: []string{"data"}, Whole: true}))
}

// Update enables or disables a promotion, or changes its combinations.
//
//api:endpoint PATCH /promotions/{id}
func (s *PromotionService) Update(ctx context.Context, id uuid.UUID, u Update) error {
	if err := u.check(); err != nil {
		return err
	}
	return engine.Do(ctx, s, engine.Request{Method: http.MethodPatch, Path: "/promotions/{id}", Args: []any{id}, Body: u}, nil)
}

// Delete deletes a promotion permanently.
//
//api:endpoint DELETE /promotions/{id}
func (s *PromotionService) Delete(ctx context.Context, id uuid.UUID) error {
	return engine.Do(ctx, s, engine.Request{Method: http.MethodDelete, Path: "/promotions/{id}", Args: []any{id}}, nil)
}

// CallbackService registers the URL to which the platform sends carts. It requires no scope, as PromotionService. All
// versions have it.
type CallbackService engine.Service

// Set sets or replaces the URL of a Handler. The platform offers no way to remove it. It sends carts only for stores
// that have promotions of the app.
//
//api:endpoint PUT /discounts/callbacks
func (s *CallbackService) Set(ctx context.Context, callbackURL string) error {
	u, err := url.Parse(callbackURL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return engine.Invalid("url", address.Host(callbackURL), "an absolute http or https URL without user or password")
	}
	return engine.Do(ctx, s, engine.Request{Method: http.MethodPut, Path: "/discounts/callbacks",
		Body: map[string]string{"url": callbackURL}}, nil)
}
