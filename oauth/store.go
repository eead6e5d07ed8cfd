package oauth

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// Install is an installation of the app in one store. Encoding it hides the token; see Reveal. The zero value is no
// installation.
type Install struct {
	StoreID     client.ID     `json:"store_id"`     // the platform's user_id
	Token       client.Secret `json:"token"`        // never expires; the next installation and an uninstall invalidate it
	Scopes      Scopes        `json:"scopes"`       // granted by the merchant
	InstalledAt time.Time     `json:"installed_at"` // when the token arrived; for information only

	// Generation distinguishes one stored record from any other. Handler picks it at random, above 0, for each token
	// that it stores. Generations have no order; compare them for equality only. Zero means that the record was never
	// stored.
	Generation int64 `json:"generation"`

	// Installation is the generation of the first token of this installation. It stays the same while users of the
	// store open the app, each of which replaces the token. It changes after the token was retired or deleted. Zero
	// means Generation. Sessions depend on it.
	Installation int64 `json:"installation,omitzero"`

	// Due means that Handler.OnInstalled has not succeeded yet for the token. The platform may not have accepted it
	// yet. A TokenStore must store it, or a restart loses the call.
	Due bool `json:"due,omitzero"`

	// RetiredAt is the time of the first refusal of a token that is retired, zero for any other. See Retirer.
	RetiredAt time.Time `json:"retired_at,omitzero"`
}

// installation returns Installation, or the generation of a record without one.
func (in Install) installation() int64 { return cmp.Or(in.Installation, in.Generation) }

// Format prints all fields except the token, for every verb.
func (in Install) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "oauth.Install{StoreID:%d Token:%s Scopes:%q InstalledAt:%s Generation:%d}",
		in.StoreID, in.Token, in.Scopes.String(), in.InstalledAt.Format(time.RFC3339), in.Generation)
}

// Reveal encodes the installation as JSON with its token readable, for storage. json.Unmarshal reads it back.
func (in Install) Reveal() ([]byte, error) {
	type fields Install
	return json.Marshal(struct {
		fields
		Token string `json:"token"`
	}{fields(in), string(in.Token)})
}

// TokenStore stores at most one installation per store. Implementations must be safe for concurrent use, also by
// several processes if several serve the app. Encrypt the tokens, because they do not expire.
type TokenStore interface {
	// Load returns the installation of a store, or ErrNotInstalled (possibly wrapped) if there is none. For a record
	// that cannot be read it should return ErrUnreadable, with StoreID and Generation.
	Load(ctx context.Context, storeID client.ID) (Install, error)

	// Swap replaces the record of a store with next if its generation is old, in one atomic step, and reports whether
	// it did. An old of 0 means that there is no record. A next of nil deletes the record. In SQL:
	//
	//	old == 0:     INSERT INTO installs (...) VALUES (...) ON CONFLICT (store_id) DO NOTHING
	//	next == nil:  DELETE FROM installs WHERE store_id = $1 AND generation = $2
	//	otherwise:    UPDATE installs SET ... WHERE store_id = $1 AND generation = $2
	//
	// The result is whether one row was affected.
	Swap(ctx context.Context, storeID client.ID, old int64, next *Install) (bool, error)
}

// Retirer is implemented by a TokenStore that can retire a refused token instead of deleting it. For a retired record,
// Load returns ErrNotInstalled with an Install that has StoreID, Generation and RetiredAt, but no token. A Swap from 0
// replaces a retired record, a Swap from its generation to nil deletes it, and any other Swap changes nothing.
// MemoryStore and sqlstore.Store implement it. With other stores, Handler deletes the token.
type Retirer interface {
	// Retire retires the record of a store if it has the generation and is not retired, in one atomic step, and reports
	// whether it did. A zero time instead makes a retired record valid again, and Due.
	Retire(ctx context.Context, storeID client.ID, generation int64, at time.Time) (bool, error)

	// Retired iterates over the records that are retired or Due, with their tokens. An error for a record that cannot
	// be read matches ErrUnreadable, and its Install has StoreID, Generation and RetiredAt.
	Retired(ctx context.Context) iter.Seq2[Install, error]
}

// MemoryStore is a TokenStore in memory, for tests and first programs. Its content is lost when the process ends. Then
// each store must install the app again, and its first cart is answered 310, which ends its promotions. The zero value
// is empty and ready to use.
type MemoryStore struct {
	mu       sync.Mutex
	installs map[client.ID]*Install
}

var (
	_ TokenStore = (*MemoryStore)(nil)
	_ Retirer    = (*MemoryStore)(nil)
)

// Format prints the name of the type for every verb, because there are tokens inside.
func (m *MemoryStore) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "oauth.MemoryStore") }

// Load implements TokenStore.
func (m *MemoryStore) Load(_ context.Context, storeID client.ID) (Install, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	held, ok := m.installs[storeID]
	if !ok {
		return Install{}, fmt.Errorf("%w: %d", ErrNotInstalled, storeID)
	}
	if !held.RetiredAt.IsZero() {
		retired := Install{StoreID: storeID, Generation: held.Generation, RetiredAt: held.RetiredAt}
		return retired, fmt.Errorf("%w: %d", ErrNotInstalled, storeID)
	}
	return held.clone(), nil
}

// Swap implements TokenStore.
func (m *MemoryStore) Swap(_ context.Context, storeID client.ID, old int64, next *Install) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var generation int64
	if held := m.installs[storeID]; held != nil && (next == nil || held.RetiredAt.IsZero()) {
		generation = held.Generation
	}
	switch {
	case generation != old:
		return false, nil
	case next == nil:
		delete(m.installs, storeID)
		return true, nil
	case m.installs == nil:
		m.installs = map[client.ID]*Install{}
	}
	in := next.clone()
	m.installs[storeID] = &in
	return true, nil
}

func (in Install) clone() Install {
	in.Scopes = slices.Clone(in.Scopes)
	return in
}

// Retire implements Retirer.
func (m *MemoryStore) Retire(_ context.Context, storeID client.ID, generation int64, at time.Time) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	held := m.installs[storeID]
	if held == nil || held.Generation != generation || held.RetiredAt.IsZero() == at.IsZero() {
		return false, nil
	}
	held.RetiredAt, held.Due = at, at.IsZero() // a token that comes back is Due
	return true, nil
}

// Retired implements Retirer. The loop body may use the store.
func (m *MemoryStore) Retired(context.Context) iter.Seq2[Install, error] {
	return func(yield func(Install, error) bool) {
		m.mu.Lock()
		var all []Install
		for _, held := range m.installs {
			if held.Due || !held.RetiredAt.IsZero() {
				all = append(all, held.clone())
			}
		}
		m.mu.Unlock()
		for _, in := range all {
			if !yield(in, nil) {
				return
			}
		}
	}
}
