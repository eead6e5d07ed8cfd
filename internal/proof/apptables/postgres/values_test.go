package apptables

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/client"
)

// query stores a value in a column of a type and reads it into back, by database/sql or by pgx itself.
type query func(ctx context.Context, column string, v, back any) error

func queries(t *testing.T) map[string]query {
	address := newDatabase(t)
	db := opened(t, address)
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	const insert = "INSERT INTO v_%s VALUES ($1) RETURNING v"
	for column := range strings.FieldsSeq("bigint text numeric timestamptz date jsonb") {
		if _, err := db.ExecContext(t.Context(), fmt.Sprintf("CREATE TABLE v_%[1]s (v %[1]s)", column)); err != nil {
			t.Fatal(err)
		}
	}
	return map[string]query{
		"stdlib": func(ctx context.Context, column string, v, back any) error {
			return db.QueryRowContext(ctx, fmt.Sprintf(insert, column), v).Scan(back)
		},
		"pgx": func(ctx context.Context, column string, v, back any) error {
			return conn.QueryRow(ctx, fmt.Sprintf(insert, column), v).Scan(back)
		},
	}
}

// Values come back from each column that fits as they were stored.
func TestValues(t *testing.T) {
	t.Parallel()
	at := func(s string) client.Time {
		v, err := client.ParseTime(s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for name, run := range queries(t) {
		for _, tt := range []struct {
			columns string
			values  []driver.Valuer
		}{
			{"bigint numeric", []driver.Valuer{client.ID(0), client.ID(math.MaxInt64), client.ID(math.MinInt64), client.Int(-1)}},
			{"text numeric", []driver.Valuer{
				client.Money{}, client.MustMoney("19.90"), client.MustMoney("-0.01"), client.MustMoney("123456789012.345678"),
				client.MustMoney("-999999999999999.999"), client.MustMoney("10.500"),
				client.Decimal(""), client.Decimal("0.30000000000000004"), client.Measure("0.250"), client.Measure(""),
			}},
			{"jsonb text", []driver.Valuer{client.Text{}, client.Text(nil), client.Text{"es": "Taza \"ñ\"", "pt": ""}, client.Plain("")}},
			{"timestamptz", []driver.Valuer{
				client.Time{}, at("0001-01-01T00:00:01Z"), at("9999-12-31T23:59:59.999999Z"), at("2025-03-30T01:30:00.123456Z"),
				client.CompletedAt(at("2025-10-26T01:30:00Z")),
			}},
			{"date", []driver.Valuer{client.Date{}, client.Date{Year: 2025, Month: 3, Day: 30}, client.Date{Year: 9999, Month: 12, Day: 31}}},
		} {
			for column := range strings.FieldsSeq(tt.columns) {
				for _, v := range tt.values {
					back := reflect.New(reflect.TypeOf(v))
					if err := run(t.Context(), column, v, back.Interface()); err != nil || !same(back.Elem().Interface(), v) {
						t.Errorf("%s, %s: %T %v came back as %v, %v", name, column, v, v, back.Elem(), err)
					}
				}
			}
		}
		var null client.Money
		if err := run(t.Context(), "numeric", nil, &null); err == nil || !strings.Contains(err.Error(), "NULL") {
			t.Errorf("%s: NULL: got %v, %v", name, null, err)
		}
		back := new(client.MustMoney("1.00"))
		if err := run(t.Context(), "numeric", client.Opt[client.Money]{}, &back); err != nil || back != nil {
			t.Errorf("%s: an absent Opt: got %v, %v", name, back, err)
		}
		if err := run(t.Context(), "numeric", client.Set(client.MustMoney("-7.10")), &back); err != nil || fmt.Sprint(back) != "-7.10" {
			t.Errorf("%s: an Opt: got %v, %v", name, back, err)
		}
	}
}

// same compares instants whatever their zone.
func same(got, want any) bool {
	switch want := want.(type) {
	case client.Money:
		return want.Equal(got.(client.Money)) && want.String() == got.(client.Money).String()
	case client.Time:
		return want.Equal(got.(client.Time).Time) && got.(client.Time).Location() == time.UTC
	case client.CompletedAt:
		return want.Equal(got.(client.CompletedAt).Time)
	}
	return reflect.DeepEqual(got, want)
}

// A slice of ids is an array of pgx.
func TestIDsAreAnArray(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), newDatabase(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	var n int
	err = conn.QueryRow(t.Context(), "SELECT count(*) FROM unnest(ARRAY[1,2,9223372036854775807]) AS i WHERE i = ANY($1)",
		[]client.ID{2, math.MaxInt64, 5}).Scan(&n)
	if err != nil || n != 2 {
		t.Errorf("got %d, %v", n, err)
	}
	want := []client.ID{2, math.MaxInt64}
	var ids []client.ID
	err = conn.QueryRow(t.Context(), "SELECT $1::bigint[]", want).Scan(&ids)
	if err != nil || !reflect.DeepEqual(ids, want) {
		t.Errorf("got %v, %v", ids, err)
	}
}

// A record in a jsonb column has its unknown members, by the codec that pgx has for jsonb.
func TestRecordsInJSONB(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../../testdata/wire/order_2025_03.json")
	if err != nil {
		t.Fatal(err)
	}
	var order client.Order
	if err := json.Unmarshal(data, &order); err != nil {
		t.Fatal(err)
	}
	order.Extra = client.Extra{"newer": json.RawMessage(`{"a": 1}`)}
	order.Products[0].Extra = client.Extra{"newer_too": json.RawMessage(`"b"`)}
	want, err := json.Marshal(order)
	if err != nil {
		t.Fatal(err)
	}
	var back client.Order
	if err := queries(t)["pgx"](t.Context(), "jsonb", order, &back); err != nil { // database/sql takes no structs
		t.Fatal(err)
	}
	got, err := json.Marshal(back) // jsonb orders the members of unknown objects
	if err != nil || len(got) != len(want) || string(back.Products[0].Extra["newer_too"]) != `"b"` || back.Extra["newer"] == nil {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}
