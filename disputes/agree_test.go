package disputes_test

import (
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/unstable"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/disputes"
)

// bench makes disputes as the tests need them, three to a sale.
type bench struct {
	*desk
	t     *testing.T
	order client.ID
	tx    uuid.UUID
	made  int
}

// dispute returns a new dispute that went through past.
func (b *bench) dispute(past []disputes.Status) *disputes.Dispute {
	b.t.Helper()
	ctx := b.t.Context()
	if b.made%disputes.MaxPerTransaction == 0 {
		var err error
		if b.order, b.tx, err = b.sell(ctx); err != nil {
			b.t.Fatal(err)
		}
	}
	b.made++
	id, err := v1.Disputes(b.client).Create(ctx, b.order, b.tx, lawful)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, to := range past[1:] {
		if err := v1.Disputes(b.client).Update(ctx, b.read(id), disputes.Update{Status: to, RetainedTotal: lawful.RetainedTotal, ClosedAt: day}); err != nil {
			b.t.Fatal(err)
		}
	}
	return b.read(id)
}

func (b *bench) read(id string) *disputes.Dispute {
	b.t.Helper()
	d, err := v1.Disputes(b.client).Get(b.t.Context(), b.order, b.tx, id)
	if err != nil {
		b.t.Fatal(err)
	}
	return d
}

// put updates a dispute with a body that nothing has checked.
func (b *bench) put(d *disputes.Dispute, body any) error {
	return b.core.Do(b.t.Context(), client.Request{Version: client.VersionV1, Method: http.MethodPut, Path: "/orders/{order_id}/transactions/{transaction_id}/disputes/{id}",
		Args: []any{d.OrderID, d.TransactionID, d.ID}, Body: body}, nil)
}

// The server's rules were written by others, from the contract alone.
func TestServerAgreesAboutEveryUpdate(t *testing.T) {
	d, err := open(t.Context(), clienttest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{desk: d, t: t}
	cases := 0
	for _, life := range lives {
		fresh := b.dispute(life.past)
		if got := fresh.Timeline().Next(); !slices.Equal(got, life.next) {
			t.Errorf("after %v, as the server tells it, may come %v, want %v", life.past, got, life.next)
		}
		for _, to := range append(statuses, "appealed") {
			for _, retained := range retentions {
				for _, closed := range []string{"", "2025-01-05T10:00:00Z"} {
					cases++
					u := disputes.Update{Status: to, RetainedTotal: disputes.Amount{Value: client.MustMoney(retained.value), Currency: retained.currency}}
					body := map[string]any{"status": to, "retained_total": map[string]string{"value": u.RetainedTotal.Value.String(), "currency": retained.currency}}
					if closed != "" {
						u.ClosedAt, body["closed_at"] = day, closed
					}
					ours, theirs := fresh.Timeline().Check(u), b.put(fresh, body)
					if (ours == nil) != (theirs == nil) || theirs != nil && !errors.Is(theirs, client.ErrValidation) {
						t.Errorf("%v to %s with %s %s, closed at %q:\nwe say   %v\nthey say %v", life.past, to, retained.value, retained.currency, closed, ours, theirs)
					}
					if theirs != nil {
						continue
					}
					if now := b.read(fresh.ID); !u.AppliedTo(now) || now.ClosedAt.IsZero() == to.Closed() {
						t.Errorf("%v to %s: not applied: %+v", life.past, to, now)
					}
					fresh = b.dispute(life.past)
				}
			}
		}
	}
	t.Logf("%d updates of %d disputes", cases, b.made)
}

func TestServerAgreesAboutEveryInput(t *testing.T) {
	d, order, tx := newDesk(t)
	made := 0
	for _, test := range wrongInputs {
		in := lawful
		test.change(&in)
		if made == disputes.MaxPerTransaction {
			var err error
			if order, tx, err = d.sell(t.Context()); err != nil {
				t.Fatal(err)
			}
			made = 0
		}
		err := d.core.Do(t.Context(), client.Request{Version: client.VersionV1, Method: http.MethodPost, Path: "/orders/{order_id}/transactions/{transaction_id}/disputes",
			Args: []any{order, tx}, Body: in}, nil)
		if (err == nil) != (test.want == "") || err != nil && !errors.Is(err, client.ErrValidation) {
			t.Errorf("we say   %s\nthey say %v", test.want, err)
		}
		if err == nil {
			made++
		}
	}
	for _, r := range d.srv.Requests() {
		if r.Status == http.StatusCreated && len(r.Unread) > 0 {
			t.Errorf("%s: the server does not read %v of %s", r.Operation, r.Unread, r.Body)
		}
	}
}

func TestHundredCreationsGiveThree(t *testing.T) {
	d, order, tx := newDesk(t)
	var wg sync.WaitGroup
	ids := make(chan string, 100)
	for range 100 {
		wg.Go(func() {
			id, err := v1.Disputes(d.client).Create(t.Context(), order, tx, lawful)
			switch {
			case err == nil:
				ids <- id
			case !errors.Is(err, client.ErrValidation):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	close(ids)
	seen := map[string]bool{}
	for id := range ids {
		if d, err := v1.Disputes(d.client).Get(t.Context(), order, tx, id); err != nil || d.ID != id || seen[id] {
			t.Errorf("dispute %s: %+v, %v", id, d, err)
		}
		seen[id] = true
	}
	if len(seen) != disputes.MaxPerTransaction {
		t.Errorf("%d disputes, want %d", len(seen), disputes.MaxPerTransaction)
	}
}

func TestServerShowsAnAppItsOwn(t *testing.T) {
	d, order, tx := newDesk(t)
	id, err := v1.Disputes(d.client).Create(t.Context(), order, tx, lawful)
	if err != nil {
		t.Fatal(err)
	}
	other := unstable.Disputes(d.srv.Client("write_payments"))
	if _, err := other.Get(t.Context(), order, tx, id); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("another app got %v, want ErrNotFound", err)
	}
	if _, err := unstable.Disputes(d.srv.Client("read_payments")).Get(t.Context(), order, tx, id); !errors.Is(err, client.ErrForbidden) {
		t.Errorf("without write_payments: %v, want ErrForbidden", err)
	}
	mine, err := unstable.Disputes(d.srv.Client()).Get(t.Context(), order, tx, id)
	if err != nil || mine.ID != id || mine.StoreID != d.srv.StoreID() || mine.OrderID != order || mine.TransactionID != tx || mine.Status != nr || len(mine.Extra) != 0 {
		t.Errorf("got %+v, %v", mine, err)
	}
	// 2025-03 lost its disputes.
	err = d.srv.Client().Do(t.Context(), client.Request{Path: "/orders/{order_id}/transactions/{transaction_id}/disputes/{id}", Args: []any{order, tx, id}}, nil)
	if !errors.Is(err, client.ErrNotFound) {
		t.Errorf("2025-03: %v, want ErrNotFound", err)
	}
}
