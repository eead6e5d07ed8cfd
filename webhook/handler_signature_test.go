package webhook

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

func TestSign(t *testing.T) {
	// RFC 4231, test case 2.
	const want = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
	if got := Sign("Jefe", []byte("what do ya want for nothing?")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// accepts is what receive does with the header and the body of a delivery.
func (v *verifier) accepts(header []string, body []byte) bool {
	signature, ok := claimed(header)
	return ok && v.verify(signature, body)
}

func TestVerify(t *testing.T) {
	body := []byte(paidBody)
	one, two, empty := Sign("one", body), Sign("two", body), Sign("", body)
	tests := []struct {
		name    string
		secrets []client.Secret
		header  []string
		want    bool
	}{
		{"newest", []client.Secret{"one", "two"}, []string{one}, true},
		{"one before", []client.Secret{"one", "two"}, []string{two}, true},
		{"upper case", []client.Secret{"one"}, []string{strings.ToUpper(one)}, true},
		{"retired", []client.Secret{"one"}, []string{two}, false},
		{"no secret", nil, []string{empty}, false},
		{"empty secret", []client.Secret{""}, []string{empty}, false},
		{"empty beside another", []client.Secret{"one", ""}, []string{empty}, false},
		{"other beside an empty one", []client.Secret{"", "one"}, []string{one}, true},
		{"twice the same", []client.Secret{"one"}, []string{one, one}, false},
		{"no header", []client.Secret{"one"}, nil, false},
		{"zeros", []client.Secret{"one"}, []string{strings.Repeat("0", 64)}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := newVerifier(tt.secrets)
			for range 3 { // the pooled state is used again
				if got := v.accepts(tt.header, body); got != tt.want {
					t.Errorf("got %v, want %v", got, tt.want)
				}
			}
		})
	}
}

// TestProofMutations: requests that differ from a signed one, a million of them in make prove, none of which may pass,
// and a thousand that do not differ, all of which must.
func TestProofMutations(t *testing.T) {
	const controls, throughHandler = 1_000, 10_000
	mutations := tier.Size(100_000, 1_000_000, 100_000_000)
	p := newProbe(t, func(h *Handler) { h.Secrets = secrets(2) })
	v := newVerifier(secrets(1))
	workers := runtime.GOMAXPROCS(0)
	var accepted, passed, tried atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(w)))
			var sample []signedBody
			for range 500 {
				body := delivery(random)
				sample = append(sample, signedBody{body, Sign(testSecret, body)})
			}
			for i := w; i < mutations; i += workers {
				header, body := mutate(random, sample)
				tried.Add(1)
				if v.accepts(header, body) {
					accepted.Add(1)
					t.Errorf("accepted header %q for body %q", header, body)
				}
				if i >= throughHandler {
					continue
				}
				r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(string(body)))
				r.Header[http.CanonicalHeaderKey(SignatureHeader)] = header
				if got := send(p, r).Code; got != http.StatusUnauthorized {
					t.Errorf("header %q, body %q: got status %d, want 401", header, body, got)
				}
			}
			for i := w; i < controls; i += workers {
				body := delivery(random)
				if v.accepts([]string{Sign(testSecret, body)}, body) &&
					p.engine.keys.current().accepts([]string{Sign(secrets(2)[1], body)}, body) {
					passed.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if tried.Load() != int64(mutations) || accepted.Load() != 0 || passed.Load() != controls {
		t.Errorf("accepted %d of %d mutations and %d of %d controls", accepted.Load(), tried.Load(), passed.Load(),
			controls)
	}
	if p.parses != 0 || len(p.calls) != 0 {
		t.Errorf("got %d parses and %d calls, want none", p.parses, len(p.calls))
	}
}

func delivery(random *rand.Rand) []byte {
	body := []byte(`{"store_id":`)
	for range 1 + random.IntN(12) {
		body = append(body, '1'+byte(random.IntN(9)))
	}
	return append(body, `,"event":"order/paid","id":871254203}`...)
}

type signedBody struct {
	body      []byte
	signature string
}

// mutate returns one of the sample with one thing wrong.
func mutate(random *rand.Rand, sample []signedBody) (header []string, body []byte) {
	at := func(n int) int { return random.IntN(n) }
	original := sample[at(len(sample))]
	body, signature := bytes.Clone(original.body), []byte(original.signature)
	switch at(12) {
	case 0: // a bit of the body
		body[at(len(body))] ^= 1 << at(8)
	case 1: // a byte more
		i := at(len(body) + 1)
		body = append(body[:i:i], append([]byte{byte(at(256))}, body[i:]...)...)
	case 2: // a byte less
		i := at(len(body))
		body = append(body[:i:i], body[i+1:]...)
	case 3: // cut
		body = body[:at(len(body))]
	case 4: // another digit
		i, old := at(64), byte(0)
		for old = signature[i]; signature[i] == old; {
			signature[i] = "0123456789abcdef"[at(16)]
		}
	case 5: // not a digit
		for i := at(64); strings.IndexByte("0123456789abcdefABCDEF", signature[i]) >= 0; {
			signature[i] = byte(at(256))
		}
	case 6: // cut
		signature = signature[:at(64)]
	case 7: // longer
		i := at(65)
		signature = append(signature[:i:i], append([]byte{" 0\n\ta"[at(5)]}, signature[i:]...)...)
	case 8: // twice
		return []string{string(signature), string(signature)}, body
	case 9: // by a stranger
		signature = []byte(Sign(client.Secret(delivery(random)), body))
	case 10: // of another body
		body = append(bytes.Clone(sample[at(len(sample))].body), ' ')
	case 11: // made up
		for i := range signature {
			signature[i] = "0123456789abcdef"[at(16)]
		}
	}
	return []string{string(signature)}, body
}
