package apptables

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/commerceplatform/commerce-go/client/sqljobs"
)

// Prices of a store are changed. One of them fails, is corrected, and is tried again.
func Example_jobs() {
	dir, err := os.MkdirTemp("", "jobs")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := connect(filepath.Join(dir, "app.db"))
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx, known := context.Background(), map[string]bool{"11": true, "12": true}
	prices := &sqljobs.Queue{
		DB: db, Name: "prices", Attempts: 1,
		Do: func(_ context.Context, b *sqljobs.Batch) error {
			for _, item := range b.Items {
				if !known[item.Key] { // an app calls the API here
					b.Fail(item.Key, errors.New("there is no such variant"))
				}
			}
			return nil
		},
	}
	err = errors.Join(
		prices.Migrate(ctx),
		prices.Add(ctx, 1, "winter sale", sqljobs.Item{Key: "11", Value: "9.90"}, sqljobs.Item{Key: "13", Value: "5.00"}),
		prices.Add(ctx, 1, "winter sale", sqljobs.Item{Key: "11", Value: "9.90"}, sqljobs.Item{Key: "12", Value: "8.00"}),
		prices.RunOnce(ctx), // a server calls Run
	)
	if err != nil {
		log.Fatal(err)
	}
	show := func() {
		p, _, err := prices.Progress(ctx, 1, "winter sale")
		fmt.Println(p.Done, "done,", p.Failed, "failed of", p.Total, err)
	}
	show()
	for f, err := range prices.Failures(ctx, 1, "winter sale") {
		fmt.Println(f.Key, f.Value, f.Reason, err)
	}
	known["13"] = true
	again, err := prices.Retry(ctx, 1, "winter sale")
	fmt.Println("again:", again, err, prices.RunOnce(ctx))
	show()
	// Output:
	// 2 done, 1 failed of 3 <nil>
	// 13 5.00 there is no such variant <nil>
	// again: 1 <nil> <nil>
	// 3 done, 0 failed of 3 <nil>
}
