package sqlstore

import (
	"fmt"
	"io"
	"sync/atomic"
)

// KeySet holds the current keys: the first seals, and all open. Several stores may share a KeySet. Set may be called at
// any time, so a key is changed without a restart. With several replicas, finish each step in all of them before the
// next one:
//
//  1. Set(current, next). Each replica can then open tokens that others seal with the next key.
//  2. Set(next, current).
//  3. Wait for the calls that began before step 2 to end, because they still seal with the current key. Then call
//     Store.Reseal in one replica. Repeat it until it returns 0 and no error.
//  4. Set(next).
//
// Backups of the database still need the key that was current when they were made.
//
// The zero KeySet is empty, and calls of a Store without keys return ErrNoKeys. A KeySet must not be copied.
type KeySet struct{ current atomic.Pointer[[]Key] }

// Set replaces the keys, the newest first. It returns an error and changes nothing if there is no key, a key is empty,
// or a key occurs twice. Calls that begin after Set has returned use the new keys.
func (s *KeySet) Set(keys ...Key) error {
	if len(keys) == 0 {
		return ErrNoKeys
	}
	if err := checkKeys(keys); err != nil {
		return err
	}
	list := append([]Key(nil), keys...)
	s.current.Store(&list)
	return nil
}

// Current returns the current keys, the newest first; nil before the first Set. The slice must not be changed.
func (s *KeySet) Current() []Key {
	if list := s.current.Load(); list != nil {
		return *list
	}
	return nil
}

// Format prints the name of the type, for every verb.
func (s *KeySet) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "sqlstore.KeySet") }
