package shipping

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/commerceplatform/commerce-go/client"
)

// PathTokenSet holds the valid tokens of the callback URL: see Access.PathTokens. Several handlers may share a
// PathTokenSet. Set may be called at any time, so a token can be rotated without a restart:
//
//  1. Set(next, current).
//  2. Change the URL of the carrier on the platform.
//  3. Set(next).
//
// The zero PathTokenSet is empty, and the handlers answer 503. It must not be copied.
type PathTokenSet struct {
	current atomic.Pointer[[]client.Secret]
}

// Set replaces the tokens, the newest first. It requires one or two tokens in the form that Access.PathTokens
// describes; otherwise it returns an error and changes nothing. The error contains no token.
func (s *PathTokenSet) Set(tokens ...client.Secret) error {
	if err := checkTokens(tokens); err != nil {
		return err
	}
	list := append([]client.Secret(nil), tokens...)
	s.current.Store(&list)
	return nil
}

// Current returns the valid tokens, the newest first; nil before the first Set. The slice must not be changed.
func (s *PathTokenSet) Current() []client.Secret {
	if list := s.current.Load(); list != nil {
		return *list
	}
	return nil
}

// Format prints the name of the type for every verb.
func (s *PathTokenSet) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "shipping.PathTokenSet") }

// checkTokens returns an error that identifies each invalid token by its position.
func checkTokens(tokens []client.Secret) error {
	var wrong []error
	switch {
	case len(tokens) == 0:
		wrong = append(wrong, errors.New("no tokens: must be one, or two during a rotation"))
	case len(tokens) > 2:
		wrong = append(wrong, fmt.Errorf("%d tokens: must be the current one and at most the previous one", len(tokens)))
	}
	for i, t := range tokens {
		if len(t) < minToken || strings.ContainsFunc(string(t), func(r rune) bool { return !isTokenRune(r) }) {
			wrong = append(wrong, fmt.Errorf("token %d: must be at least %d letters, digits, - and _", i+1, minToken))
		}
	}
	return errors.Join(wrong...)
}
