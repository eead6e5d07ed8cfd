package client_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// The kind of failure determines how a job continues.
func ExampleError() {
	ctx := context.Background()
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	c := srv.Client()
	next := func(err error) string {
		var failure *client.Error
		switch {
		case err == nil:
			return "ok"
		case errors.Is(err, client.ErrOutcomeUnknown): // must be first, because other cases can also be true
			return "read the record first"
		case errors.Is(err, client.ErrRateLimited), errors.Is(err, client.ErrServer),
			errors.Is(err, client.ErrNoAnswer), errors.Is(err, client.ErrCircuitOpen):
			return "retry later"
		case errors.As(err, &failure):
			return fmt.Sprintf("failed: %d %s %v", failure.Status, failure.Description, failure.Fields)
		}
		return "failed: " + err.Error()
	}
	create := func(in client.CategoryInput) error { _, err := v202503.Categories(c).Create(ctx, in); return err }
	get := func() error { _, err := v202503.Categories(c).Get(ctx, 42); return err }

	if err := srv.Fault(clienttest.Fault{Operation: "*", Reset: true}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(next(get()))
	fmt.Println(next(create(client.CategoryInput{Name: client.Text{"en": "Mugs"}})))
	srv.EndFaults()
	fmt.Println(next(get()))
	fmt.Println(next(create(client.CategoryInput{Name: client.Text{"en": "Mugs"}, Parent: client.Set(client.ID(42))})))
	fmt.Println(next(create(client.CategoryInput{Name: client.Text{"en": "Mugs"}})))
	// Output:
	// retry later
	// read the record first
	// failed: 404 Category with such id does not exist map[]
	// failed: 422 Validation error map[parent:[The selected parent is invalid.]]
	// ok
}
