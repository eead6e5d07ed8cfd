package value

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
)

// SecretSet holds the current secrets that the platform signs with: one, or two during a rotation. Several handlers may
// share a SecretSet. Set may be called at any time, so a secret can be rotated without a restart:
//
//  1. Call Set(next, current) before the platform signs with the next secret.
//  2. Change the secret at the platform.
//  3. Call Set(next) when all deliveries that the platform retries are signed with it, after up to 48 hours.
//
// The zero SecretSet is empty, so no signature is accepted. It must not be copied.
type SecretSet struct{ current atomic.Pointer[[]Secret] }

// Set replaces the secrets. The newest secret must be the first. It returns an error and changes nothing unless there
// are one or two secrets, each non-empty and without leading or trailing white space. The error contains no secret.
// Requests that arrive after Set has returned are verified with the new secrets.
func (s *SecretSet) Set(secrets ...Secret) error {
	if err := checkSecrets(secrets); err != nil {
		return err
	}
	list := append([]Secret(nil), secrets...)
	s.current.Store(&list)
	return nil
}

// Current returns the current secrets, newest first; nil before the first Set. The slice must not be changed. Each Set
// creates a new slice.
func (s *SecretSet) Current() []Secret {
	if list := s.current.Load(); list != nil {
		return *list
	}
	return nil
}

// Format writes "client.SecretSet" for every verb.
func (s *SecretSet) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "client.SecretSet") }

// checkSecrets returns an error that lists each invalid secret by its position.
func checkSecrets(secrets []Secret) error {
	var wrong []error
	switch {
	case len(secrets) == 0:
		wrong = append(wrong, errors.New("no secret: must be one, or two during a change"))
	case len(secrets) > 2:
		wrong = append(wrong, fmt.Errorf("%d secrets: must be the one in force and at most the one before it", len(secrets)))
	}
	for i, secret := range secrets {
		switch {
		case secret == "":
			wrong = append(wrong, fmt.Errorf("secret %d: must not be empty", i+1))
		case strings.TrimSpace(string(secret)) != string(secret):
			wrong = append(wrong, fmt.Errorf("secret %d: must not begin or end with white space", i+1))
		}
	}
	return errors.Join(wrong...)
}
