package inboxops

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

type listData struct {
	Query   query
	States  []webhook.EntryState
	Entries []listRow
	Found   int
	Next    string // the address of the next page
	Search  int    // the number of entries read
	Error   string // the mistake in the query
}

type listRow struct {
	Key, Event, Store, Cause, Age string
	State                         webhook.EntryState
	Protected                     bool
	Attempts                      int
}

// The sizes of pages, and how long a search for a page takes.
const (
	pageSize   = 50 // of JSON
	pageRows   = 20
	searchTime = 80 * time.Millisecond
)

func (h *Handler) list(_ http.ResponseWriter, r *http.Request) (int, string, any, error) {
	d := listData{Query: queryOf(r.URL.Query()), States: webhook.EntryStates()}
	f, err := d.Query.filter(time.Now())
	if err != nil {
		d.Error = err.Error()
		return http.StatusBadRequest, "entries", d, nil
	}
	all, err := search(r.Context(), h.inbox, f, r.URL.Query().Get("after"), pageRows, searchTime)
	if err != nil {
		return 0, "", nil, err
	}
	for _, e := range all.entries {
		d.Entries = append(d.Entries, listRow{
			Key: e.Key, Event: string(e.Event), Store: e.StoreID.String(), Cause: e.Cause, Age: age(all.at.Sub(e.Since)),
			State: e.State, Protected: e.Protected, Attempts: e.Attempts,
		})
	}
	d.Search = all.searched
	if all.next != "" {
		values := d.Query.values()
		values.Set("after", all.next)
		d.Next = "entries?" + values.Encode()
	}
	return http.StatusOK, "entries", d, nil
}

type entryData struct {
	webhook.StoredEntry
	Died      string // DiedAt for a form
	ShowBody  bool
	BodyText  string
	WholeBody bool
	BodySize  int
	Group     query
}

func (h *Handler) entry(_ http.ResponseWriter, r *http.Request) (int, string, any, error) {
	key, show := r.URL.Query().Get("key"), r.URL.Query().Get("body") == "1"
	e, err := h.lookup(r, key, show)
	if err != nil {
		return 0, "", nil, err
	}
	d := entryData{StoredEntry: e, Died: e.DiedAt.Format(time.RFC3339Nano), ShowBody: show && !e.Protected,
		BodySize: len(e.Body)}
	d.BodyText, d.WholeBody = legible(e.Body)
	d.Group = queryFor(e.State, e.Event, webhook.CauseGroup(e.Cause))
	return http.StatusOK, "entry", d, nil
}

// lookup returns an entry. It logs the access to a body.
func (h *Handler) lookup(r *http.Request, key string, body bool) (webhook.StoredEntry, error) {
	e, err := h.inbox.Lookup(r.Context(), key, body)
	if err == nil && e.Body != nil {
		h.audit(r, "body shown", slog.String("key", printable(key)))
	}
	return e, err
}
