package paymentstest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/payments"
)

// Sign adds the platform's headers to a call: the time in seconds since 1970, and an RSA-SHA256 signature over the
// address, the time and the SHA-256 of the body. The address is the public URL of the call, with the query.
func Sign(h http.Header, key *rsa.PrivateKey, address string, body []byte, at time.Time) error {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	payload := sha256.Sum256(body)
	digest := sha256.Sum256([]byte(address + "|" + timestamp + "|" + hex.EncodeToString(payload[:])))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, digest[:])
	if err != nil {
		return fmt.Errorf("signing the call: %w", err)
	}
	h.Set(payments.TimestampHeader, timestamp)
	h.Set(payments.SignatureHeader, base64.StdEncoding.EncodeToString(signature))
	return nil
}
