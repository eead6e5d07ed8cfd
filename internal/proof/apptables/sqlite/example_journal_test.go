package apptables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// A category is created once, and the app's row about it is written together with the end of the intent.
func Example_journal() {
	dir, err := os.MkdirTemp("", "journal")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := connect(filepath.Join(dir, "app.db"))
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	ctx, c := context.Background(), srv.Client()

	journal := &sqljournal.Journal[client.Category]{
		DB: db, Name: "imports",
		OnEnd: func(ctx context.Context, tx *sql.Tx, in client.Intent, made *client.Category) error {
			if made == nil {
				return nil // the platform refused it
			}
			_, err := tx.ExecContext(ctx, "INSERT INTO import (name, category) VALUES ($1, $2)", in.Key, int64(made.ID))
			return err
		},
	}
	if err := journal.Migrate(ctx); err != nil {
		log.Fatal(err)
	}
	if _, err := db.ExecContext(ctx, "CREATE TABLE import (name TEXT PRIMARY KEY, category BIGINT NOT NULL)"); err != nil {
		log.Fatal(err)
	}
	once := client.Once[client.Category]{
		Journal: journal,
		Among: func(since time.Time) client.List[client.Category] {
			return v202503.Categories(c).List(client.CategoryFilter{Window: client.Window{CreatedMin: since}})
		},
		Match: func(c *client.Category, key string) bool { return c.Name.Get("en") == key },
	}
	create := func(ctx context.Context) (*client.Category, error) {
		return v202503.Categories(c).Create(ctx, client.CategoryInput{Name: client.Text{"en": "Mugs"}})
	}

	made, err := once.Create(ctx, "Mugs", create)
	fmt.Println("created:", made.Name.Get("en"), err)

	_, err = once.Create(ctx, "Mugs", create) // by another replica, or a year later
	if taken, ok := errors.AsType[*sqljournal.TakenError](err); ok {
		fmt.Println("known:", taken.Record == made.ID.String(), "open:", taken.Open)
	}
	var rows int
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM import").Scan(&rows); err != nil {
		log.Fatal(err)
	}
	fmt.Println("rows of the app:", rows)
	// Output:
	// created: Mugs <nil>
	// known: true open: false
	// rows of the app: 1
}
