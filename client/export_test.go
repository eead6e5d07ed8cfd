package client

import (
	"context"
	"flag"
	"math/rand/v2"
	"net/http"
	"reflect"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

var seedFlag = flag.Uint64("client.seed", 0, "the seed of random choices; 0 is another one each time")

// Seed returns the seed of the random choices of a test, and prints the flag that repeats them.
func Seed(t *testing.T) uint64 {
	t.Helper()
	seed := *seedFlag
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("repeat with -client.seed %d", seed)
	return seed
}

// DecodeList reads a list as the pages of a List are read.
func DecodeList[T any](ctx context.Context, c *Client, raw []byte) ([]T, error) {
	items, err := decodeItems(ctx, codecOf(c.core()), raw, reflect.TypeFor[[]T](), false)
	if !items.IsValid() {
		return nil, err
	}
	return items.Interface().([]T), err
}

// Decode reads a record as the answer to a call is read.
func Decode(ctx context.Context, c *Client, raw []byte, out any) error {
	return codecOf(c.core()).Decode(ctx, &engine.Answer{Header: http.Header{}, Status: http.StatusOK, Body: raw}, out)
}

// Formed reports whether the forms take raw.
func Formed(raw []byte, out any) bool { return forms.Unmarshal(raw, out) }

// AtVersion returns the services of a client at a version.
func AtVersion(c *Client, v Version) *engine.Service { return atVersion(c, v) }

// AppAt returns the services of an app at a version.
func AppAt(a *App, v Version) *engine.Service { return appAt(a, v) }
