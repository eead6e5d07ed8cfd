package tablestest

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// apps tests that apps can share tables, and that a row of one is never seen, changed or deleted by another. An app
// without an id among others is an error at its first call.
func apps(t *testing.T, open func(t *testing.T) *sql.DB) {
	for _, f := range faces() {
		t.Run(f.name, func(t *testing.T) {
			db := open(t)
			one, two := f.opened(t, db, 1), f.opened(t, db, 2)
			for n := 1; n <= 3; n++ {
				if err := one.put(t.Context(), n); err != nil {
					t.Fatal(err)
				}
			}
			if all, err := two.list(t.Context()); err != nil || len(all) > 0 {
				t.Errorf("app 2 has %v, %v; want none", all, err)
			}
			// The same key as app 1 has, and then app 1 continues.
			if err := errors.Join(two.put(t.Context(), 2), one.put(t.Context(), 4)); err != nil {
				t.Fatal(err)
			}
			if all, err := two.list(t.Context()); err != nil || fmt.Sprint(all) != "[2]" {
				t.Errorf("app 2 has %v, %v; want [2]", all, err)
			}
			if all, err := one.list(t.Context()); err != nil || fmt.Sprint(all) != "[1 2 3 4]" {
				t.Errorf("app 1 has %v, %v; want [1 2 3 4]", all, err)
			}
			err := f.open(db, 0).put(t.Context(), 9)
			if err == nil || !strings.Contains(err.Error(), "rows of app 2, and this one has no id") {
				t.Errorf("an app without an id: %v, want the app that has rows, and the remedy", err)
			}
		})
		t.Run(f.name+" without an id", func(t *testing.T) {
			db := open(t)
			if err := f.opened(t, db, 0).put(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			err := f.open(db, 7).put(t.Context(), 9)
			if err == nil || !strings.Contains(err.Error(), "an app without an id, and this one is app 7") {
				t.Errorf("an app with an id: %v, want both apps and the remedy", err)
			}
		})
	}
}
