package world

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// ErrNoApp is the answer to an operation on an app that does not exist.
var ErrNoApp = errors.New("world: no such app")

// Install is an app's place in a store. There is one per app and store, and so
// one token: a new one ends the old one.
type Install struct {
	App    int64
	Store  int64
	Scopes Scopes
	Token  string
	At     time.Time
}

// Indexes find an installation by its token.
func (i Install) Indexes() []table.Entry {
	return []table.Entry{table.Unique("token", i.Token), table.Multi("store", strconv.FormatInt(i.Store, 10))}
}

// NewSecret returns 20 unguessable bytes in hexadecimal.
func (w *World) NewSecret() (string, error) {
	b := make([]byte, 20)
	if _, err := io.ReadFull(w.secrets, b); err != nil {
		return "", fmt.Errorf("drawing a secret: %w", err)
	}
	return hex.EncodeToString(b), nil
}

// Install puts the app into the store with the scopes and returns the
// installation with its new token. An earlier token of the two is dead.
func (w *World) Install(app, store int64, scopes Scopes) (Install, error) {
	token, err := w.NewSecret()
	if err != nil {
		return Install{}, err
	}
	in := Install{App: app, Store: store, Scopes: scopes, Token: token}
	now := w.clock.Now()
	err = w.change(func(s *state) ([]Event, error) {
		if !s.apps.Has(app) {
			return nil, ErrNoApp
		}
		if !s.stores.Has(store) {
			return nil, ErrNoStore
		}
		in.At = s.stamp(now)
		return nil, s.installs.Put(installKey(app, store), in)
	})
	return in, err
}

// Installed returns the app's installation in the store.
func (w *World) Installed(app, store int64) (Install, bool) {
	s := w.read()
	return s.installs.Get(installKey(app, store))
}

// Installs returns the installations of the store.
func (w *World) Installs(store int64) []Install {
	s := w.read()
	var out []Install
	for _, in := range s.installs.Where("store", strconv.FormatInt(store, 10)) {
		out = append(out, in)
	}
	return out
}

// Installed reports whether the app is in the store of the transaction.
func (tx *Tx) Installed(app int64) bool {
	return tx.state.installs.Has(installKey(app, tx.store.ID))
}

// ByToken returns the installation a token belongs to.
func (w *World) ByToken(token string) (Install, bool) {
	s := w.read()
	return s.installs.Find("token", token)
}

// Uninstall takes the app out of the store: its token, scripts, promotions, business rules and webhooks end, after
// app/uninstalled was sent. The app is also asked to delete its data of the store. A suspended store sends neither, now
// or later: "webhooks not sent and not queued" makes no exception.
func (w *World) Uninstall(app, store int64) error {
	return w.Update(app, store, func(tx *Tx) error {
		if !tx.state.installs.Has(installKey(app, store)) {
			return fmt.Errorf("uninstalling app %d from store %d: it is not installed", app, store)
		}
		tx.EmitTo(app, "app/uninstalled", ids(app))
		tx.EmitTo(app, "store/redact", nil)
		for id := range tx.Webhooks.Where("app", strconv.FormatInt(app, 10)) {
			tx.Webhooks.Delete(id)
		}
		for id := range tx.ScriptLinks.Where("app", strconv.FormatInt(app, 10)) {
			tx.ScriptLinks.Delete(id)
		}
		for key := range tx.RuleCallbacks.Where("app", strconv.FormatInt(app, 10)) {
			tx.RuleCallbacks.Delete(key)
		}
		tx.state.installs.Delete(installKey(app, store))
		return tx.DropPromotions(app)
	})
}
