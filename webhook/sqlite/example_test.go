package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// An order is shipped once, however often the platform tells of it: the shipment is
// written together with the end of the entry. In a handler of a worker, call webhook.CommitTx instead
// of the method, and leave the leases to the worker.
func ExampleInbox_Transact() {
	dir, err := os.MkdirTemp("", "inbox")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	inbox, err := sqlite.Open(ctx, filepath.Join(dir, "inbox.db"), sqlite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer inbox.Close()
	if _, err := inbox.DB().Exec("CREATE TABLE shipment (delivery TEXT)"); err != nil {
		log.Fatal(err)
	}

	order := webhook.Entry{
		Key: "app:1:order/created:42", Lane: "app:1:order:42", Kind: webhook.KindFact, Window: webhook.FactWindow,
		Event: "order/created", StoreID: 1, Body: []byte(`{"store_id":1,"event":"order/created","id":42}`),
	}
	for range 2 {
		outcomes, err := inbox.Accept(ctx, order)
		fmt.Println("accept:", outcomes, err)
	}
	leases, err := inbox.Lease(ctx, webhook.LeaseQuery{Limit: 10, Term: time.Minute})
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range leases {
		err := inbox.Transact(ctx, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, "INSERT INTO shipment (delivery) VALUES (?)", l.Key); err != nil {
				return err
			}
			_, err := inbox.CommitTx(ctx, tx, l)
			return err
		})
		fmt.Println("shipped:", l.Key, err)
	}
	outcomes, err := inbox.Accept(ctx, order)
	fmt.Println("accept:", outcomes, err)
	// Output:
	// accept: [stored] <nil>
	// accept: [joined] <nil>
	// shipped: app:1:order/created:42 <nil>
	// accept: [known] <nil>
}
