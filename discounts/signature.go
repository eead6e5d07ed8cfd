package discounts

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"

	"github.com/commerceplatform/commerce-go/client"
)

// SignatureHeader is the header with the signature of a cart. The platform has announced that it will sign carts with
// a shared secret, but has not specified the form. It is assumed to be the form of webhooks. Handler.HeaderName
// changes the name.
const SignatureHeader = "x-platform-hmac-sha256"

// Sign returns the signature of a body: the hexadecimal HMAC-SHA256 keyed with the secret.
func Sign(secret client.Secret, body []byte) string { return hex.EncodeToString(code(secret, body)) }

func code(secret client.Secret, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return mac.Sum(nil)
}

// claimed returns the signature in header, the values of the signature header. There must be exactly one.
func claimed(header []string) ([]byte, bool) {
	if len(header) != 1 || len(header[0]) != hex.EncodedLen(sha256.Size) {
		return nil, false
	}
	signature, err := hex.DecodeString(header[0])
	return signature, err == nil
}

// signed reports whether the signature is valid for body. It always tries all secrets, so that timing does not reveal
// which one matched. An empty secret never matches, because it is publicly known.
func signed(secrets []client.Secret, signature, body []byte) bool {
	matched := false
	for _, secret := range secrets {
		equal := hmac.Equal(code(secret, body), signature)
		matched = matched || equal && secret != ""
	}
	return matched
}
