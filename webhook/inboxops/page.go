package inboxops

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

//go:embed assets
var assets embed.FS

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"age": age, "entries": entries, "number": number, "printable": printable, "spark": spark, "stamp": stamp,
	"link": func(page string, q query) string { return page + "?" + q.values().Encode() },
	"act": func(do action, q query) string {
		values := q.values()
		values.Set("do", string(do))
		return "confirm?" + values.Encode()
	},
	"one": func(do action, key string) string {
		return "confirm?" + url.Values{"do": {string(do)}, "key": {key}}.Encode()
	},
	"entry": func(key string) string { return "entry?" + url.Values{"key": {key}}.Encode() },
}).ParseFS(assets, "assets/*.html"))

// view is what every page shows.
type view struct {
	Title string
	Name  string // of the page
	Data  any
}

// addPages adds the pages. All are in one directory, so that links work wherever the handler is mounted.
func (h *Handler) addPages() {
	for path, serve := range map[string]func(w http.ResponseWriter, r *http.Request) (status int, name string, data any, err error){
		"GET /{$}":     h.overview,
		"GET /entries": h.list,
		"GET /entry":   h.entry,
		"GET /confirm": h.confirm,
		"POST /act":    h.act,
		"GET /done":    h.done,
	} {
		h.routes.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			status, name, data, err := serve(w, r)
			if err != nil {
				status, name, data = statusOf(err), "problem", printable(err.Error())
			}
			if name != "" {
				h.render(w, status, name, data)
			}
		})
	}
	for path, kind := range map[string]string{"style.css": "text/css; charset=utf-8", "ops.mjs": "text/javascript; charset=utf-8"} {
		h.routes.HandleFunc("GET /"+path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			http.ServeFileFS(w, r, assets, "assets/"+path)
		})
	}
	h.routes.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		h.render(w, http.StatusNotFound, "problem", "There is no such page.")
	})
}

func (h *Handler) render(w http.ResponseWriter, status int, name string, data any) {
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, name+".html", view{cmp.Or(h.Title, "Inbox"), name, data}); err != nil {
		http.Error(w, "inboxops: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes())
}

// errInput is about what the request says.
type errInput struct{ error }

func (e errInput) Unwrap() error { return e.error }

// statusOf returns the status of an error.
func statusOf(err error) int {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return http.StatusRequestEntityTooLarge
	case errors.As(err, new(errInput)):
		return http.StatusBadRequest
	case errors.Is(err, webhook.ErrNoEntry):
		return http.StatusNotFound
	case errors.Is(err, errNotDead):
		return http.StatusConflict
	}
	return http.StatusServiceUnavailable
}

// redirect answers a form. The address is relative to the page.
func redirect(w http.ResponseWriter, page string, values url.Values) {
	w.Header().Set("Location", page+"?"+values.Encode())
	w.WriteHeader(http.StatusSeeOther)
}

// figure is a number with its past.
type figure struct {
	ID, Name, Value, Hint string
	Past                  []int
	Alarm                 bool
}

type overviewData struct {
	Figures    []figure
	Problem    string // why there are no newer figures
	Age        string // of the figures
	GroupsAge  string
	Groups     []groupRow
	More       int
	Stores     []storeRow
	HaveGroups bool
}

type groupRow struct {
	ID, Event, Cause, Age string
	State                 webhook.EntryState
	Protected, Dead       bool
	Count, Stores, Rank   int
	Past                  []int
	Query                 query
}

type storeRow struct {
	ID                         string
	Dead, Due, Waiting, Leased int
	Age                        string
	Query, Died                query
}

func (h *Handler) overview(_ http.ResponseWriter, r *http.Request) (int, string, any, error) {
	f := h.watch.figures(r.Context())
	d := overviewData{Figures: f.rows(), HaveGroups: !f.counted.IsZero(), More: f.more}
	status := http.StatusOK
	if f.err != nil {
		d.Problem = printable(f.err.Error())
		if f.at.IsZero() {
			status = http.StatusServiceUnavailable
		}
	}
	if !f.at.IsZero() {
		d.Age = age(time.Since(f.at))
	}
	if d.HaveGroups {
		d.GroupsAge = age(time.Since(f.counted))
	}
	for _, g := range f.groups {
		d.Groups = append(d.Groups, g.row(f.engine))
	}
	for _, s := range f.stores {
		q := query{Store: s.id.String()}
		row := storeRow{ID: q.Store, Dead: s.dead, Due: s.due, Waiting: s.waiting, Leased: s.leased, Query: q, Died: query{Store: q.Store, State: "dead"}}
		if !s.oldest.IsZero() {
			row.Age = age(f.engine.Sub(s.oldest))
		}
		d.Stores = append(d.Stores, row)
	}
	return status, "overview", d, nil
}

func (g groupSum) row(now time.Time) groupRow {
	q := queryFor(g.State, g.Event, g.Cause)
	return groupRow{
		ID: q.values().Encode(), State: g.State, Event: string(g.Event), Cause: g.Cause, Age: age(now.Sub(g.oldest)), Protected: g.Protected,
		Dead: g.State == webhook.EntryDead, Count: g.count, Stores: g.stores, Rank: g.rank(), Past: g.past, Query: q,
	}
}

// rows are the figures of the page.
func (f figures) rows() []figure {
	past := func(of func(s webhook.Stats) int) (all []int) {
		for _, s := range f.samples {
			all = append(all, of(s))
		}
		return all
	}
	s := f.stats
	seconds := func(d time.Duration) int { return int(d / time.Second) }
	rows := []figure{
		{"pending", "Pending", number(s.Pending), "to be handled", past(func(s webhook.Stats) int { return s.Pending }), false},
		{"due", "Due", number(s.Due), "wait for a worker", past(func(s webhook.Stats) int { return s.Due }), false},
		{"leased", "Leased", number(s.Leased), "in progress", past(func(s webhook.Stats) int { return s.Leased }), false},
		{"dead", "Dead", number(s.Dead), "nobody tries them", past(func(s webhook.Stats) int { return s.Dead }), s.Dead > 0},
		{"done", "Done", number(s.Done), "facts remembered", past(func(s webhook.Stats) int { return s.Done }), false},
		{"oldest", "Oldest pending", age(s.Oldest), "more than minutes: workers are slow or down",
			past(func(s webhook.Stats) int { return seconds(s.Oldest) }), s.Oldest > 10*time.Minute},
		{"protected", "Oldest data protection", age(s.OldestProtected), "the law sets a term",
			past(func(s webhook.Stats) int { return seconds(s.OldestProtected) }), s.OldestProtected > time.Hour},
	}
	return rows
}

type listData struct {
	Query   query
	States  []webhook.EntryState
	Entries []listRow
	Found   int
	Next    string // the address of the next page
	Search  int    // how many entries were looked at
	Error   string // what is wrong with the query
}

type listRow struct {
	Key, Event, Store, Cause, Age string
	State                         webhook.EntryState
	Protected                     bool
	Attempts                      int
}

// The sizes of pages, and how long a page searches.
const (
	pageSize   = 50
	searchTime = 80 * time.Millisecond
)

func (h *Handler) list(_ http.ResponseWriter, r *http.Request) (int, string, any, error) {
	d := listData{Query: queryOf(r.URL.Query()), States: webhook.EntryStates()}
	f, err := d.Query.filter(time.Now())
	if err != nil {
		d.Error = err.Error()
		return http.StatusBadRequest, "entries", d, nil
	}
	all, err := search(r.Context(), h.inbox, f, r.URL.Query().Get("after"), pageSize, searchTime)
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
	d := entryData{StoredEntry: e, Died: e.DiedAt.Format(time.RFC3339Nano), ShowBody: show && !e.Protected, BodySize: len(e.Body)}
	d.BodyText, d.WholeBody = legible(e.Body)
	d.Group = queryFor(e.State, e.Event, webhook.CauseGroup(e.Cause))
	return http.StatusOK, "entry", d, nil
}

// lookup returns an entry. That somebody has seen its body is logged.
func (h *Handler) lookup(r *http.Request, key string, body bool) (webhook.StoredEntry, error) {
	e, err := h.inbox.Lookup(r.Context(), key, body)
	if err == nil && e.Body != nil {
		h.audit(r, "body shown", slog.String("key", printable(key)))
	}
	return e, err
}

// within returns a context that ends somewhat after the budget of a request.
func (h *Handler) within(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, h.budget()+5*time.Second)
}

func (h *Handler) budget() time.Duration { return cmp.Or(h.Budget, DefaultBudget) }
