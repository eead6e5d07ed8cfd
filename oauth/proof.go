package oauth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// proof is the parameter of a success address: the store, the end of the proof in seconds, and a MAC over both and the
// browser. The key of the MAC is derived from the client secret, so every replica can check a proof, and nobody else
// can make one.
type proof [16 + sha256.Size]byte

func (h *Handler) prove(browser nonce, storeID client.ID) string {
	var p proof
	binary.BigEndian.PutUint64(p[:], uint64(storeID))
	binary.BigEndian.PutUint64(p[8:], uint64(time.Now().Add(stateLifetime).Unix()))
	copy(p[16:], h.seal(browser, p[:16]))
	return base64.RawURLEncoding.EncodeToString(p[:])
}

// proven returns the store in which the browser of the request has installed the app.
func (h *Handler) proven(r *http.Request, text string) (storeID client.ID, err error) {
	var p proof
	if len(text) != base64.RawURLEncoding.EncodedLen(len(p)) {
		return 0, fmt.Errorf("%w: malformed success address", errQuery)
	}
	if _, err := base64.RawURLEncoding.Strict().Decode(p[:], []byte(text)); err != nil {
		return 0, fmt.Errorf("%w: malformed success address", errQuery)
	}
	known, _ := h.cookies.known(r)
	switch {
	case time.Now().Unix() > int64(binary.BigEndian.Uint64(p[8:])):
		return 0, ErrExpired
	case len(known) == 0:
		return 0, fmt.Errorf("%w: %w", errHidden, ErrNoCookie)
	}
	for _, browser := range known {
		if hmac.Equal(p[16:], h.seal(browser, p[:16])) {
			return client.ID(binary.BigEndian.Uint64(p[:])), nil
		}
	}
	return 0, ErrOtherBrowser
}

func (h *Handler) seal(browser nonce, body []byte) []byte {
	key := hmac.New(sha256.New, []byte(h.App.Secret))
	key.Write([]byte("commerce-go oauth success address"))
	mac := hmac.New(sha256.New, key.Sum(nil))
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(h.App.ID)))
	mac.Write(browser[:])
	mac.Write(body)
	return mac.Sum(nil)
}
