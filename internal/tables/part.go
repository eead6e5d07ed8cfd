package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Part is the tables of one package, which package client/appdb makes together with those of others. It has no exported
// fields or methods, because users see it as appdb.Part.
type Part struct{ set Set }

// PartOf returns the tables of a Set.
func PartOf(s Set) Part { return Part{s} }

// SchemaOf returns the statements that create the tables of all parts.
func SchemaOf(prefix string, parts []Part) string {
	var all strings.Builder
	for _, p := range parts {
		all.WriteString(p.set.Schema(prefix))
	}
	return all.String()
}

// MigrateAll creates the tables of all parts, or changes them into those of this release, and checks them. A part that
// fails does not stop the others.
func MigrateAll(ctx context.Context, db *sql.DB, prefix string, parts []Part) error {
	var all []error
	for _, p := range parts {
		err := p.set.migrate(ctx, db, prefix)
		if err == nil {
			err = p.check(ctx, db, prefix)
		}
		if err == nil {
			_, err = p.in(db, prefix).Moved(ctx)
		}
		all = append(all, err)
	}
	return errors.Join(all...)
}

// CheckAll returns an error for each part that this release cannot use, or that has moved. It names the tables that are
// missing.
func CheckAll(ctx context.Context, db *sql.DB, prefix string, parts []Part) error {
	var all []error
	for _, p := range parts {
		err := p.check(ctx, db, prefix)
		if err == nil {
			var m Move
			if m, err = p.in(db, prefix).Moved(ctx); err == nil {
				err = p.set.moved(m)
			}
		}
		all = append(all, err)
	}
	return errors.Join(all...)
}

// SettleAll ends the moves of all parts, because their steps were done.
func SettleAll(ctx context.Context, db *sql.DB, prefix string, parts []Part) error {
	var all []error
	for _, p := range parts {
		_, err := p.in(db, prefix).Exec(ctx, db, settleSQL, p.set.Package)
		all = append(all, err)
	}
	return errors.Join(all...)
}

func (p Part) in(db *sql.DB, prefix string) Tables { return Tables{Set: p.set, DB: db, Prefix: prefix} }

func (p Part) check(ctx context.Context, db *sql.DB, prefix string) error {
	err := p.set.Check(ctx, db, prefix)
	if err != nil && !errors.Is(err, ErrNoTables) {
		return err
	}
	lost, failed := p.lost(ctx, db, prefix)
	names := strings.Join(lost, ", ")
	switch {
	case failed != nil:
		return fmt.Errorf("%s: %w", p.set.Package, failed)
	case err != nil && names != "":
		return fmt.Errorf("%w: %s", err, names)
	case names != "":
		version := Rename(prefix, "commerce_version")
		return fmt.Errorf("%s: %s: the table is missing, although %s has the version of this package: restore it; or, to create "+
			"it without rows, delete the row of package %s from %s and call Migrate", p.set.Package, names, version, p.set.Package, version)
	}
	return err
}

var created = regexp.MustCompile(`CREATE TABLE (?:IF NOT EXISTS )?(\w+)`)

// lost returns the names of tables that the database does not have.
func (p Part) lost(ctx context.Context, db *sql.DB, prefix string) (all []string, err error) {
	for _, step := range p.set.steps() {
		for _, name := range created.FindAllStringSubmatch(Rename(prefix, step.Script), -1) {
			_, err := db.ExecContext(ctx, "SELECT 1 FROM "+name[1]+" WHERE 1 = 0")
			switch {
			case err == nil || slices.Contains(all, name[1]):
			case ctx.Err() == nil && missing(err):
				all = append(all, name[1])
			default:
				return nil, err
			}
		}
	}
	return all, nil
}
