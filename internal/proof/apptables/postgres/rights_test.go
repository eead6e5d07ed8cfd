package apptables

import (
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proof/statetest"
)

// On a managed server, the operator has made a schema for the role of the app, which may create nothing else. Another
// role may only read and write the tables.
func TestRightsOfRoles(t *testing.T) {
	t.Parallel()
	admin := opened(t, cluster.URL())
	name := strings.ToLower(rand.Text())
	owner, worker := "owner_"+name, "worker_"+name
	exec := func(statements ...string) {
		t.Helper()
		for _, statement := range statements {
			if _, err := admin.ExecContext(t.Context(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
	}
	for _, role := range []string{owner, worker} {
		exec(fmt.Sprintf("CREATE ROLE %s LOGIN PASSWORD 'secret' NOSUPERUSER NOCREATEDB", role))
	}
	exec(fmt.Sprintf("CREATE SCHEMA %s AUTHORIZATION %s", owner, owner))
	as := func(role string) string {
		t.Helper()
		address, err := url.Parse(cluster.URL())
		if err != nil {
			t.Fatal(err)
		}
		query := address.Query()
		query.Set("search_path", owner)
		address.User, address.RawQuery = url.UserPassword(role, "secret"), query.Encode()
		return address.String()
	}
	db := opened(t, as(owner))
	if _, err := db.ExecContext(t.Context(), "CREATE SCHEMA another_"+name); err == nil {
		t.Fatal("the owner of the schema may create others, so this test shows nothing")
	}
	statetest.Rights(t, engine, as(owner), as(worker), func() {
		exec(fmt.Sprintf("GRANT USAGE ON SCHEMA %s TO %s", owner, worker),
			fmt.Sprintf("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %s TO %s", owner, worker))
	})
}
