package discounts

import (
	"net/netip"

	"github.com/commerceplatform/commerce-go/client"
)

// Sources is the allow-list of the addresses that carts come from: see client.Sources.
type Sources = client.Sources

// ParseSources reads addresses and networks for Sources: see client.ParseSources.
func ParseSources(texts ...string) ([]netip.Prefix, error) { return client.ParseSources(texts...) }
