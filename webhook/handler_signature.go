package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"sync"
	"sync/atomic"

	"github.com/commerceplatform/commerce-go/client/value"
)

// SignatureHeader is the header that carries the signature of a delivery.
const SignatureHeader = "x-platform-hmac-sha256"

// Sign returns the signature of a body: the hexadecimal HMAC-SHA256 keyed with the secret of the app. It is the
// signature that the platform sends. Use it in tests.
func Sign(secret value.Secret, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// keys makes the verifier of the current secrets.
type keys struct {
	secrets  *value.SecretSet
	verifier atomic.Pointer[verifier]
}

// current returns the verifier. It is harmless if two goroutines make one for the same new secrets.
func (k *keys) current() *verifier {
	list, v := k.secrets.Current(), k.verifier.Load()
	if v == nil || len(v.of) != len(list) || len(list) > 0 && &v.of[0] != &list[0] { // each Set makes a new slice
		v = newVerifier(list)
		k.verifier.Store(v)
	}
	return v
}

// verifier verifies signatures. Setting up a key takes longer than hashing a body of the usual size, so keyed states
// are pooled.
type verifier struct {
	of    []value.Secret
	pools []*sync.Pool
}

// keyed is the state of one secret. sum is part of it, because otherwise it would escape to the heap for every body.
type keyed struct {
	mac hash.Hash
	sum [sha256.Size]byte
}

func newVerifier(secrets []value.Secret) *verifier {
	v := &verifier{of: secrets}
	for _, secret := range secrets {
		if secret == "" { // the empty key is public
			continue
		}
		v.pools = append(v.pools, &sync.Pool{New: func() any {
			return &keyed{mac: hmac.New(sha256.New, []byte(secret))}
		}})
	}
	return v
}

// claimed returns the signature in header, all the values of the signature header. There must be exactly one signature:
// 64 hexadecimal digits of either case and nothing else.
func claimed(header []string) (signature [sha256.Size]byte, ok bool) {
	if len(header) != 1 || len(header[0]) != hex.EncodedLen(sha256.Size) {
		return signature, false
	}
	var digits [2 * sha256.Size]byte
	copy(digits[:], header[0])
	_, err := hex.Decode(signature[:], digits[:])
	return signature, err == nil
}

// verify reports whether a signature is that of body. It always tries all secrets, so that its duration does not reveal
// which one matched.
func (v *verifier) verify(want [sha256.Size]byte, body []byte) bool {
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
