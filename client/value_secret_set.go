package client

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
)

// SecretSet holds the secrets in force that the platform signs with: one, or two while a secret is being changed.
// Several handlers may share a SecretSet. Set may be called at any time, so a secret is rotated without a restart:
//
//  1. Set(next, current), before the platform signs with the next secret;
//  2. change the secret at the platform;
//  3. Set(next), after the deliveries that the platform repeats were signed with it, which takes up to 48 hours.
//
// The zero SecretSet is empty: nothing that is signed is accepted. It must not be copied.
type SecretSet struct{ current atomic.Pointer[[]Secret] }

// Set replaces the secrets, the newest first. It returns an error and changes nothing unless there are one or two
// secrets, each not empty and without white space at its ends. The error contains no secret. Requests that arrive after
// Set has returned are verified with the new secrets.
func (s *SecretSet) Set(secrets ...Secret) error {
	if err := checkSecrets(secrets); err != nil {
		return err
	}
	list := append([]Secret(nil), secrets...)
	s.current.Store(&list)
	return nil
}

// Current returns the secrets in force, the newest first; nil before the first Set. The slice must not be changed. It
// is another one after each Set.
func (s *SecretSet) Current() []Secret {
	if list := s.current.Load(); list != nil {
		return *list
	}
	return nil
}

// Format prints that it is a SecretSet, whatever the verb.
func (s *SecretSet) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "client.SecretSet") }

// checkSecrets returns an error that names each secret by its position.
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
			wrong = append(wrong, fmt.Errorf("secret %d is empty", i+1))
		case strings.TrimSpace(string(secret)) != string(secret):
			wrong = append(wrong, fmt.Errorf("secret %d begins or ends with white space", i+1))
		}
	}
	return errors.Join(wrong...)
}
