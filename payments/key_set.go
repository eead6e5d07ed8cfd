package payments

import (
	"crypto/rsa"
	"errors"
	"fmt"
	"sync/atomic"
)

// KeySet holds the valid public keys of the platform: one, or two during a rotation. Several handlers may share a
// KeySet. Set may be called at any time, so a key can be rotated without a restart. Call Set(next, current) before
// the platform signs with the next key, and Set(next) afterwards.
//
// The zero KeySet is empty, and signed calls are answered 503. It must not be copied.
type KeySet struct {
	current atomic.Pointer[[]*rsa.PublicKey]
}

// Set replaces the keys, the newest first: see ParseKeys. It requires at least one key, and each must be an RSA key
// of at least 2048 bits; otherwise it returns an error and changes nothing.
func (s *KeySet) Set(keys ...*rsa.PublicKey) error {
	if err := checkKeys(keys); err != nil {
		return err
	}
	list := append([]*rsa.PublicKey(nil), keys...)
	s.current.Store(&list)
	return nil
}

// Current returns the valid keys, the newest first; nil before the first Set. The slice must not be changed.
func (s *KeySet) Current() []*rsa.PublicKey {
	if list := s.current.Load(); list != nil {
		return *list
	}
	return nil
}

// checkKeys returns an error that identifies each invalid key by its position.
func checkKeys(keys []*rsa.PublicKey) error {
	var wrong []error
	if len(keys) == 0 {
		wrong = append(wrong, errors.New("no Keys: must be the public key of the platform"))
	}
	for i, key := range keys {
		if key == nil || key.N == nil || key.N.BitLen() < minKeyBits {
			wrong = append(wrong, fmt.Errorf("key %d: must be an RSA key of at least %d bits", i+1, minKeyBits))
		}
	}
	return errors.Join(wrong...)
}
