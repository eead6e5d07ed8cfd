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

// signer has the key of one platform, which is drawn when it is first needed.
type signer struct {
	once sync.Once
	key  *rsa.PrivateKey
	err  error
}

func (s *signer) private() (*rsa.PrivateKey, error) {
	s.once.Do(func() { s.key, s.err = rsa.GenerateKey(rand.Reader, keyBits) })
	return s.key, s.err
}

// sign returns the headers that sign a call: RSA-SHA256 over
// URL|timestamp|hex SHA-256 of the payload.
func (s *signer) sign(address string, body []byte, at time.Time) (http.Header, error) {
	key, err := s.private()
	if err != nil {
		return nil, err
	}
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
