package client

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

func TestKitReadsTolerantly(t *testing.T) {
	var k Kit
	if err := wire.Unmarshal([]byte(`{"id":"7","sku":null,"gender":null,"age_group":null,"invalid_at":null,"video_url":null,"discount_percent":null,"kit_stock":null,
		"description":[],"categories":["4567"],"components":[{"product_id":"42","quantity":"2","position":0,"name":{"default":"Taza"},"image_url":null,"price":null,"promotional_price":null,"stock":null}]}`), &k); err != nil {
		t.Fatal(err)
	}
	if k.SKU != nil || k.Gender != "" || !k.InvalidAt.IsZero() || k.DiscountPercent != "" || k.KitStock != nil || k.Categories[0] != 4567 {
		t.Errorf("got %+v", k)
	}
	if c := k.Components[0]; c.ProductID != 42 || c.Quantity != 2 || c.Name.Get("default") != "Taza" || c.Price != nil || c.Stock != nil || c.ImageURL != nil {
		t.Errorf("component: got %+v", c)
	}
}
