package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// VariantPatch is one variant in the body of Patch.
type VariantPatch struct {
	// ID is required.
	ID ID `json:"id"`
	VariantInput
}

// Replace replaces all variants of the product and returns the new ones. Variants are identified by their values. An
// existing combination is updated and keeps its id, and a new combination is created. Variants whose combination is not
// in the list are DELETED. Use Patch to change some variants without deleting others.
//
//api:endpoint PUT /products/{product_id}/variants
func (s *VariantService) Replace(ctx context.Context, productID ID, variants []VariantInput) ([]Variant, error) {
	if err := checkReplacement(variants); err != nil {
		return nil, err
	}
	return s.batch(ctx, http.MethodPut, productID, variants)
}

// Patch updates variants by id and returns all variants of the product. It does not add or remove variants. If the
// values of one are equal to those of another variant, the platform rejects the whole call. DuplicateVariantIDs returns
// these variants.
//
//api:endpoint PATCH /products/{product_id}/variants
func (s *VariantService) Patch(ctx context.Context, productID ID, variants []VariantPatch) ([]Variant, error) {
	if err := checkPatches(variants); err != nil {
		return nil, err
	}
	return s.batch(ctx, http.MethodPatch, productID, variants)
}

// DuplicateVariantIDs returns the variants that Patch rejected because another variant of the product has the same
// values. It returns nil for other errors.
func DuplicateVariantIDs(err error) []ID {
	var ids []ID
	if e := (*Error)(nil); errors.As(err, &e) {
		e.Extra("duplicate_variant_ids", &ids)
	}
	return ids
}

// batch writes several variants. If the answer broke off, the write was applied, so batch reads the variants and does
// not write them again.
func (s *VariantService) batch(ctx context.Context, method string, productID ID, in any) ([]Variant, error) {
	out, err := engine.Send[[]Variant](ctx, s, method, "/products/{product_id}/variants", in, productID)
	if errors.Is(err, engine.ErrTruncated) {
		if all, rereadErr := s.List(productID, VariantFilter{}).Collect(ctx); rereadErr == nil {
			return all, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return *out, nil
}

func checkReplacement(variants []VariantInput) error {
	if err := checkVariantCount(len(variants)); err != nil {
		return err
	}
	seen := combinations{}
	for i, v := range variants {
		if err := cmp.Or(v.checkValues(), v.check(), seen.add(v.Values)); err != nil {
			return fmt.Errorf("[%d].%w", i, err)
		}
	}
	return nil
}

func checkVariantCount(n int) error {
	if n == 0 || n > MaxVariants {
		return engine.Invalid("variants", n, fmt.Sprintf("1 to %d variants", MaxVariants))
	}
	return nil
}

func checkPatches(variants []VariantPatch) error {
	if err := checkVariantCount(len(variants)); err != nil {
		return err
	}
	seen := combinations{}
	for i, v := range variants {
		if v.ID <= 0 {
			return engine.Invalid(fmt.Sprintf("[%d].id", i), v.ID, "the id of a variant of the product")
		}
		err := v.check()
		if err == nil && v.Values != nil {
			err = seen.add(v.Values)
		}
		if err != nil {
			return fmt.Errorf("[%d].%w", i, err)
		}
	}
	return nil
}

// combinations is the set of values of the variants seen so far, as JSON.
type combinations map[string]bool

func (c combinations) add(values []Text) error {
	key, err := wire.Marshal(values)
	if err != nil {
		return err
	}
	if c[string(key)] {
		return engine.Invalid("values", values, "values that no other variant of the product has")
	}
	c[string(key)] = true
	return nil
}
