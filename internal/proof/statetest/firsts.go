package statetest

import (
	"context"
	"reflect"
	"testing"

	"github.com/commerceplatform/commerce-go/payments"
)

// firsts returns an act and each method of the package that uses the database, most with zero values. Each is the
// first call of a process.
func firsts(t *testing.T, w *World, row Row) map[string]func(ctx context.Context) error {
	t.Helper()
	all := map[string]func(ctx context.Context) error{
		"Act": func(ctx context.Context) error { return w.process(t, row).Act(ctx, 0) },
	}
	for name := range reflect.ValueOf(keeper(w.process(t, row))).Methods() {
		if name.Name == "Migrate" || name.Type.NumIn() < 2 || name.Type.In(1) != reflect.TypeFor[context.Context]() {
			continue
		}
		all[name.Name] = func(ctx context.Context) error {
			tx, err := w.DB.BeginTx(ctx, nil)
			if err != nil {
				return err
			}
			defer func() { _ = tx.Rollback() }()
			method := reflect.ValueOf(keeper(w.process(t, row))).MethodByName(name.Name)
			var args []reflect.Value
			for of := range method.Type().Ins() {
				arg := reflect.Zero(of)
				for _, given := range []any{ctx, tx, payments.About{StoreID: 7}} {
					if v := reflect.ValueOf(given); v.CanConvert(of) {
						arg = v.Convert(of)
					}
				}
				args = append(args, arg)
			}
			return failure(method.Call(args))
		}
	}
	return all
}

// keeper returns the value of the package that keeps rows.
func keeper(f Face) any {
	switch f := f.(type) {
	case *tokensFace:
		return f.Store
	case *journalFace:
		return f.Journal
	case *copiesFace:
		return f.Mirror
	case *ratesFace:
		return f.Cache
	case *ledgerFace:
		return f.ledger
	}
	return struct{}{} // claims are made by acts alone
}

// failure returns the last result, or the first error of a sequence.
func failure(results []reflect.Value) error {
	last := results[len(results)-1]
	if last.Kind() == reflect.Func {
		for _, last = range last.Seq2() {
			break
		}
	}
	err, _ := last.Interface().(error)
	return err
}
