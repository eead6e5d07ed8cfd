package main

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/jarcoal/httpmock"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestName(t *testing.T) {
	httpmock.Activate(t)
	httpmock.RegisterResponder(http.MethodGet, "https://api.example/products/1",
		httpmock.NewStringResponder(http.StatusOK, `{"id":1,"name":{"en":"Mug"}}`))
	resp, err := http.Get("https://api.example/products/1")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var product struct {
		ID   int64
		Name map[string]string
	}
	if err := json.NewDecoder(resp.Body).Decode(&product); err != nil || product.Name["en"] != "Mug" {
		t.Errorf("got %v, %v", product, err)
	}
}
