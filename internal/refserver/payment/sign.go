package payment

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// The headers of a signed call.
const (
	timestampHeader = "X-Timestamp"
	signatureHeader = "X-Signature"
)

// keyBits is the size of the key of a platform.
const keyBits = 2048

// Signing is how calls are signed. The zero value is the contract.
type Signing struct {
	// OldKey signs with the key before the one that PublicKey returns.
	OldKey bool
	// Skew is how far the timestamps are ahead of the clock, negative for late ones.
	Skew time.Duration
}

// signer has the keys of one platform, which are drawn when they are first needed.
type signer struct {
	mu       sync.Mutex
	key, old *rsa.PrivateKey
	signing  Signing
}

// private is the key that PublicKey returns.
func (s *signer) private() (*rsa.PrivateKey, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return drawn(&s.key)
}

// drawn is a key, which is drawn if there is none yet.
func drawn(key **rsa.PrivateKey) (*rsa.PrivateKey, error) {
	if *key == nil {
		k, err := rsa.GenerateKey(rand.Reader, keyBits)
		if err != nil {
			return nil, err
		}
		*key = k
	}
	return *key, nil
}

// RotateKey draws another key. The one that PublicKey returned until now is the old one.
func (p *Platform) RotateKey() error {
	next, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return err
	}
	p.signer.mu.Lock()
	defer p.signer.mu.Unlock()
	if _, err := drawn(&p.key); err != nil {
		return err
	}
	p.key, p.old = next, p.key
	return nil
}

// SetSigning changes how calls are signed from now on.
func (p *Platform) SetSigning(s Signing) {
	p.signer.mu.Lock()
	defer p.signer.mu.Unlock()
	p.signing = s
}

// Signing is how calls are signed.
func (p *Platform) Signing() Signing {
	p.signer.mu.Lock()
	defer p.signer.mu.Unlock()
	return p.signing
}

// signs returns the key that signs and what to add to the time.
func (s *signer) signs() (*rsa.PrivateKey, time.Duration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	which := &s.key
	if s.signing.OldKey {
		which = &s.old
	}
	key, err := drawn(which)
	return key, s.signing.Skew, err
}

// sign returns the headers that sign a call with the key and the time that Signing says.
func (s *signer) sign(address string, body []byte, at time.Time) (http.Header, error) {
	key, skew, err := s.signs()
	if err != nil {
		return nil, err
	}
	return Sign(key, address, body, at.Add(skew))
}

// Sign returns the headers that sign a call with a key: RSA-SHA256 over
// URL|timestamp|hex SHA-256 of the payload.
func Sign(key *rsa.PrivateKey, address string, body []byte, at time.Time) (http.Header, error) {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	payload := sha256.Sum256(body)
	digest := sha256.Sum256([]byte(address + "|" + timestamp + "|" + hex.EncodeToString(payload[:])))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, digest[:])
	if err != nil {
		return nil, err
	}
	h := http.Header{}
	h.Set(timestampHeader, timestamp)
	h.Set(signatureHeader, base64.StdEncoding.EncodeToString(signature))
	return h, nil
}
