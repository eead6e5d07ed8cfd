package world

import (
	"errors"
	"time"
)

// ErrNoStore is the answer to a transaction over a store that does not exist.
var ErrNoStore = errors.New("world: no such store")

// tick is the least time between two transactions that write, so that creation
// times never tie.
const tick = time.Microsecond

// Tx is one look at, or one change of, one store on behalf of one app. It is for
// one goroutine and must not be kept. The tables of the store are its fields:
// tx.Webhooks.Get(id), tx.Webhooks.Put(id, h).
type Tx struct {
	Tables

	state  *state
	data   *Tables // the source of Tables; nil in an Update
	limits Limits
	app    App
	store  Store
	scopes Scopes
	now    time.Time
	events []Event
	cause  int64

	searches *searches
}

// View runs f over the store as it is now. Whatever f writes is thrown away. App 0 is the platform itself. Store 0 is
// no store, but the records of an app that belong to no store.
func (w *World) View(app, store int64, f func(tx *Tx) error) error {
	s := w.read()
	tx, err := begin(&s, w.Limits(), app, store)
	if err != nil {
		return err
	}
	tx.now, tx.searches = w.clock.Now(), &w.searches
	tx.data, _ = s.data.Get(store)
	return f(tx)
}

// Update runs f over the store and keeps what it wrote and emitted, unless f
// fails: then nothing has happened. Updates run one at a time; f must not call
// the world.
func (w *World) Update(app, store int64, f func(tx *Tx) error) error {
	now := w.clock.Now()
	return w.change(func(s *state) ([]Event, error) {
		tx, err := begin(s, w.limits, app, store)
		if err != nil {
			return nil, err
		}
		tx.now, tx.searches = s.stamp(now), &w.searches
		tx.forget()
		if err := f(tx); err != nil {
			return nil, err
		}
		events := tx.commit()
		w.searches.follow(store, &tx.Tables)
		return events, nil
	})
}

func begin(s *state, l Limits, app, store int64) (*Tx, error) {
	st, ok := s.stores.Get(store)
	if !ok && store != 0 {
		return nil, ErrNoStore
	}
	tx := &Tx{state: s, limits: l, store: st}
	tx.app, _ = s.apps.Get(app)
	if in, ok := s.installs.Get(installKey(app, store)); ok {
		tx.scopes = in.Scopes
	}
	if data, ok := s.data.Get(store); ok {
		tx.Tables = *data
	}
	return tx, nil
}

// stamp returns now, moved on if that is what it takes to be later than the
// transaction before.
func (s *state) stamp(now time.Time) time.Time {
	if least := s.lastTime.Add(tick); now.Before(least) {
		now = least
	}
	s.lastTime = now
	return now
}

func (tx *Tx) commit() []Event {
	data := tx.Tables
	// Neither table has a unique index, so Put cannot fail.
	_ = tx.state.data.Put(tx.store.ID, &data)
	if tx.store.ID != 0 {
		_ = tx.state.stores.Put(tx.store.ID, tx.store)
	}
	for i := range tx.events {
		tx.state.lastEvent++
		tx.events[i].ID, tx.events[i].Cause = tx.state.lastEvent, tx.cause
	}
	return tx.events
}

// Now is the time of the transaction, the same throughout. In an Update it is
// later than that of every Update before.
func (tx *Tx) Now() time.Time { return tx.now }

// Revision is the same in two Views exactly if the tables of the store are the same. It must not be
// changed, and is nil in an Update and before anything was written.
func (tx *Tx) Revision() *Tables { return tx.data }

// App is who acts; its ID is 0 when it is the platform itself.
func (tx *Tx) App() App { return tx.app }

// Store is the store the transaction is over, with the changes made so far.
func (tx *Tx) Store() Store { return tx.store }

// SetStore replaces the record of the store. Its id stays what it is.
func (tx *Tx) SetStore(s Store) {
	s.ID = tx.store.ID
	tx.store = s
}

// Scopes are what the merchant granted the app.
func (tx *Tx) Scopes() Scopes { return tx.scopes }

// Limits are the limits in force.
func (tx *Tx) Limits() Limits { return tx.limits }
