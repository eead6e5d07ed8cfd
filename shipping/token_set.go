package shipping

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/commerceplatform/commerce-go/client"
)

// TokenSet holds the tokens in force of the address of callbacks: see Access.Tokens. Several handlers may share a
// TokenSet. Set may be called at any time, so a token is rotated without a restart:
//
//  1. Set(next, current);
//  2. change the address of the carrier at the platform;
//  3. Set(next).
//
// The zero TokenSet is empty, and requests are answered 503. It must not be copied.
type TokenSet struct {
	current atomic.Pointer[[]client.Secret]
}

// Set replaces the tokens, the newest first. It returns an error and changes nothing unless there are one or two of the
// form that Access.Tokens describes. The error contains no token.
func (s *TokenSet) Set(tokens ...client.Secret) error {
	if err := checkTokens(tokens); err != nil {
		return err
	}
	list := append([]client.Secret(nil), tokens...)
	s.current.Store(&list)
	return nil
}

// Current returns the tokens in force, the newest first; nil before the first Set. The slice must not be changed.
func (s *TokenSet) Current() []client.Secret {
	if list := s.current.Load(); list != nil {
		return *list
	}
	return nil
}

// Format prints that it is a TokenSet, whatever the verb.
func (s *TokenSet) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "shipping.TokenSet") }

// checkTokens returns an error that names each token by its position.
func checkTokens(tokens []client.Secret) error {
	var wrong []error
	switch {
	case len(tokens) == 0:
		wrong = append(wrong, errors.New("no token: must be one, or two during a change"))
	case len(tokens) > 2:
		wrong = append(wrong, fmt.Errorf("%d tokens: must be the one in force and at most the one before it", len(tokens)))
	}
	for i, t := range tokens {
		if len(t) < minToken || strings.ContainsFunc(string(t), func(r rune) bool { return !isTokenRune(r) }) {
			wrong = append(wrong, fmt.Errorf("token %d: must be at least %d letters, digits, - and _", i+1, minToken))
		}
	}
	return errors.Join(wrong...)
}
