package apptables

import (
	"database/sql"
	"os"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/proof/sqlcopytest"
)

func TestCopy(t *testing.T) {
	t.Parallel()
	addresses := map[string]string{} // by test
	sqlcopytest.Run(t, func(t *testing.T) *sql.DB {
		if addresses[t.Name()] == "" {
			addresses[t.Name()] = newDatabase(t)
		}
		return opened(t, addresses[t.Name()])
	})
}

func TestCopyKilled(t *testing.T) {
	t.Parallel()
	address := newDatabase(t)
	sqlcopytest.Killed(t, opened(t, address), func(t *testing.T, env ...string) *proctest.Process {
		return proctest.Start(t, "copy", append(env, "SQLCOPY_DATABASE="+address)...)
	})
}

// copyProducts copies until it is killed.
func copyProducts() error {
	db, err := connect(os.Getenv("SQLCOPY_DATABASE"))
	if err != nil {
		return err
	}
	return sqlcopytest.Child(db)
}
