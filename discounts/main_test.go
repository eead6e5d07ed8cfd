package discounts

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
)

var seedFlag = flag.Uint64("discounts.seed", 0, "the seed of random choices, to repeat them; 0 is another one each time")

// seeded returns the seed of the random choices of a test, and logs how to repeat them.
func seeded(t *testing.T) uint64 {
	seed := *seedFlag
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-discounts.seed=%d", seed)
	return seed
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// corpus is testdata/invalid-commands.json.
type corpus struct {
	Promotions []promotions.Promotion
	Carts      map[string]json.RawMessage
	Valid      []answerCase
	Invalid    []answerCase
}

type answerCase struct {
	Name, Cart, Rule string
	Answer           json.RawMessage
}

// body is the answer as it is sent.
func (c answerCase) body() []byte {
	var text string
	if json.Unmarshal(c.Answer, &text) == nil && string(c.Answer) != "null" {
		return []byte(text)
	}
	return c.Answer
}

func readCorpus(t testing.TB) corpus {
	t.Helper()
	data, err := os.ReadFile("testdata/invalid-commands.json")
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Promotions []json.RawMessage
		corpus
	}
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	for _, raw := range c.Promotions {
		var p promotions.Promotion
		if err := json.Unmarshal(raw, &p); err != nil {
			t.Fatal(err)
		}
		c.corpus.Promotions = append(c.corpus.Promotions, p)
	}
	return c.corpus
}

// cart reads the cart of a tier.
func (c corpus) cart(t testing.TB, tier promotions.Tier) *Cart {
	t.Helper()
	cart, err := ReadCart(c.Carts[string(tier)])
	if err != nil {
		t.Fatal(err)
	}
	return cart
}

// always is a cache in which every store has these promotions.
func always(t testing.TB, own ...promotions.Promotion) *PromotionCache {
	r := &PromotionCache{Load: func(context.Context, client.ID) ([]promotions.Promotion, error) { return own, nil }}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func request(ctx context.Context, body []byte) *http.Request {
	return httptest.NewRequestWithContext(ctx, http.MethodPost, "/carts", bytes.NewReader(body))
}

// discard is a writer for answers that do not matter.
type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) WriteHeader(int)             {}
