package apptables

import (
	"database/sql"
	"database/sql/driver"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// Values come back from each column that fits as they were stored.
func TestValues(t *testing.T) {
	t.Parallel()
	db := opened(t, newDatabase(t))
	at := func(s string) client.Time {
		v, err := client.ParseTime(s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, tt := range []struct {
		columns string
		values  []driver.Valuer
	}{
		{"INTEGER TEXT BIGINT NUMERIC", []driver.Valuer{client.ID(0), client.ID(math.MaxInt64), client.ID(math.MinInt64), client.Int(-1)}},
		{"TEXT", []driver.Valuer{
			client.Money{}, client.MustMoney("19.90"), client.MustMoney("-0.01"), client.MustMoney("123456789012.345678"),
			client.MustMoney("-999999999999999.999"), client.MustMoney("10.500"),
			client.Decimal(""), client.Decimal("0.30000000000000004"), client.Measure("0.250"), client.Measure(""),
			client.Text{}, client.Text(nil), client.Text{"es": "Taza \"ñ\"", "pt": ""}, client.Plain(""),
		}},
		{"NUMERIC REAL", []driver.Valuer{client.MustMoney("19.90"), client.MustMoney("-0.01"), client.MustMoney("1234567890123.45"), client.Decimal("0.25")}},
		{"TEXT TIMESTAMP DATETIME", []driver.Valuer{
			client.Time{}, at("0001-01-01T00:00:01Z"), at("9999-12-31T23:59:59.999999Z"), at("2025-03-30T01:30:00.123456Z"),
			client.CompletedAt(at("2025-10-26T01:30:00Z")),
		}},
		{"TEXT DATE", []driver.Valuer{client.Date{}, client.Date{Year: 2025, Month: 3, Day: 30}, client.Date{Year: 9999, Month: 12, Day: 31}}},
	} {
		for column := range strings.FieldsSeq(tt.columns) {
			for _, v := range tt.values {
				if got, err := stored(t, db, column, v, reflect.TypeOf(v)); err != nil || !same(got, v) {
					t.Errorf("%s: %T %v came back as %v, %v", column, v, v, got, err)
				}
			}
		}
	}
}

// stored writes a value into a column of a type, and returns what is read from it.
func stored(t *testing.T, db *sql.DB, column string, v any, as reflect.Type) (any, error) {
	t.Helper()
	for _, statement := range []string{"DROP TABLE IF EXISTS v", "CREATE TABLE v (v " + column + ")"} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.ExecContext(t.Context(), "INSERT INTO v VALUES ($1)", v); err != nil {
		return nil, err
	}
	back := reflect.New(as)
	err := db.QueryRowContext(t.Context(), "SELECT v FROM v").Scan(back.Interface())
	return back.Elem().Interface(), err
}

// same compares amounts and decimals by value, as a NUMERIC column drops zeros, and instants whatever their zone.
func same(got, want any) bool {
	switch want := want.(type) {
	case client.Money:
		return want.Equal(got.(client.Money))
	case client.Time:
		return want.Equal(got.(client.Time).Time) && got.(client.Time).Location() == time.UTC
	case client.CompletedAt:
		return want.Equal(got.(client.CompletedAt).Time)
	}
	return reflect.DeepEqual(got, want)
}

// What a column cannot hold is an error and never another amount.
func TestValuesAreNeverRounded(t *testing.T) {
	t.Parallel()
	db := opened(t, newDatabase(t))
	exact := client.MustMoney("123456789012.345678")
	if got, err := stored(t, db, "NUMERIC", exact, reflect.TypeOf(exact)); err == nil && !same(got, exact) {
		t.Errorf("18 digits in NUMERIC: got %v", got)
	}
	var m client.Money
	if err := db.QueryRowContext(t.Context(), "SELECT 0.1 + 0.2").Scan(&m); err == nil || !strings.Contains(err.Error(), "15 digits") {
		t.Errorf("0.1 + 0.2: got %v, %v", m, err)
	}
	if err := db.QueryRowContext(t.Context(), "SELECT sum(1) WHERE 1 = 0").Scan(&m); err == nil || !strings.Contains(err.Error(), "sql.Null[client.Money]") {
		t.Errorf("NULL: got %v, %v", m, err)
	}
	none, maybe := new(client.Money), sql.Null[client.Money]{Valid: true}
	if err := db.QueryRowContext(t.Context(), "SELECT NULL, NULL").Scan(&none, &maybe); err != nil || none != nil || maybe.Valid {
		t.Errorf("NULL: got %v, %v, %v", none, maybe, err)
	}
}

// An Opt is stored as its value or NULL, and a pointer reads both.
func TestOptIsStored(t *testing.T) {
	t.Parallel()
	db := opened(t, newDatabase(t))
	for _, tt := range []struct{ v, want any }{
		{client.Opt[string]{}, (*string)(nil)},
		{client.Null[client.Money](), (*client.Money)(nil)},
		{client.Set(client.MustMoney("5.00")), new(client.MustMoney("5.00"))},
		{client.Set(""), new("")},
		{client.Set(false), new(false)},
		{client.Set(client.ID(0)), new(client.ID(0))},
		{client.Set(client.Text{"es": "x"}), new(client.Text{"es": "x"})},
	} {
		if got, err := stored(t, db, "TEXT", tt.v, reflect.TypeOf(tt.want)); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%T: got %+v, %v, want %+v", tt.v, got, err, tt.want)
		}
	}
}
