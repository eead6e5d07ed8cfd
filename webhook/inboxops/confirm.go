package inboxops

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// confirmData is a question, and the form that answers it.
type confirmData struct {
	Do        action
	Key       string // of one entry; "" for a group
	Protected bool   // the one entry is a privacy request
	Died      string // of one entry
	Query     query  // of a group
	N         int    // of a group
	Skipped   int    // protected entries that a purge skips
	Did       int    // of a group, in earlier requests
	After     string // where to continue
}

// Total is the number of entries of the whole action.
func (d confirmData) Total() int { return d.Did + d.N }

// order is the content of a form or a JSON body.
type order struct {
	query
	Do    string `json:"-"`
	Key   string `json:"key,omitempty"`
	Died  string `json:"died,omitempty"` // of Key
	N     int    `json:"n,omitempty"`    // the number that was confirmed
	Did   int    `json:"-"`
	After string `json:"after,omitempty"`
}

func orderOf(values url.Values) (o order, err error) {
	o = order{query: queryOf(values), Do: values.Get("do"), Key: values.Get("key"), Died: values.Get("died"),
		After: values.Get("after")}
	for name, n := range map[string]*int{"n": &o.N, "did": &o.Did} {
		if text := values.Get(name); text != "" {
			if *n, err = strconv.Atoi(text); err != nil || *n < 0 {
				return o, errInput{fmt.Errorf("%s %q: must be a number", name, text)}
			}
		}
	}
	if !action(o.Do).valid() {
		return o, errInput{fmt.Errorf("do %q: must be replay or purge", o.Do)}
	}
	return o, nil
}

// confirm asks for confirmation, with the number. With a cursor it asks whether to continue.
func (h *Handler) confirm(_ http.ResponseWriter, r *http.Request) (int, string, any, error) {
	o, err := orderOf(r.URL.Query())
	if err != nil {
		return 0, "", nil, err
	}
	d := confirmData{Do: action(o.Do), Query: o.query, N: o.N, Did: o.Did, After: o.After}
	if o.Key != "" {
		e, err := h.inbox.Lookup(r.Context(), o.Key, false)
		if err != nil {
			return 0, "", nil, err
		}
		if e.DiedAt.IsZero() {
			return 0, "", nil, fmt.Errorf("%s %q: %w", o.Do, o.Key, errNotDead)
		}
		d.Key, d.Protected, d.Died = e.Key, e.Protected, e.DiedAt.Format(time.RFC3339Nano)
		return http.StatusOK, "confirm", d, nil
	}
	f, err := o.filter(time.Now())
	if err != nil {
		return 0, "", nil, errInput{err}
	}
	if o.After == "" {
		c, err := h.count(r, d.Do, f)
		if err != nil {
			return 0, "", nil, err
		}
		d.N, d.Skipped, d.Query.Until = c.n, c.protected, c.at.Format(time.RFC3339Nano)
	}
	return http.StatusOK, "confirm", d, nil
}

// count is the function count within the time of a request.
func (h *Handler) count(r *http.Request, do action, f webhook.EntryFilter) (counted, error) {
	ctx, cancel := h.within(r.Context())
	defer cancel()
	c, err := count(ctx, h.inbox, do, f)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("too many entries to count in the time of a request: select fewer entries or use the command: %w", err)
	}
	return c, err
}

// act executes the confirmed order, and redirects to the result, or to the question whether to continue.
func (h *Handler) act(w http.ResponseWriter, r *http.Request) (int, string, any, error) {
	if err := r.ParseForm(); err != nil {
		return 0, "", nil, errInput{err}
	}
	o, err := orderOf(r.PostForm)
	if err != nil {
		return 0, "", nil, err
	}
	n, next, err := h.perform(r, o)
	if err != nil {
		return 0, "", nil, err
	}
	values := o.values()
	values.Set("do", o.Do)
	values.Set("did", strconv.Itoa(o.Did+n))
	if next == "" {
		redirect(w, "done", values)
		return 0, "", nil, nil
	}
	values.Set("n", strconv.Itoa(o.N-n))
	values.Set("after", next)
	redirect(w, "confirm", values)
	return 0, "", nil, nil
}

// perform executes an order until its time is over, and logs it.
func (h *Handler) perform(r *http.Request, o order) (n int, next string, err error) {
	ctx, cancel := h.within(r.Context())
	defer cancel()
	defer h.watch.expire()
	do := action(o.Do)
	if o.Key != "" {
		died, err := time.Parse(time.RFC3339Nano, o.Died)
		if err != nil {
			return 0, "", errInput{fmt.Errorf("died %q: must be the time of death of the entry that was shown", o.Died)}
		}
		if err = actOn(ctx, h.inbox, do, o.Key, died); err != nil {
			return 0, "", err
		}
		h.audit(r, do.done(), slog.String("key", printable(o.Key)))
		return 1, "", nil
	}
	f, err := o.filter(time.Now())
	switch {
	case err != nil:
		return 0, "", errInput{err}
	case o.Until == "" || o.N == 0:
		return 0, "", errInput{fmt.Errorf("until %q and n %d: must be those of the confirmation", o.Until, o.N)}
	}
	n, next, err = act(ctx, h.inbox, do, f, o.N, o.After, h.budget())
	h.audit(r, do.done(), slog.Int("entries", n), slog.Int("confirmed", o.N),
		slog.String("query", printable(o.values().Encode())))
	if err != nil {
		err = fmt.Errorf("%s %d of %d before the error: %w", do.done(), n, o.N, err)
	}
	return n, next, err
}

// doneData is a result.
type doneData struct {
	Done  string
	Did   int
	Query query
	// After a replay of a group: how many of the entries are still pending, at most, and the page that counts again.
	Counted bool
	Left    int
	Again   string
}

// Ended is the number of replayed entries that are not pending any more, at least.
func (d doneData) Ended() int { return d.Did - d.Left }

func (h *Handler) done(_ http.ResponseWriter, r *http.Request) (int, string, any, error) {
	o, err := orderOf(r.URL.Query())
	if err != nil {
		return 0, "", nil, err
	}
	d := doneData{Done: action(o.Do).done(), Did: o.Did, Query: o.query, Again: "done?" + r.URL.Query().Encode()}
	if action(o.Do) == replay && o.Did > 0 && o.Until != "" { // of a group
		err = h.left(r, &d)
	}
	return http.StatusOK, "done", d, err
}

// left counts the replayed entries that are still pending. A replay clears the cause of an entry, and the count has
// newer entries too, so it is an upper bound. If it takes long, there is none.
func (h *Handler) left(r *http.Request, d *doneData) error {
	q := query{State: string(webhook.EntryPending), Event: d.Query.Event, Store: d.Query.Store, Record: d.Query.Record,
		Prefix: d.Query.Prefix}
	f, err := q.filter(time.Now())
	if err != nil {
		return errInput{err}
	}
	all, err := search(r.Context(), h.inbox, f, "", d.Did, searchTime)
	d.Counted, d.Left = all.next == "" || len(all.entries) >= d.Did, len(all.entries)
	return err
}
