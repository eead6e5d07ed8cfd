package apptables

import (
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// Behind a pooler that gives each transaction another session, prepared statements are an error with the remedy.
func TestPoolerAndPreparedStatements(t *testing.T) {
	t.Parallel()
	var secret [32]byte
	_, _ = rand.Read(secret[:])
	key, err := sqlstore.NewKey(secret[:])
	if err != nil {
		t.Fatal(err)
	}
	s := &sqlstore.Store{DB: opened(t, newOwn(t, pooler().URL(), "read committed", "cache_statement")), Keys: []sqlstore.Key{key}}
	err = s.Migrate(t.Context())
	errs := make([]error, 8)
	var all sync.WaitGroup
	for i := range errs { // at a time, so that they meet sessions that lack what they have prepared
		all.Go(func() {
			for n := 0; n < 50 && errs[i] == nil; n++ {
				errs[i] = s.Check(t.Context())
			}
		})
	}
	all.Wait()
	err = errors.Join(append(errs, err)...)
	if err == nil || !strings.Contains(err.Error(), "default_query_exec_mode=exec") {
		t.Errorf("with prepared statements: %v, want an error with what to set", err)
	}
}
