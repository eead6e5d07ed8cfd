package discounts

import (
	"net/netip"

	"github.com/commerceplatform/commerce-go/client"
)

// Sources is the allowlist of the addresses that send carts: see client.Sources.
type Sources = client.Sources

// ParseSources parses addresses and networks for Sources: see client.ParseSources.
func ParseSources(texts ...string) ([]netip.Prefix, error) { return client.ParseSources(texts...) }
