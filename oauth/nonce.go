package oauth

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// nonce is 32 bytes that nobody can guess: a state, or the name of a browser in its cookie.
type nonce [32]byte

// A state consists of random bytes, the time of its issue in seconds, and a tag that only the browser's cookie can
// make. The tag finds the cookie among several. It only selects the error text: the store decides which codes may be
// exchanged.
const (
	stateRandom = 20
	stateIssued = stateRandom + 4
)

func newNonce() nonce {
	var n nonce
	_, _ = rand.Read(n[:]) // never fails
	return n
}

func newState(appID client.ID, browser nonce, now time.Time) nonce {
	n := newNonce()
	binary.BigEndian.PutUint32(n[stateRandom:], uint32(now.Unix()))
	copy(n[stateIssued:], n.tag(appID, browser))
	return n
}

// isOf reports whether the state was issued to the browser.
func (n nonce) isOf(appID client.ID, browser nonce) bool {
	return hmac.Equal(n[stateIssued:], n.tag(appID, browser))
}

func (n nonce) tag(appID client.ID, browser nonce) []byte {
	mac := hmac.New(sha256.New, browser[:])
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(appID)))
	mac.Write(n[:stateIssued])
	return mac.Sum(nil)[:len(n)-stateIssued]
}

// old reports whether a state was issued longer ago than its lifetime.
func (n nonce) old() bool {
	issued := time.Unix(int64(binary.BigEndian.Uint32(n[stateRandom:])), 0)
	return time.Since(issued) > stateLifetime
}

func (n nonce) String() string { return base64.RawURLEncoding.EncodeToString(n[:]) }

// parseNonce accepts only the spelling that String returns.
func parseNonce(s string) (nonce, bool) {
	var n nonce
	if len(s) != base64.RawURLEncoding.EncodedLen(len(n)) {
		return n, false
	}
	size, err := base64.RawURLEncoding.Strict().Decode(n[:], []byte(s))
	if err != nil || size != len(n) {
		return nonce{}, false
	}
	return n, true
}

// stateKey binds a state to the app and the browser, and hides both from readers of the store. It also protects the
// look-up from timing attacks, because a key cannot be guessed part by part without both.
func stateKey(appID client.ID, state, browser nonce) string { return hash(appID, state[:], browser[:]) }

// codeKey binds a code that came without a state to the browser that brought it.
func codeKey(appID client.ID, code string, browser nonce) string {
	return hash(appID, []byte("code"), browser[:], []byte(code))
}

// endedKey is the key of the record of an installation's outcome.
func endedKey(key string) string { return hash(0, []byte("ended"), []byte(key)) }

func hash(appID client.ID, parts ...[]byte) string {
	h := sha256.New()
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(appID)))
	for _, part := range parts {
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil))
}
