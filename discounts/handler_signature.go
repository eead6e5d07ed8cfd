package discounts

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
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

// verifier verifies that carts are from the platform.
type verifier struct {
	*Handler
	header  string
	secrets *client.SecretSet // nil if signatures are not checked
}

func newVerifier(h *Handler) *verifier {
	return &verifier{h, http.CanonicalHeaderKey(h.headerName()), callback.SecretsOf(h.Secrets, h.SecretSet)}
}

// admit rejects a request whose address is not allowed, or that has not one well-formed signature if that is required.
func (v *verifier) admit(in *received, r *http.Request) *client.Refused {
	unlisted := callback.Unlisted(v.Sources, r)
	if unlisted != nil && !v.Either {
		return unlisted
	}
	if v.secrets == nil || v.Either && unlisted == nil {
		return nil
	}
	given, ok := r.Header[v.header], false
	if in.signature, ok = claimed(given); !ok {
		return v.unproven(r, callback.Unsigned(v.header, given, "64 hexadecimal digits", http.StatusForbidden))
	}
	return nil
}

// verify rejects a request whose signature is not valid for its body.
func (v *verifier) verify(in *received, r *http.Request, raw []byte) *client.Refused {
	if in.signature == nil {
		return nil
	}
	list := v.secrets.Current()
	if signed(list, in.signature, raw) {
		return nil
	}
	refused := callback.BadSignature(v.header, len(list), http.StatusForbidden)
	if len(list) == 0 { // a mistake of this side must not cost the cart its discounts
		refused.Status = http.StatusNoContent
	}
	return v.unproven(r, refused)
}

// unproven returns the refusal of a request without a valid signature. With Either, Sources could have allowed it.
func (v *verifier) unproven(r *http.Request, refused *client.Refused) *client.Refused {
	if !v.Either {
		return refused
	}
	if other := callback.Unlisted(v.Sources, r); other != nil {
		refused.Address, refused.Hop, refused.Err = other.Address, other.Hop, fmt.Errorf("%w; and %w", refused.Err, other.Err)
	}
	return refused
}

// signs reports whether secrets are configured.
func (h *Handler) signs() bool { return len(h.Secrets) > 0 || h.SecretSet != nil }

func (h *Handler) headerName() string { return cmp.Or(h.HeaderName, SignatureHeader) }
