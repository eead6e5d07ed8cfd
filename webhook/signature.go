package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"sync"

	"github.com/commerceplatform/commerce-go/client"
)

// SignatureHeader is the header that carries the signature of a delivery.
const SignatureHeader = "x-platform-hmac-sha256"

// Sign returns the signature of a body: the hexadecimal HMAC-SHA256 keyed with the
// secret of the app. It is what the platform sends, for use in tests.
func Sign(secret client.Secret, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// verifier knows the secrets. Setting up a key costs more than hashing a body of
// the usual size, so keyed states are pooled.
type verifier struct{ pools []*sync.Pool }

// keyed is the state of one secret. sum lives in it because it would escape to the
// heap for every body otherwise.
type keyed struct {
	mac hash.Hash
	sum [sha256.Size]byte
}

func newVerifier(secrets []client.Secret) verifier {
	var v verifier
	for _, secret := range secrets {
		if secret == "" { // everybody knows the empty key
			continue
		}
		v.pools = append(v.pools, &sync.Pool{New: func() any {
			return &keyed{mac: hmac.New(sha256.New, []byte(secret))}
		}})
	}
	return v
}

// verify reports whether header, all the values of the signature header, is exactly
// one signature of body: 64 hexadecimal digits of either case and nothing else.
// All secrets are tried in any case, so that time does not tell which one matched.
func (v verifier) verify(header []string, body []byte) bool {
	if len(header) != 1 || len(header[0]) != hex.EncodedLen(sha256.Size) {
		return false
	}
	var digits [2 * sha256.Size]byte
	var want [sha256.Size]byte
	copy(digits[:], header[0])
	if _, err := hex.Decode(want[:], digits[:]); err != nil {
		return false
	}
	matched := false
	for _, pool := range v.pools {
		k := pool.Get().(*keyed)
		k.mac.Reset()
		k.mac.Write(body)
		equal := hmac.Equal(k.mac.Sum(k.sum[:0]), want[:])
		pool.Put(k)
		matched = equal || matched
	}
	return matched
}
