package client

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

func TestCartServiceRequests(t *testing.T) {
	ctx := t.Context()
	requests(t, VersionV1, as[CartService], []request[CartService]{
		{"GET /v1/123/carts/7/discounts", `{"data":[]}`, func(s *CartService) error {
			got, err := s.Discounts(ctx, 7)
			if len(got) != 0 {
				t.Errorf("got %+v, want none", got)
			}
			return err
		}},
		{"GET /v1/123/carts/7/discounts", `{"data":[{"promotion_id":"02aaa5c6-080a-40e9-a61f-90ca2150d6a2","line_items":["67890",67891]}]}`, func(s *CartService) error {
			got, err := s.Discounts(ctx, 7)
			if len(got) != 1 || got[0].PromotionID.String() != "02aaa5c6-080a-40e9-a61f-90ca2150d6a2" || got[0].LineItems[0] != "67890" || got[0].LineItems[1] != "67891" {
				t.Errorf("got %+v", got)
			}
			return err
		}},
	})
	requests(t, Version202503, func(s *engine.Service) *DatedCartService { return &DatedCartService{as[CartService](s)} }, []request[DatedCartService]{
		{"GET /2025-03/123/carts/7", `{"id":7,"products":[]}`, func(s *DatedCartService) error {
			c, err := s.Get(ctx, 7)
			if err == nil && (c.ID != "7" || string(c.Extra["products"]) != "[]") {
				t.Errorf("got %+v", c)
			}
			return err
		}},
	})
}
