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
	signature []byte    // not verified before verify
	at        time.Time // of the timestamp; zero if unsigned
	stamp     string    // the timestamp as it was written

	// asked is the hash of address and payload. It is equal for equal calls.
	asked [sha256.Size]byte
	// signed is the signed hash: asked and the timestamp.
	signed [sha256.Size]byte
	once   bool   // resent calls are not executed again
	path   string // of the URL
}

// admit rejects a call without exactly one signature and one timestamp, which must be close to now.
func (c *Callback) admit(in *received, r *http.Request) *client.Refused {
	signatures, stamps := r.Header.Values(SignatureHeader), r.Header.Values(TimestampHeader)
	wrong := func(header string, values []string, form string) *client.Refused {
		return callback.Unsigned(header, values, form, http.StatusUnauthorized)
	}
	var err error
	if len(signatures) == 1 {
		in.signature, err = base64.StdEncoding.DecodeString(signatures[0])
	}
	if len(in.signature) == 0 || err != nil {
		return wrong(SignatureHeader, signatures, "a signature in Base64")
	}
	if len(stamps) != 1 {
		return wrong(TimestampHeader, stamps, "a timestamp")
	}
	in.stamp = stamps[0]
	if in.at, err = parseStamp(in.stamp); err != nil || in.at.IsZero() {
		return wrong(TimestampHeader, stamps, "a time in seconds or milliseconds of Unix, or in ISO 8601")
	}
	if skew := c.now().Sub(in.at); skew.Abs() > c.maxAge() {
		return c.outOfTime(skew)
	}
	return nil
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
func (c *Callback) identify(in *received, r *http.Request, raw []byte) *client.Refused {
	target := r.RequestURI
	if !strings.HasPrefix(target, "/") { // created by a program and not by a server
		target = r.URL.RequestURI()
	}
	payload := sha256.Sum256(compact(raw))
	digest := hex.EncodeToString(payload[:])
	in.path = r.URL.Path
	in.asked = sha256.Sum256([]byte(r.Method + " " + target + "|" + digest))
	in.signed = sha256.Sum256([]byte(c.Origin + target + "|" + in.stamp + "|" + digest))
	return nil
}

// verify rejects a call whose signature is not by one of the valid keys.
func (c *Callback) verify(in *received, r *http.Request, raw []byte) *client.Refused {
	c.identify(in, r, raw)
	for _, key := range c.keys() {
		if rsa.VerifyPKCS1v15(key, crypto.SHA256, in.signed[:], in.signature) == nil {
			return nil
		}
	}
	return c.unverified(r)
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
