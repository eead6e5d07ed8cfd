package sqlstore

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode"
)

const howToMake = "as printed by: openssl rand -base64 32"

// keySize is the size of a key in bytes: AES-256.
const keySize = 32

// Key seals and opens tokens. It prints its id for every verb, and never its bytes. Calls that use the zero Key return
// an error. A Key is safe for concurrent use.
type Key struct {
	id   string
	aead cipher.AEAD
}

// NewKey makes a key of 32 random bytes, which it copies. Another length is an error. Equal bytes and printable bytes
// are errors too, because text is a password, or a key in an encoding that ParseKeys reads. The error does not contain
// the bytes.
func NewKey(secret []byte) (Key, error) {
	switch {
	case len(secret) != keySize:
		return Key{}, fmt.Errorf("oauth/sqlstore: key has %d bytes: must be %d", len(secret), keySize)
	case bytes.Count(secret, secret[:1]) == len(secret):
		return Key{}, errors.New("oauth/sqlstore: key has the same byte everywhere: must be 32 random bytes")
	case !bytes.ContainsFunc(secret, func(r rune) bool { return r < ' ' || r > '~' }):
		return Key{}, errors.New("oauth/sqlstore: key is text: must be 32 random bytes (ParseKeys reads digits and base64)")
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return Key{}, fmt.Errorf("oauth/sqlstore: key: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return Key{}, fmt.Errorf("oauth/sqlstore: key: %w", err)
	}
	sum := sha256.Sum256(append([]byte("commerce-go oauth/sqlstore key id\n"), secret...))
	return Key{id: hex.EncodeToString(sum[:8]), aead: aead}, nil
}

// ParseKeys reads a list of keys, the newest first, such as the value of an environment variable. Each key is 32 bytes,
// as 64 hexadecimal digits or as base64 with either alphabet. Commas or white space separate them. It returns an error
// if there is no key, if NewKey rejects one, or if a key occurs twice. The error names a key by its position and does
// not contain it.
//
// Commands that print a new key are "openssl rand -base64 32" and "openssl rand -hex 32".
func ParseKeys(list string) ([]Key, error) {
	var keys []Key
	texts := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	if len(texts) == 0 {
		return nil, errors.New("oauth/sqlstore: no key: must be one or more keys of 32 bytes, " + howToMake)
	}
	for i, text := range texts {
		secret, ok := decode(text)
		if !ok {
			return nil, fmt.Errorf("oauth/sqlstore: key %d has %d characters: must be 32 bytes as 64 hexadecimal digits "+
				"or base64, %s", i+1, len(text), howToMake)
		}
		key, err := NewKey(secret)
		if err != nil {
			return nil, fmt.Errorf("key %d of the list: %w", i+1, err)
		}
		keys = append(keys, key)
	}
	return keys, checkKeys(keys)
}

// decode reads the bytes of a key. 64 digits are 48 bytes in base64, so no text has two meanings.
func decode(text string) ([]byte, bool) {
	if secret, err := hex.DecodeString(text); err == nil && len(secret) == keySize {
		return secret, true
	}
	standard := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	secret, err := base64.RawStdEncoding.DecodeString(standard)
	return secret, err == nil && len(secret) == keySize
}

// ID returns 16 hexadecimal digits that are derived from the key and reveal nothing of it; empty for the zero Key. The
// column sealed_by holds it.
func (k Key) ID() string { return k.id }

// Format prints the id, for every verb.
func (k Key) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "sqlstore.Key(%s)", k.id) }

// checkKeys returns an error that names each wrong key by its position. It accepts an empty list.
func checkKeys(keys []Key) error {
	var wrong []error
	first := map[string]int{}
	for i, key := range keys {
		switch n := first[key.id]; {
		case key.aead == nil:
			wrong = append(wrong, fmt.Errorf("oauth/sqlstore: key %d is empty: must be made by NewKey or ParseKeys", i+1))
		case n > 0:
			wrong = append(wrong, fmt.Errorf("oauth/sqlstore: key %d repeats key %d: each key must be listed once", i+1, n))
		default:
			first[key.id] = i + 1
		}
	}
	return errors.Join(wrong...)
}
