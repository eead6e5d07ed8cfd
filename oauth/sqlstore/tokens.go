package sqlstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
	"github.com/commerceplatform/commerce-go/oauth"
)

const (
	columns = `store_id, generation, sealed_by, token, scopes, installed_at, installation, due, retired_at`
	loadSQL = `SELECT ` + columns + ` FROM commerce_install
		WHERE app = $1 AND store_id = $2`
	// insertSQL also replaces a retired record.
	insertSQL = `INSERT INTO commerce_install
		(generation, sealed_by, token, scopes, installed_at, installation, due, app, store_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (app, store_id) DO UPDATE SET generation = excluded.generation, sealed_by = excluded.sealed_by,
			token = excluded.token, scopes = excluded.scopes, installed_at = excluded.installed_at,
			installation = excluded.installation, due = excluded.due, retired_at = 0
		WHERE commerce_install.retired_at <> 0`
	replaceSQL = `UPDATE commerce_install SET generation = $1, sealed_by = $2, token = $3, scopes = $4,
		installed_at = $5, installation = $6, due = $7
		WHERE app = $8 AND store_id = $9 AND generation = $10 AND retired_at = 0`
	deleteSQL = `DELETE FROM commerce_install WHERE app = $1 AND store_id = $2 AND generation = $3`
)

// Load implements oauth.TokenStore. It seals a token that is sealed with an older key again with the newest. If that
// fails, the load succeeds anyway. A load after a minute tries again, and so does Reseal, which returns the error. If a
// record cannot be opened, the error matches oauth.ErrUnreadable, and ErrUnknownKey, ErrNotSealed or ErrDamaged.
func (s *Store) Load(ctx context.Context, storeID client.ID) (oauth.Install, error) {
	r, err := s.ready(ctx)
	if err != nil {
		return oauth.Install{}, err
	}
	var w row // also what could be read of a damaged record
	_, ok, err := tables.One(ctx, s.DB, s.sql(loadSQL), []any{s.App, storeID}, func(scan tables.Scan) (row, error) {
		var err error
		w, err = scanRow(scan)
		return w, err
	})
	if _, damaged := errors.AsType[*tables.UnreadableError](err); damaged {
		return unreadable(w, r.damaged(w, err.Error()))
	}
	switch {
	case err != nil:
		return oauth.Install{}, fmt.Errorf("oauth/sqlstore: load store %d: %w", storeID, err)
	case !ok:
		return oauth.Install{}, fmt.Errorf("%w: %d", oauth.ErrNotInstalled, storeID)
	}
	if w.retiredAt != 0 {
		return w.identity(), fmt.Errorf("%w: %d", oauth.ErrNotInstalled, storeID)
	}
	in, err := r.open(w)
	if err != nil {
		return unreadable(w, err)
	}
	if w.sealedBy != r.newest() {
		s.resealLoaded(ctx, r, w, in.Token)
	}
	return in, nil
}

// unreadable returns what identifies a record that cannot be read, so that a new installation can replace it.
func unreadable(w row, err error) (oauth.Install, error) {
	return w.identity(), fmt.Errorf("%w: %w", oauth.ErrUnreadable, err)
}

func scanRow(scan tables.Scan) (w row, err error) {
	err = scan((*int64)(&w.storeID), &w.generation, &w.sealedBy, &w.token, &w.scopes, &w.installedAt,
		&w.installation, &w.due, &w.retiredAt)
	return w, err
}

// Swap implements oauth.TokenStore with one statement. After an error it is unknown whether the statement was applied,
// because the connection may have been lost after the commit. Calling Swap again is safe, because it changes nothing
// twice. If it then reports false, Load returns the generation of next if the first call was applied.
//
// Swap returns an error, and changes nothing, if next is of another store or has Generation 0.
func (s *Store) Swap(ctx context.Context, storeID client.ID, old int64, next *oauth.Install) (bool, error) {
	r, err := s.ready(ctx)
	if err != nil {
		return false, err
	}
	var swapped bool
	if next == nil {
		swapped, err = s.changed(ctx, deleteSQL, s.App, storeID, old)
	} else {
		swapped, err = s.write(ctx, r, storeID, old, next)
	}
	if err != nil {
		return false, fmt.Errorf("oauth/sqlstore: swap store %d: %w", storeID, err)
	}
	return swapped, nil
}

func (s *Store) write(ctx context.Context, r ring, storeID client.ID, old int64, next *oauth.Install) (bool, error) {
	switch {
	case next.StoreID != storeID:
		return false, fmt.Errorf("next.StoreID %d: must be the store %d", next.StoreID, storeID)
	case next.Generation == 0:
		return false, errors.New("next.Generation 0: must be another number, because 0 means that there is no record")
	}
	w, err := r.record(next)
	if err != nil {
		return false, err
	}
	args := []any{w.generation, w.sealedBy, w.token, w.scopes, w.installedAt, w.installation, w.due, s.App, storeID}
	if old == 0 {
		return s.changed(ctx, insertSQL, args...)
	}
	return s.changed(ctx, replaceSQL, append(args, old)...)
}
