package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// shelve creates the category of an import once, even if the process dies or the answer is lost.
func shelve(
	ctx context.Context, c *client.Client, journal client.Journal[client.Category], name string,
) (*client.Category, error) {
	// README: once
	once := client.Once[client.Category]{
		Journal: journal, // a sqljournal.Journal in your database, for all replicas
		Among: func(since time.Time) client.List[client.Category] {
			return v202503.Categories(c).List(client.CategoryFilter{Window: client.Window{CreatedMin: since}})
		},
		Match: func(c *client.Category, key string) bool { return c.Name.Get("en") == key },
	}
	category, err := once.Create(ctx, name, func(ctx context.Context) (*client.Category, error) {
		return v202503.Categories(c).Create(ctx, client.CategoryInput{Name: client.Text{"en": name}})
	})
	// end
	return category, err
}

// begun is a journal in memory. Apps must not rely on one.
type begun map[string]client.Intent

// Begin implements client.Journal.
func (b begun) Begin(_ context.Context, in client.Intent) error {
	if _, there := b[in.Key]; there {
		return errors.New("it was begun before")
	}
	b[in.Key] = in
	return nil
}

// End implements client.Journal. An intent that has created a record stays, so that the record is never created again.
func (b begun) End(_ context.Context, in client.Intent, made *client.Category) error {
	if made == nil {
		delete(b, in.Key)
	}
	return nil
}

// shelves creates a category while the connection breaks, and asks for it again.
func shelves(ctx context.Context, platform *clienttest.Server, out io.Writer) error {
	c, journal := platform.Client(), begun{}
	lost := clienttest.Fault{Operation: "POST /categories", Count: 1, Reset: true, After: true}
	if err := platform.Fault(lost); err != nil {
		return err
	}
	category, err := shelve(ctx, c, journal, "Mugs")
	if err != nil {
		return err
	}
	_, again := shelve(ctx, c, journal, "Mugs")
	page, err := v202503.Categories(c).List(client.CategoryFilter{}).Page(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "category %s, although the answer was lost; again: %v; %d in the store\n",
		category.Name.Get("en"), again, page.Total)
	return nil
}
