package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"text/tabwriter"
)

// call makes a call and shows the answer: unchanged with --json, otherwise as text.
func call[T any](ctx context.Context, e *env, method, path string, body any, text func(w io.Writer, answer T)) error {
	var raw json.RawMessage
	if err := e.remote.Call(ctx, method, path, body, &raw); err != nil {
		return err
	}
	return show(e, raw, text)
}

// list makes the calls of a list and shows it as a table: with --json a line for each element.
func list[T any](ctx context.Context, e *env, path, heads string, row func(T) []any) error {
	t := e.table(heads)
	err := e.remote.Pages(ctx, path, func(raw json.RawMessage) error {
		if e.json {
			return e.line(raw)
		}
		var one T
		if err := json.Unmarshal(raw, &one); err != nil {
			return err
		}
		return t.row(row(one)...)
	})
	if err != nil {
		return err
	}
	return t.Flush()
}

// get reads an answer.
func get[T any](ctx context.Context, e *env, path string) (answer T, err error) {
	err = e.remote.Call(ctx, http.MethodGet, path, nil, &answer)
	return answer, err
}

// show prints a value of JSON, or text made of it.
func show[T any](e *env, raw json.RawMessage, text func(w io.Writer, answer T)) error {
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
	return show(e, raw, func(w io.Writer, _ json.RawMessage) { text(w) })
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

// inStore returns a path below the store of --store, or below the demo store.
func (e *env) inStore(ctx context.Context, path string) (string, error) {
	if e.store == "" {
		in, err := get[info](ctx, e, "info")
		if err != nil {
			return "", err
		}
		if in.StoreID == 0 {
			return "", misused("--store", "", "must be set: the server has no demo store")
		}
		e.store = fmt.Sprint(in.StoreID)
	}
	return "stores/" + escape(e.store) + "/" + path, nil
}

// table prints rows below their heads.
type table struct {
	*tabwriter.Writer
	heads string
}

func (e *env) table(heads string) *table {
	out := e.stdout
	if e.json {
		out = io.Discard
	}
	return &table{tabwriter.NewWriter(out, 0, 0, 2, ' ', 0), heads}
}

// row adds a row. Foreign text cannot end a row, or move the cursor of a terminal.
func (t *table) row(cells ...any) error {
	if t.heads != "" {
		fmt.Fprintln(t.Writer, strings.ReplaceAll(t.heads, " ", "\t"))
		t.heads = ""
	}
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = plain(fmt.Sprint(c))
	}
	_, err := fmt.Fprintln(t.Writer, strings.Join(out, "\t"))
	return err
}
