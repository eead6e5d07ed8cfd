package callback

import (
	"errors"
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/client/value"
)

// Check collects what is wrong with a configuration. The zero value found nothing.
type Check []error

// Refuse adds a complaint if the configuration is bad.
func (c *Check) Refuse(bad bool, format string, args ...any) {
	if bad {
		*c = append(*c, fmt.Errorf(format, args...))
	}
}

// Err joins the faults after the name of the configuration's owner. It is nil if there are none.
func (c *Check) Err(name string) error {
	if err := errors.Join(*c...); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Secrets checks secrets as client.SecretSet does, unless there are none.
func Secrets(c *Check, secrets []value.Secret) {
	if len(secrets) > 0 {
		if err := new(value.SecretSet).Set(secrets...); err != nil {
			*c = append(*c, err)
		}
	}
}

// SecretsOf returns the set of a handler that has either secrets or a set.
func SecretsOf(secrets []value.Secret, set *value.SecretSet) *value.SecretSet {
	if set == nil && len(secrets) > 0 {
		set = new(value.SecretSet)
		_ = set.Set(secrets...) // Secrets has checked them
	}
	return set
}

// IsToken reports whether s can be the name of a header.
func IsToken(s string) bool {
	const punctuation = "!#$%&'*+-.^_`|~"
	for _, r := range s {
		if !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune(punctuation, r)) {
			return false
		}
	}
	return s != ""
}
