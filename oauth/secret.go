package oauth

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// Secret is a client secret or an access token. Whatever prints it, logs it or encodes it gets [redacted] instead:
// every verb of fmt, log/slog, and encoders of JSON, XML or YAML. string(s) is the value itself, and database/sql stores
// and scans the value itself. The zero value is no secret.
//
// Keep a Secret in an exported field and do not make it the key of a map: fmt does not call the methods of unexported
// fields, and encoding/json not those of keys.
type Secret string

const redacted = "[redacted]"

// String returns [redacted].
func (s Secret) String() string { return redacted }

// GoString returns [redacted].
func (s Secret) GoString() string { return redacted }

// Format prints [redacted] for every verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// LogValue is [redacted].
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText returns [redacted].
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// MarshalJSON returns "[redacted]".
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// UnmarshalText takes the text as the value. It refuses [redacted], so that a secret which was encoded by accident is
// noticed when it is read back and not when the platform refuses it.
func (s *Secret) UnmarshalText(text []byte) error {
	if string(text) == redacted {
		return errors.New("oauth: secret [redacted]: want the value itself; it was lost when it was encoded")
	}
	*s = Secret(text)
	return nil
}
