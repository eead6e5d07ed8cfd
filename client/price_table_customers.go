package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// PriceTableCustomer ties a customer to a price table.
type PriceTableCustomer struct {
	ID        ID   `json:"id"`         // the customer
	CreatedAt Time `json:"created_at"` // when the customer was tied to the table
	// ApprovedAt is zero until the customer is approved: the prices do not apply before.
	ApprovedAt Time  `json:"approved_at"`
	Extra      Extra `json:",embed"`
}

// MaxPriceTableCustomers is how many customers one call of AddCustomers takes.
const MaxPriceTableCustomers = 10_000

// PriceTableConflictError says that customers are in a price table already, so that none of the call was added.
type PriceTableConflictError struct {
	// Customers are those who are in a table, as far as the answer names them. Of AddCustomers this may be the same
	// table, of EnsureCustomers it is another one.
	Customers []ID
	// Err is the answer, whose status is 409.
	Err *Error
}

// Error names the customers, ten at most.
func (e *PriceTableConflictError) Error() string {
	const most = 10
	named := ""
	if n := len(e.Customers); n > 0 {
		named = fmt.Sprintf(" (%d customers: %v)", n, e.Customers[:min(n, most)])
	}
	return fmt.Sprintf("customers are in a price table already, nobody was added%s: %v", named, e.Err)
}

// Unwrap returns Err.
func (e *PriceTableConflictError) Unwrap() error { return e.Err }

// conflictOf returns the typed error of a 409, and any other error as it is.
func conflictOf(err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Status != http.StatusConflict {
		return err
	}
	conflict := &PriceTableConflictError{Err: e}
	var parts []struct {
		Customers []ID `json:"customers"`
	}
	e.Extra("errors", &parts)
	for _, part := range parts {
		conflict.Customers = append(conflict.Customers, part.Customers...)
	}
	return conflict
}

// Customers selects the customers of a table, approved or not.
//
//api:endpoint GET /products/price-tables/{id}/customers
func (s *PriceTableService) Customers(id ID, f PriceTableFilter) List[PriceTableCustomer] {
	return priceTableItems[PriceTableCustomer](s, f, engine.ListSpec{
		Path: "/products/price-tables/{id}/customers", Args: []any{id}, Envelope: []string{"customers"},
	})
}

// AddCustomers ties up to MaxPriceTableCustomers customers to a table, and leaves its other customers alone. A customer
// is in one table at most: if one of them is in a table, also in this one, nobody is added and the error is a
// *PriceTableConflictError. A call therefore cannot be repeated. If the outcome is unknown, use EnsureCustomers.
//
//api:endpoint PUT /products/price-tables/{id}/customers
func (s *PriceTableService) AddCustomers(ctx context.Context, id ID, customers ...ID) error {
	if n := len(customers); n > MaxPriceTableCustomers {
		return engine.Invalid("customers", n, fmt.Sprintf("%d at most in one call", MaxPriceTableCustomers))
	}
	ids, err := textIDs(customers)
	if err != nil {
		return err
	}
	return conflictOf(s.write(ctx, http.MethodPut, "/products/price-tables/{id}/customers", ids, id))
}

// textIDs returns the ids of customers as they are written.
func textIDs(customers []ID) ([]textID, error) {
	if err := checkNamed("customers", customers, func(id ID) ID { return id }); err != nil {
		return nil, err
	}
	ids := make([]textID, len(customers))
	for i, id := range customers {
		ids[i] = textID(id)
	}
	return ids, nil
}

// RemoveCustomer leaves a customer without a table.
//
//api:endpoint DELETE /products/price-tables/{id}/customers/{customer_id}
func (s *PriceTableService) RemoveCustomer(ctx context.Context, id, customerID ID) error {
	return engine.Delete(ctx, s, "/products/price-tables/{id}/customers/{customer_id}", id, customerID)
}

// ApproveCustomers makes the prices of a table apply to customers who are in it. Those who are approved already or not
// in the table are passed over.
//
//api:endpoint POST /products/price-tables/{id}/approve-customers
func (s *PriceTableService) ApproveCustomers(ctx context.Context, id ID, customers ...ID) error {
	ids, err := textIDs(customers)
	if err != nil {
		return err
	}
	return s.write(ctx, http.MethodPost, "/products/price-tables/{id}/approve-customers", ids, id)
}

// ensureTries is how often EnsureCustomers calls AddCustomers for the same customers.
const ensureTries = 4

// EnsureCustomers ties those of any number of customers to a table who are not in it yet. It may be repeated, for
// example after a failure. It calls AddCustomers for up to MaxPriceTableCustomers at a time. Where some are in a table,
// or the outcome is unknown, it reads who is in this one, and adds the others.
//
// If customers are in another table, it ends with a *PriceTableConflictError that names them: whether they change their
// table is for the caller to decide. Customers of the calls before are in the table then, those of this call and of the
// ones after it may not be.
func (s *PriceTableService) EnsureCustomers(ctx context.Context, id ID, customers ...ID) error {
	left := slices.Compact(slices.Sorted(slices.Values(customers)))
	if len(left) > 0 && left[0] <= 0 {
		return engine.Invalid("customers", left[0], "ids of customers")
	}
	for part := range slices.Chunk(left, MaxPriceTableCustomers) {
		if err := s.ensure(ctx, id, part); err != nil {
			return err
		}
	}
	return nil
}

func (s *PriceTableService) ensure(ctx context.Context, id ID, customers []ID) error {
	for tries := 1; ; tries++ {
		err := s.AddCustomers(ctx, id, customers...)
		conflict, refused := errors.AsType[*PriceTableConflictError](err)
		if err == nil || !refused && !errors.Is(err, ErrOutcomeUnknown) {
			return err
		}
		missing, failed := s.missing(ctx, id, customers)
		if failed != nil {
			return errors.Join(err, fmt.Errorf("reading who is in the price table: %w", failed))
		}
		if len(missing) == 0 {
			return nil
		}
		if refused {
			isMissing := func(id ID) bool { return slices.Contains(missing, id) }
			if elsewhere := filtered(conflict.Customers, isMissing); len(elsewhere) > 0 {
				return &PriceTableConflictError{Customers: elsewhere, Err: conflict.Err}
			}
		}
		if tries == ensureTries {
			return err
		}
		customers = missing
	}
}

// missing returns those of customers who are not in a table. It reads the table, unless fewer requests find each
// customer alone.
func (s *PriceTableService) missing(ctx context.Context, id ID, customers []ID) ([]ID, error) {
	left := make(map[ID]bool, len(customers))
	for _, c := range customers {
		left[c] = true
	}
	whole := true
	for page, err := range s.Customers(id, PriceTableFilter{}).Pages(ctx) {
		if err != nil {
			return nil, err
		}
		for _, c := range page.Items {
			delete(left, c.ID)
		}
		if rest := (page.Total - page.Number*MaxPriceTableItemsPerPage) / MaxPriceTableItemsPerPage; rest > len(left) {
			whole = false
			break
		}
	}
	if !whole {
		for c := range left {
			for t, err := range s.OfCustomer(c, PriceTableFilter{}).All(ctx) {
				if err != nil {
					return nil, err
				}
				if t.ID == id {
					delete(left, c)
				}
			}
		}
	}
	return filtered(customers, func(c ID) bool { return left[c] }), nil
}

// filtered returns the ids that are chosen, in their order.
func filtered(ids []ID, chosen func(ID) bool) (out []ID) {
	for _, id := range ids {
		if chosen(id) {
			out = append(out, id)
		}
	}
	return out
}
