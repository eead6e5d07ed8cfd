package discounts

import (
	"context"
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// PromotionService manages the promotions that the app has in a store. There is no
// scope for it: the platform enables an app for discounts, and answers others
// client.ErrForbidden. All versions have it.
type PromotionService engine.Service

// Create registers a promotion in the store and returns its id. Carts are sent from
// then on, if CallbackService.Set has told where to. It is not repeated after a failure
// that may have come too late: on client.ErrOutcomeUnknown look for the name in List
// before you repeat it.
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

// CreateOrGet returns the promotion that has the name and the tier of the input, or else creates it. Made reports
// which, as that of client.CreateOrGet. A promotion that was there has what it was created with: in.Differences(p)
// names what differs, which Update changes; its texts cannot be read. If the answer to the create is lost, the
// promotion is looked for, as client.CreateOrGet does, so that an install which is repeated makes no second one; made
// is false then. Two processes that call it at the same time may make two: the contract does not say that the platform
// refuses a second promotion of a name.
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
		return &Promotion{ID: id, Name: in.Name, Tier: in.Tier}, nil // the read is late
	})
}

// created is the answer to Create.
type created reference

// UnmarshalJSON reads the id in the envelope of the documentation, or beside it, as some clients do.
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

// List selects the promotions of the app in the store, those that were not deleted.
// Their texts are not among what the platform shows, but for the name.
//
//api:endpoint GET /promotions
func (s *PromotionService) List() client.List[Promotion] {
	return client.List[Promotion](engine.List(s, engine.ListSpec{Path: "/promotions", Envelope: []string{"data"}, Whole: true}))
}

// Update switches a promotion on or off, or changes what it combines with.
//
//api:endpoint PATCH /promotions/{id}
func (s *PromotionService) Update(ctx context.Context, id uuid.UUID, u Update) error {
	if err := u.check(); err != nil {
		return err
	}
	return engine.Do(ctx, s, engine.Request{Method: http.MethodPatch, Path: "/promotions/{id}", Args: []any{id}, Body: u}, nil)
}

// Delete deletes a promotion for good.
//
//api:endpoint DELETE /promotions/{id}
func (s *PromotionService) Delete(ctx context.Context, id uuid.UUID) error {
	return engine.Do(ctx, s, engine.Request{Method: http.MethodDelete, Path: "/promotions/{id}", Args: []any{id}}, nil)
}

// CallbackService says where carts are sent to. There is no scope for it, as for
// PromotionService. All versions have it.
type CallbackService engine.Service

// Set sets or replaces the address that carts are sent to, where a Handler is. It
// cannot be removed. Carts are sent only for stores that have promotions of the app.
//
//api:endpoint PUT /discounts/callbacks
func (s *CallbackService) Set(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return engine.Invalid("url", callback.Host(address), "an absolute http or https URL without user or password")
	}
	return engine.Do(ctx, s, engine.Request{Method: http.MethodPut, Path: "/discounts/callbacks",
		Body: map[string]string{"url": address}}, nil)
}
