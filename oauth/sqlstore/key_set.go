package sqlstore

import (
	"fmt"
	"io"
	"sync/atomic"
)

// KeySet holds the keys in force: the first seals, and all open. Several stores may share a KeySet. Set may be called
// at any time, so a key is changed without a restart. With several replicas, finish each step in all of them before
// the next one:
//
//  1. Set(current, next), so that each replica can open what others seal with the next key;
//  2. Set(next, current);
//  3. Store.Reseal in one replica, after the calls that were under way in step 2 have ended, since they still seal with
//     the current key. Repeat it until it returns 0 and no error;
//  4. Set(next).
//
// Backups of the database still need the key that was current when they were made.
//
// The zero KeySet is empty, and a Store without keys refuses to work. It must not be copied.
type KeySet struct{ current atomic.Pointer[[]Key] }

// Set replaces the keys, the newest first. It returns an error and changes nothing unless there is at least one, none
// is empty, and none is there twice. Calls that begin after Set has returned use the new keys.
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

// Current returns the keys in force, the newest first; nil before the first Set. The slice must not be changed.
func (s *KeySet) Current() []Key {
	if list := s.current.Load(); list != nil {
		return *list
	}
	return nil
}

// Format prints that it is a KeySet, whatever the verb.
func (s *KeySet) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "sqlstore.KeySet") }
