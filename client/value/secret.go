package value

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// Secret is a token or key that is formatted, logged and marshalled as [redacted]. Convert it to string to use it.
//
// The fmt package does not call methods of values inside a value whose verb it does not support. For example, it prints
// a struct with a Secret unredacted in a slice of pointers with %s or %q. Such a struct requires its own Format method,
// which the structs of this module have. A struct with a Secret in an unexported field requires one for all verbs.
type Secret string

const redacted = "[redacted]"

// Derive returns a secret for another purpose, such as the token in an address. It has 64 hexadecimal digits
// (HMAC-SHA256 of the purpose) and is the same in all replicas. Neither it nor the secrets of other purposes reveal s.
// It changes with s.
func (s Secret) Derive(purpose string) Secret {
	mac := hmac.New(sha256.New, []byte(s))
	_, _ = io.WriteString(mac, purpose) // never fails
	return Secret(hex.EncodeToString(mac.Sum(nil)))
}

// String returns "[redacted]".
func (Secret) String() string { return redacted }

// GoString returns "[redacted]".
func (Secret) GoString() string { return redacted }

// Format writes "[redacted]" for every verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// LogValue returns "[redacted]".
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalJSON writes "[redacted]".
func (Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// MarshalText writes "[redacted]".
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// UnmarshalText sets the secret to the text. It rejects [redacted]. A secret that was encoded by mistake is thus
// detected when it is read back, and not when the platform rejects it.
func (s *Secret) UnmarshalText(text []byte) error {
	if string(text) == redacted {
		return errors.New("secret [redacted]: must be the actual value, which was lost during encoding")
	}
	*s = Secret(text)
	return nil
}
