package client_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// imports is a journal in memory. A real journal is a table in the database of the app, where store, path and key are
// unique. Begin inserts a row. End stores the id of the category in that row, or deletes the row if there is none.
type imports map[ulid.ULID]client.Intent

func (j imports) Begin(_ context.Context, in client.Intent) error {
	for _, open := range j {
		if open.Key == in.Key {
			return fmt.Errorf("%q was begun before", in.Key)
		}
	}
	j[in.ID] = in
	return nil
}

func (j imports) End(_ context.Context, in client.Intent, _ *client.Category) error {
	delete(j, in.ID)
	return nil
}

// A process dies between sending a create and reading the response. The next process looks for the record, and sends
// the create again only if the record does not exist.
func ExampleOnce() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	journal := imports{}
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

	ctx, dies := context.WithCancel(context.Background())
	_, err = once.Create(ctx, "Mugs", func(ctx context.Context) (*client.Category, error) {
		if _, err := create(ctx); err != nil {
			return nil, err
		}
		dies()
		return nil, client.ErrOutcomeUnknown
	})
	fmt.Println("first process:", err, "-", len(journal), "open")

	_, err = once.Create(context.Background(), "Mugs", create) // this would create a second record
	fmt.Println("forgot to resume:", err)
	for _, intent := range journal {
		c, err := once.Resume(context.Background(), intent, create)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("second process:", c.Name.Get("en"), "-", len(journal), "open")
	}
	all, err := v202503.Categories(c).List(client.CategoryFilter{}).Collect(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(all), "category")
	// Output:
	// first process: outcome unknown; looking for the record: context canceled - 1 open
	// forgot to resume: begin intent: "Mugs" was begun before
	// second process: Mugs - 0 open
	// 1 category
}
