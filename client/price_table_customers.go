package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// PriceTableCustomer assigns a customer to a price table.
type PriceTableCustomer struct {
	ID        ID   `json:"id"`         // the customer
	CreatedAt Time `json:"created_at"` // when the customer was assigned to the table
	// ApprovedAt is zero until the customer is approved. The prices do not apply before that.
	ApprovedAt Time  `json:"approved_at"`
	Extra      Extra `json:",embed"`
}

// MaxPriceTableCustomers is the maximum number of customers of one AddCustomers call.
const MaxPriceTableCustomers = 10_000

// PriceTableConflictError reports that customers are already in a price table. In that case no customer of the call was
// added.
type PriceTableConflictError struct {
	// Customers lists the customers that are in a table, if the answer names them. For AddCustomers the table may be
	// the same one; for EnsureCustomers it is another one.
	Customers []ID
	// Err is the answer with status 409.
	Err *Error
}

// Error returns a text with up to ten of the customers.
func (e *PriceTableConflictError) Error() string {
	const most = 10
	named := ""
	if n := len(e.Customers); n > 0 {
		named = fmt.Sprintf(" (%d customers: %v)", n, e.Customers[:min(n, most)])
	}
	return fmt.Sprintf("customers are already in a price table, none was added%s: %v", named, e.Err)
}

// Unwrap returns Err.
func (e *PriceTableConflictError) Unwrap() error { return e.Err }

// conflictOf returns the typed error of a 409, and any other error unchanged.
func conflictOf(err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || !e.refusedWith(http.StatusConflict) {
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

// AddCustomers assigns up to MaxPriceTableCustomers customers to a table. It does not change its other customers. A
// customer can be in one table only. If any of them is already in a table, including this one, none is added and the
// error is a *PriceTableConflictError. A call therefore cannot be repeated. If the outcome is unknown, use
// EnsureCustomers.
//
//api:endpoint PUT /products/price-tables/{id}/customers
func (s *PriceTableService) AddCustomers(ctx context.Context, id ID, customers ...ID) error {
	if n := len(customers); n > MaxPriceTableCustomers {
		return engine.Invalid("customers", n, fmt.Sprintf("at most %d in one call", MaxPriceTableCustomers))
	}
	ids, err := textIDs(customers)
	if err != nil {
		return err
	}
	return conflictOf(s.write(ctx, http.MethodPut, "/products/price-tables/{id}/customers", ids, id))
}

// textIDs returns the ids of customers as they are sent.
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

// RemoveCustomer removes a customer from a table.
//
//api:endpoint DELETE /products/price-tables/{id}/customers/{customer_id}
func (s *PriceTableService) RemoveCustomer(ctx context.Context, id, customerID ID) error {
	return engine.Delete(ctx, s, "/products/price-tables/{id}/customers/{customer_id}", id, customerID)
}

// ApproveCustomers makes the prices of a table apply to customers in it. It ignores customers that are already approved
// or not in the table.
//
//api:endpoint POST /products/price-tables/{id}/approve-customers
func (s *PriceTableService) ApproveCustomers(ctx context.Context, id ID, customers ...ID) error {
	ids, err := textIDs(customers)
	if err != nil {
		return err
	}
	return s.write(ctx, http.MethodPost, "/products/price-tables/{id}/approve-customers", ids, id)
}

// ensureTries limits how often EnsureCustomers calls AddCustomers for the same customers.
const ensureTries = 4

// EnsureCustomers assigns customers to a table, except the ones that are already in it. It accepts any number of
// customers and is idempotent. It calls AddCustomers for up to MaxPriceTableCustomers at a time. If some of them are in
// a table, or the outcome is unknown, it reads the customers of this table and adds the missing ones.
//
// If customers are in another table, it returns a *PriceTableConflictError with their ids, because only the caller can
// decide to move them. In that case, the customers of earlier AddCustomers calls are in the table; the remaining
// customers may not be.
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
			return fmt.Errorf("%w; reading the customers of the price table: %w", err, failed)
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

// missing returns the customers that are not in a table. It reads the table, unless looking up each customer takes
// fewer requests.
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

// filtered returns the ids for which chosen returns true, in order.
func filtered(ids []ID, chosen func(ID) bool) (out []ID) {
	for _, id := range ids {
		if chosen(id) {
			out = append(out, id)
		}
	}
	return out
}
