package client

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

func TestStoreReadsTextsThatAreNotFilledIn(t *testing.T) {
	var s Store
	if err := wire.Unmarshal([]byte(`{"id":"7","name":"Shop","description":[],"logo":null,"blog":null,"features":null}`), &s); err != nil {
		t.Fatal(err)
	}
	if s.ID != 7 || s.Name.Get() != "Shop" || s.Description.Get() != "" || s.Logo != nil || s.Blog != "" {
		t.Errorf("got %+v", s)
	}
	if s.HasFeature(FeatureInventoryLevels) {
		t.Errorf("HasFeature = true for a store without features")
	}
	s.Features = []string{"inventory-levels"}
	if !s.HasFeature(FeatureInventoryLevels) {
		t.Errorf("HasFeature = false for a store with inventory-levels")
	}
}

func TestStoreServiceAsksForFields(t *testing.T) {
	v, seen := answering(t, VersionV1, `{"id":123,"country":"AR"}`)
	s, err := (*StoreService)(v).Get(t.Context(), "id", "country")
	if err != nil || s.Country != "AR" {
		t.Fatalf("Get = %+v, %v", s, err)
	}
	if got, want := (*seen)[0].String(), "GET /v1/123/store fields=id%2Ccountry"; got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
}
