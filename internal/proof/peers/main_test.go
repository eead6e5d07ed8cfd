package peers

import (
	"net/http"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ours returns the services of this module over a transport, or over the default one.
func ours(b *testing.B, base string, transport http.RoundTripper) *client.Client {
	b.Helper()
	c, err := client.New(client.Config{
		BaseURL: base, StoreID: 1, Token: client.StaticToken("t"), UserAgent: "Bench (bench@app.example)",
		HTTPClient: &http.Client{Transport: transport},
	})
	if err != nil {
		b.Fatal(err)
	}
	return c
}
