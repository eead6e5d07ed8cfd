package statetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
)

// stepsOfACopy tests the promises of client.Mirror.
func stepsOfACopy(t *testing.T, e Engine) {
	ctx, db := t.Context(), e.opened(t, e.New(t))
	if _, err := mirror(db).State(ctx); !errors.Is(err, sqlcopy.ErrNoTables) {
		t.Errorf("without a table: %v, want ErrNoTables", err)
	}
	m := mirror(db)
	if err := m.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	exec(t, db, productTable)
	products := func(ids ...client.ID) (all []client.Product) {
		for _, id := range ids {
			all = append(all, client.Product{ID: id})
		}
		return all
	}
	has := func(state string, want ...client.ID) {
		t.Helper()
		got, err := m.State(ctx)
		if err != nil || got != state {
			t.Errorf("state %q, %v; want %q", got, err, state)
		}
		ids, err := m.IDs(ctx, 1, 2)
		if err != nil || fmt.Sprint(ids) != fmt.Sprint(want) {
			t.Errorf("ids %v, %v; want %v", ids, err, want)
		}
	}
	has("")
	for i, test := range []struct {
		step  client.CopyStep[client.Product]
		moved bool
		state string
		ids   []client.ID
	}{
		{client.CopyStep[client.Product]{Before: "x", After: "a", Put: products(7)}, true, "", nil},
		{client.CopyStep[client.Product]{After: "a", Put: products(1, 2, 3, 4)}, false, "a", []client.ID{2, 3}},
		{client.CopyStep[client.Product]{After: "b", Put: products(7)}, true, "a", []client.ID{2, 3}},
		{client.CopyStep[client.Product]{Before: "a", After: "b", Put: products(4, 5), Delete: []client.ID{2, 9}}, false, "b", []client.ID{3, 4}},
		{client.CopyStep[client.Product]{Before: "a", After: "c", Delete: []client.ID{3}}, true, "b", []client.ID{3, 4}},
	} {
		if err := m.Apply(ctx, test.step); errors.Is(err, client.ErrCopyMoved) != test.moved || err != nil && !test.moved {
			t.Errorf("step %d: %v, want ErrCopyMoved: %v", i, err, test.moved)
		}
		has(test.state, test.ids...)
	}
	full := mirror(db)
	full.Put = func(context.Context, *sql.Tx, *client.Product) error { return errors.New("disk full") }
	if err := full.Apply(ctx, client.CopyStep[client.Product]{Before: "b", After: "c", Put: products(8), Delete: []client.ID{3}}); err == nil || !strings.Contains(err.Error(), "put record 8: disk full") {
		t.Errorf("a failed put: %v", err)
	}
	has("b", 3, 4)
	// The writes of OnStep, and its error, are part of the step.
	joined := mirror(db)
	refused := errors.New("lease lost")
	joined.OnStep = func(ctx context.Context, tx *sql.Tx, step client.CopyStep[client.Product]) error {
		for _, id := range step.Delete { // a row that Put has not written
			if _, err := tx.ExecContext(ctx, "INSERT INTO commerce_product (id, puts) VALUES ($1, 0)", int64(id)+1000); err != nil {
				return err
			}
		}
		if step.After == "c" {
			return refused
		}
		return nil
	}
	if err := joined.Apply(ctx, client.CopyStep[client.Product]{Before: "b", After: "c", Put: products(8), Delete: []client.ID{3}}); !errors.Is(err, refused) {
		t.Errorf("a step that OnStep refuses: %v", err)
	}
	has("b", 3, 4)
	if err := joined.Apply(ctx, client.CopyStep[client.Product]{Before: "b", After: "d", Delete: []client.ID{1}}); err != nil {
		t.Error(err)
	}
	has("d", 3, 4)
	if ids, err := m.IDs(ctx, 1000, 2); err != nil || fmt.Sprint(ids) != "[1001]" {
		t.Errorf("written by OnStep: %v, %v; want [1001]", ids, err)
	}
	if err := m.Apply(ctx, client.CopyStep[client.Product]{Before: "d", After: "b", Delete: []client.ID{1001}}); err != nil {
		t.Error(err)
	}
	if err := m.Forget(ctx); err != nil {
		t.Error(err)
	}
	has("", 3, 4)
}
