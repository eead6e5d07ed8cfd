package statetest

import (
	"errors"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// retiredRows has a retired token: it is in no list, stays sealed through a change of keys, and comes back.
func retiredRows(t *testing.T, e Engine) {
	s := e.store(t, key(1))
	swap(t, s, 7, 0, made(7, 5))
	swap(t, s, 8, 0, made(8, 5))
	if done, err := s.Retire(t.Context(), 7, 5, time.Unix(1_700_000_123, 0)); !done || err != nil {
		t.Fatal(done, err)
	}
	known, err := s.Known(t.Context(), 7)
	all, failed := s.Installed(t.Context())
	if err := errors.Join(err, failed); err != nil || known || len(all) != 1 || all[0] != 8 {
		t.Errorf("got %v, known %v, %v; want store 8 alone", all, known, err)
	}
	refused(t, with(s, key(2)).Check(t.Context()), sqlstore.ErrUnknownKey, "2 stores")
	if n, err := with(s, key(2), key(1)).Reseal(t.Context()); n != 2 || err != nil {
		t.Errorf("Reseal: got %d, %v; want 2", n, err)
	}
	s = with(s, key(2))
	for in, err := range s.Retired(t.Context()) {
		if err != nil || in.Token != token(7, 5) || in.RetiredAt.Unix() != 1_700_000_123 {
			t.Errorf("got %+v, %v", in, err)
		}
	}
	for in, err := range with(s, key(3)).Retired(t.Context()) {
		refused(t, err, oauth.ErrUnreadable, "store 7")
		if in.StoreID != 7 || in.Generation != 5 || in.RetiredAt.IsZero() {
			t.Errorf("got %+v, want what identifies the record", in)
		}
	}
	if done, err := s.Retire(t.Context(), 7, 5, time.Time{}); !done || err != nil {
		t.Fatal(done, err)
	}
	loads(t, s, 7, 5)
}
