package payments

import (
	"bytes"
	"cmp"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// The headers of a signed call. The signature is RSA-SHA256 (PKCS #1 v1.5), in Base64, over this text:
//
//	URL|timestamp|hexadecimal SHA-256 of the compact JSON payload
//
// The timestamp is written as in its header. The contract does not specify the format of the timestamp, so Unix
// seconds, Unix milliseconds and ISO 8601 are accepted. It does not specify the signature of a call without payload.
// It is assumed to use the SHA-256 of an empty text. The signature of refunds is [inferred].
const (
	TimestampHeader = "X-Timestamp" // time of the signature
	SignatureHeader = "X-Signature" // in Base64
)

const (
	minKeyBits   = 2048
	maxTimestamp = 40 // characters
)

// ParseKeys returns the RSA public keys in a PEM file, in their order.
func ParseKeys(file []byte) ([]*rsa.PublicKey, error) {
	var keys []*rsa.PublicKey
	for block, rest := pem.Decode(file); block != nil; block, rest = pem.Decode(rest) {
		key, err := parseKey(block)
		if err != nil {
			return nil, fmt.Errorf("payments: PEM block %d, %.40q: %w", len(keys)+1, block.Type, err)
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, errors.New("payments: no PEM block: must have a public key, which begins with -----BEGIN PUBLIC KEY-----")
	}
	return keys, nil
}

func parseKey(block *pem.Block) (*rsa.PublicKey, error) {
	switch block.Type {
	case "RSA PUBLIC KEY":
		return x509.ParsePKCS1PublicKey(block.Bytes)
	case "PUBLIC KEY":
		parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil {
			return nil, err
		}
		if key, ok := parsed.(*rsa.PublicKey); ok {
			return key, nil
		}
	}
	return nil, errors.New("must be an RSA public key")
}

// callID identifies a call.
type callID struct {
	// asked is the hash of address and payload. It is equal for equal calls.
	asked [sha256.Size]byte
	// signed is the signed hash: asked and the timestamp.
	signed [sha256.Size]byte
	at     time.Time // of the timestamp; zero if unsigned
	good   time.Time // end of the timestamp's validity
	once   bool      // resent calls are not executed again
	path   string    // of the URL
}

// claim is the content of a call's headers before the body is read. It is not verified.
type claim struct {
	signature []byte
	at        time.Time // of the timestamp
}

// claimed returns the claim of a call with exactly one signature and one timestamp, which must be close to now;
// otherwise the refusal.
func (c *Callback) claimed(h http.Header) (claim, *client.Refused) {
	signatures, stamps := h.Values(SignatureHeader), h.Values(TimestampHeader)
	if len(signatures) != 1 || signatures[0] == "" {
		return claim{}, callback.Unsigned(SignatureHeader, signatures, "a signature in Base64", http.StatusUnauthorized)
	}
	signature, err := base64.StdEncoding.DecodeString(signatures[0])
	if err != nil {
		return claim{}, callback.Unsigned(SignatureHeader, signatures, "a signature in Base64", http.StatusUnauthorized)
	}
	if len(stamps) != 1 {
		return claim{}, callback.Unsigned(TimestampHeader, stamps, "a timestamp", http.StatusUnauthorized)
	}
	at, err := parseStamp(stamps[0])
	if err != nil || at.IsZero() {
		return claim{}, callback.Unsigned(TimestampHeader, stamps, "a time in seconds or milliseconds of Unix, or in ISO 8601", http.StatusUnauthorized)
	}
	if skew := c.now().Sub(at); skew.Abs() > c.maxAge() {
		return claim{}, c.outOfTime(skew)
	}
	return claim{signature, at}, nil
}

// outOfTime returns the refusal of a timestamp that is skew before the local clock.
func (c *Callback) outOfTime(skew time.Duration) *client.Refused {
	place := "before"
	if skew < 0 {
		place = "ahead of"
	}
	return &client.Refused{
		Reason: client.RefusedClock, Status: http.StatusUnauthorized, Header: TimestampHeader, Skew: skew,
		Err: fmt.Errorf("the timestamp in %s is %v %s the clock of this machine: must be within %v, so set the clock or MaxAge",
			TimestampHeader, skew.Abs().Round(time.Second), place, c.maxAge()),
	}
}

func (c *Callback) maxAge() time.Duration { return cmp.Or(c.MaxAge, DefaultMaxAge) }

// identify hashes a request.
func (c *Callback) identify(r *http.Request, raw []byte, claims claim) callID {
	target := r.RequestURI
	if !strings.HasPrefix(target, "/") { // created by a program and not by a server
		target = r.URL.RequestURI()
	}
	payload := sha256.Sum256(compact(raw))
	digest := hex.EncodeToString(payload[:])
	stamp := r.Header.Get(TimestampHeader)
	return callID{
		asked:  sha256.Sum256([]byte(r.Method + " " + target + "|" + digest)),
		signed: sha256.Sum256([]byte(c.Origin + target + "|" + stamp + "|" + digest)),
		at:     claims.at,
		good:   claims.at.Add(c.maxAge()),
	}
}

// verify reports whether the signature of a call is by one of the valid keys.
func (c *Callback) verify(claims claim, id callID) bool {
	for _, key := range c.keys() {
		if rsa.VerifyPKCS1v15(key, crypto.SHA256, id.signed[:], claims.signature) == nil {
			return true
		}
	}
	return false
}

// unverified returns the refusal of an invalid signature. Without a key, which is an error in the configuration, the
// answer is 503.
func (c *Callback) unverified(r *http.Request) *client.Refused {
	refused := &client.Refused{Reason: client.RefusedSignature, Status: http.StatusUnauthorized, Header: SignatureHeader}
	n := len(c.keys())
	refused.Err = fmt.Errorf("the signature in %s is not by one of the %d valid keys over %s%s: Keys must be the platform's, Origin the public URL, and proxies must change neither path nor body",
		SignatureHeader, n, c.Origin, callback.Printable(r.URL.Path, callback.MostShown))
	if n == 0 {
		refused.Status, refused.Err = http.StatusServiceUnavailable, errors.New("KeySet is empty: call Set with the public key of the platform")
	}
	return refused
}

// keys returns the valid keys.
func (c *Callback) keys() []*rsa.PublicKey {
	if c.KeySet != nil {
		return c.KeySet.Current()
	}
	return c.Keys
}

// compact returns JSON without insignificant white space, and other text unchanged.
func compact(raw []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

func parseStamp(s string) (time.Time, error) {
	if len(s) == 0 || len(s) > maxTimestamp {
		return time.Time{}, errors.New("must be a timestamp")
	}
	if strings.Trim(s, "0123456789") == "" {
		var t client.Time
		err := t.UnmarshalJSON([]byte(s))
		return t.Time, err
	}
	t, err := client.ParseTime(s)
	return t.Time, err
}
