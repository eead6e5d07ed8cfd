package callback

import (
	"errors"
	"fmt"
	"strings"
)

// Check collects what is wrong with a configuration. The zero value found nothing.
type Check []error

// Refuse adds a complaint if the configuration is bad.
func (c *Check) Refuse(bad bool, format string, args ...any) {
	if bad {
		*c = append(*c, fmt.Errorf(format, args...))
	}
}

// Err joins what is wrong behind the name of whose configuration it is, or is nil.
func (c *Check) Err(name string) error {
	if err := errors.Join(*c...); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Secrets checks secrets of which two are in force while one is being changed. It prints
// none of them.
func Secrets[S ~string](c *Check, secrets []S) {
	c.Refuse(len(secrets) > 2, "%d secrets: want the one in force and at most the one before it", len(secrets))
	for i, secret := range secrets {
		c.Refuse(secret == "", "secret %d is empty", i+1)
		c.Refuse(strings.TrimSpace(string(secret)) != string(secret), "secret %d begins or ends with white space", i+1)
	}
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
