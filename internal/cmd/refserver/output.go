package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
	"text/tabwriter"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
)

// list makes the calls of a list and shows it as a table: with --json a line for each element.
func list(ctx context.Context, e *env, name string, query url.Values, of columns) error {
	t := e.table(of)
	err := e.elements(ctx, name, nil, query, func(one reply) error {
		if e.json {
			return e.line(one.raw)
		}
		return t.row(one)
	})
	if err != nil {
		return err
	}
	if !t.headed && !e.json {
		e.progress("there are no %s", things(name, len(query) > 0))
	}
	return t.Flush()
}

// things returns the plural noun of the elements of a list, from the help of its act.
func things(name string, some bool) string {
	declared, _ := act.Find(acts(), name)
	noun, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(declared.Does, "lists "), "the "), ":")
	noun, _, _ = strings.Cut(noun, " with ")
	noun = strings.TrimSuffix(noun, ",")
	if some {
		noun += " that match"
	}
	return noun
}

// printed prints a value of JSON, or text made of it.
func printed[T any](e *env, raw json.RawMessage, text func(w io.Writer, answer T)) error {
	if e.json {
		return e.line(raw)
	}
	var answer T
	if err := json.Unmarshal(raw, &answer); err != nil {
		return err
	}
	t := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	text(t, answer)
	return t.Flush()
}

// showValue prints a value of this command: as JSON with --json, otherwise as text.
func showValue(e *env, v any, text func(w io.Writer)) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return printed(e, raw, func(w io.Writer, _ json.RawMessage) { text(w) })
}

// line prints a value of JSON on a line.
func (e *env) line(raw json.RawMessage) error {
	_, err := fmt.Fprintf(e.stdout, "%s\n", raw)
	return err
}

// progress reports long work on stderr. It is not part of the output of --json.
func (e *env) progress(format string, args ...any) {
	fmt.Fprintf(e.stderr, "refserver: "+format+"\n", args...)
}

// storeID returns the id of --store, or of the demo store.
func (e *env) storeID(ctx context.Context) (string, error) {
	if e.store != "" {
		return e.store, nil
	}
	in, err := e.info(ctx)
	if err == nil && in.StoreID == 0 {
		err = misused("--store", "", "must be set: the server has no demo store")
	}
	e.store = fmt.Sprint(in.StoreID)
	return e.store, err
}

// columns are the columns of a table: the head of each and the member of an element. A member that ends with # is
// counted, ~ is milliseconds, and a dot leads into an object, or
// the last element of an array. An empty cell is a dash.
type columns []string

// table prints rows below their heads.
type table struct {
	*tabwriter.Writer
	of     columns
	headed bool
}

func (e *env) table(of columns) *table {
	out := e.stdout
	if e.json {
		out = io.Discard
	}
	return &table{Writer: tabwriter.NewWriter(out, 0, 0, 2, ' ', 0), of: of}
}

// row adds a row. Foreign text cannot end a row, or move the cursor of a terminal.
func (t *table) row(one reply) error {
	var heads, cells []string
	for _, column := range t.of {
		head, member, _ := strings.Cut(column, " ")
		heads, cells = append(heads, head), append(cells, cmp.Or(one.cell(member), "-"))
	}
	if !t.headed {
		fmt.Fprintln(t.Writer, strings.Join(heads, "\t"))
		t.headed = true
	}
	_, err := fmt.Fprintln(t.Writer, strings.Join(cells, "\t"))
	return err
}

// cell returns a member of a column.
func (a reply) cell(member string) string {
	if of, ok := strings.CutSuffix(member, "#"); ok {
		return fmt.Sprint(len(a.list(of)))
	}
	if of, ok := strings.CutSuffix(member, "~"); ok {
		return fmt.Sprintf("%.0f ms", a.number(of))
	}
	of, last, inside := strings.Cut(member, ".")
	if !inside {
		return a.text(of)
	}
	if all := a.list(of); len(all) > 0 && all[len(all)-1].is(last) {
		return all[len(all)-1].text(last)
	}
	return a.text(member)
}
