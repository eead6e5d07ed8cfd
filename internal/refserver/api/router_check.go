package api

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Check reports everything that is wrong with a table of operations: ids or rows
// that occur twice, rows that no path leads to, unknown versions and provenance,
// rows without a handler.
func Check(ops []Op) error {
	var errs []error
	ids := map[string]bool{}
	r := NewRouter(ops)
	for i := range ops {
		op := &ops[i]
		if op.ID == "" || ids[op.ID] {
			errs = append(errs, fmt.Errorf("%s %s: id %q is empty or taken", op.Method, op.Path, op.ID))
		}
		ids[op.ID] = true
		if op.Handler == nil {
			errs = append(errs, fmt.Errorf("%s: no handler", op.ID))
		}
		if !slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, op.Method) {
			errs = append(errs, fmt.Errorf("%s: method %q", op.ID, op.Method))
		}
		for _, v := range op.Versions {
			if !slices.Contains(Versions(), v) {
				errs = append(errs, fmt.Errorf("%s: version %q", op.ID, v))
			}
		}
		if !slices.Contains([]Provenance{Contract, Supplement, Assumed}, op.Origin()) {
			errs = append(errs, fmt.Errorf("%s: provenance %q", op.ID, op.Provenance))
		}
		if m := r.Find(op.AllVersions()[0], op.Method, sample(op)); m.Op != op {
			errs = append(errs, fmt.Errorf("%s: %s %s leads elsewhere", op.ID, op.Method, op.Path))
		}
	}
	return errors.Join(errs...)
}

// sample is a path that only this row, or another of its shape, should take.
func sample(op *Op) string {
	segs := strings.Split(op.Path, "/")
	for i, s := range segs {
		if _, ok := variable(s); !ok {
			continue
		}
		segs[i] = "~"
		if op.Digits {
			segs[i] = "1"
		}
	}
	return strings.Join(segs, "/")
}
