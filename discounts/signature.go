package discounts

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"

	"github.com/commerceplatform/commerce-go/client"
)

// SignatureHeader is the header that carries the signature of a cart. The platform has
// announced that it is going to sign carts with a shared secret, and not yet in what form:
// it is assumed to be that of webhooks. Handler.HeaderName changes the name.
const SignatureHeader = "x-platform-hmac-sha256"

// Sign returns the signature of a body: the hexadecimal HMAC-SHA256 keyed with the
// secret.
func Sign(secret client.Secret, body []byte) string { return hex.EncodeToString(code(secret, body)) }

func code(secret client.Secret, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return mac.Sum(nil)
}

// claimed returns the signature in header, all the values of the signature header, which must
// be exactly one.
func claimed(header []string) ([]byte, bool) {
	if len(header) != 1 || len(header[0]) != hex.EncodedLen(sha256.Size) {
		return nil, false
	}
	signature, err := hex.DecodeString(header[0])
	return signature, err == nil
}

// signed reports whether the signature is that of body. All secrets are tried in any case, so that
// time does not tell which one matched. An empty secret, which everybody knows, matches nothing.
func signed(secrets []client.Secret, signature, body []byte) bool {
	matched := false
	for _, secret := range secrets {
		equal := hmac.Equal(code(secret, body), signature)
		matched = matched || equal && secret != ""
	}
	return matched
}
