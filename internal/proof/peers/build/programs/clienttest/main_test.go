package main

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestName(t *testing.T) {
	products := v202503.Products(clienttest.New(t).Client())
	made, err := products.Create(t.Context(), client.ProductInput{Name: client.Text{"en": "Mug"}})
	if err != nil {
		t.Fatal(err)
	}
	product, err := products.Get(t.Context(), made.ID)
	if err != nil || product.Name["en"] != "Mug" {
		t.Errorf("got %v, %v", product, err)
	}
}
