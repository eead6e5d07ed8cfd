package client

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// Secret is a token or key that prints as [redacted] wherever it is formatted,
// logged or marshalled. Convert it to string to use it.
//
// fmt does not ask the values within a value that it has no verb for: a struct that holds
// a Secret is shown whole when it is printed through a slice of pointers with %s or %q.
// Such a struct needs a Format method of its own, which the structs of this module have;
// and so does one that holds a Secret in an unexported field, with any verb.
type Secret string

const redacted = "[redacted]"

// Derive returns a secret for another purpose, such as the token in an address: 64 hexadecimal digits (HMAC-SHA256 of
// the purpose), the same in all replicas. Neither it nor those of other purposes reveal s. It changes with s.
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

// UnmarshalText takes the text as the value. It refuses [redacted], so that a secret that was encoded by accident is
// noticed when it is read back, and not when the platform refuses it.
func (s *Secret) UnmarshalText(text []byte) error {
	if string(text) == redacted {
		return errors.New("secret [redacted]: must be the value itself, which was lost when it was encoded")
	}
	*s = Secret(text)
	return nil
}
