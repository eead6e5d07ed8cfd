package inboxops

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/webhook"
)

// mostPage is the largest page of the JSON.
const mostPage = 500

// addAPI adds the JSON, which has the content of the pages.
func (h *Handler) addAPI() {
	for path, serve := range map[string]func(r *http.Request) (any, error){
		"GET /api/overview":  h.apiOverview,
		"GET /api/entries":   h.apiEntries,
		"GET /api/entry":     h.apiEntry,
		"GET /api/count":     h.apiCount,
		"POST /api/{action}": h.apiAct,
	} {
		h.routes.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			answer, err := serve(r)
			status := http.StatusOK
			if err != nil {
				status, answer = statusOf(err), problemJSON{printable(err.Error())}
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_ = json.NewEncoder(w).Encode(answer)
		})
	}
}

type problemJSON struct {
	Error string `json:"error"`
}

type statsJSON struct {
	Pending         int     `json:"pending"`
	Due             int     `json:"due"`
	Leased          int     `json:"leased"`
	Done            int     `json:"done"`
	Dead            int     `json:"dead"`
	Oldest          float64 `json:"oldest_seconds"`
	OldestProtected float64 `json:"oldest_protected_seconds"`
	LogSize         int64   `json:"log_bytes,omitempty"`
}

func jsonOfStats(s webhook.Stats) statsJSON {
	return statsJSON{s.Pending, s.Due, s.Leased, s.Done, s.Dead, s.Oldest.Seconds(), s.OldestProtected.Seconds(), s.LogSize}
}

type groupJSON struct {
	State     webhook.EntryState `json:"state"`
	Event     webhook.Name       `json:"event"`
	Cause     string             `json:"cause"`
	Protected bool               `json:"protected,omitempty"`
	Entries   int                `json:"entries"`
	Stores    int                `json:"stores"`
	Oldest    time.Time          `json:"oldest"`
	ID        string             `json:"id"`              // the query of its entries
	Spark     string             `json:"spark,omitempty"` // the points of its sparkline
}

func (g groupSum) json(now time.Time) groupJSON {
	return groupJSON{g.State, g.Event, g.Cause, g.Protected, g.count, g.stores, g.oldest, g.row(now).ID, spark(g.past)}
}

type storeJSON struct {
	Store   int64 `json:"store"`
	Due     int   `json:"due"`
	Leased  int   `json:"leased"`
	Waiting int   `json:"waiting"`
	Dead    int   `json:"dead"`
	Entries int   `json:"entries"`
}

type overviewJSON struct {
	Stats     statsJSON    `json:"stats"`
	Age       float64      `json:"age_seconds"` // of stats
	GroupsAge float64      `json:"groups_age_seconds"`
	Groups    []groupJSON  `json:"groups"`
	Stores    []storeJSON  `json:"stores"`
	Figures   []figureJSON `json:"figures"` // stats in words
	Error     string       `json:"error,omitempty"`
}

type figureJSON struct {
	ID    string `json:"id"`
	Value string `json:"value"`
	Spark string `json:"spark"`
	Alarm bool   `json:"alarm,omitempty"`
}

// apiOverview answers with the figures. With a store it has those of that store alone in stores.
func (h *Handler) apiOverview(r *http.Request) (any, error) {
	f := h.watch.figures(r.Context())
	if f.at.IsZero() && f.err != nil {
		return nil, f.err
	}
	o := overviewJSON{Stats: jsonOfStats(f.stats), Age: time.Since(f.at).Seconds(), GroupsAge: time.Since(f.counted).Seconds(), Groups: []groupJSON{}, Stores: []storeJSON{}}
	if f.counted.IsZero() {
		o.GroupsAge = -1 // they are not counted yet
	}
	if f.err != nil {
		o.Error = printable(f.err.Error())
	}
	for _, row := range f.rows() {
		o.Figures = append(o.Figures, figureJSON{row.ID, row.Value, spark(row.Past), row.Alarm})
	}
	for _, g := range f.groups {
		o.Groups = append(o.Groups, g.json(f.engine))
	}
	stores := f.stores
	if text := r.URL.Query().Get("store"); text != "" {
		filter, err := query{Store: text}.filter(time.Now())
		if err != nil {
			return nil, errInput{err}
		}
		one := f.allStore[filter.Store.Or(0)]
		one.id = filter.Store.Or(0)
		stores = []storeSum{one}
	}
	for _, s := range stores {
		o.Stores = append(o.Stores, storeJSON{int64(s.id), s.due, s.leased, s.waiting, s.dead, s.n})
	}
	return o, nil
}

// entryJSON is an entry. Times are RFC 3339 by the clock of the engine.
type entryJSON struct {
	Key         string             `json:"key"`
	State       webhook.EntryState `json:"state"`
	Event       webhook.Name       `json:"event"`
	Store       int64              `json:"store"`
	Lane        string             `json:"lane"`
	Kind        webhook.Kind       `json:"kind"`
	Cause       string             `json:"cause,omitempty"`
	Attempts    int                `json:"attempts"`
	Count       int                `json:"count"`
	Generation  uint64             `json:"generation"`
	Protected   bool               `json:"protected,omitempty"`
	Trace       string             `json:"trace,omitempty"`
	FirstSeen   time.Time          `json:"first_seen,omitzero"`
	LastSeen    time.Time          `json:"last_seen,omitzero"`
	Since       time.Time          `json:"since,omitzero"`
	Due         time.Time          `json:"due,omitzero"`
	FailedAt    time.Time          `json:"failed_at,omitzero"`
	DiedAt      time.Time          `json:"died_at,omitzero"`
	LeasedUntil time.Time          `json:"leased_until,omitzero"`
	ForgetAt    time.Time          `json:"forget_at,omitzero"`
	Body        string             `json:"body,omitempty"`
	BodyBase64  []byte             `json:"body_base64,omitempty"` // if it is not UTF-8
}

func jsonOf(e webhook.StoredEntry) entryJSON {
	j := entryJSON{
		Key: e.Key, State: e.State, Event: e.Event, Store: int64(e.StoreID), Lane: e.Lane, Kind: e.Kind, Cause: e.Cause,
		Attempts: e.Attempts, Count: e.Count, Generation: e.Gen, Protected: e.Protected, Trace: e.Trace,
		FirstSeen: e.FirstSeen, LastSeen: e.LastSeen, Since: e.Since, Due: e.Due, FailedAt: e.FailedAt, DiedAt: e.DiedAt,
		LeasedUntil: e.LeasedUntil, ForgetAt: e.ForgetAt,
	}
	if utf8.Valid(e.Body) {
		j.Body = string(e.Body)
	} else {
		j.BodyBase64 = e.Body
	}
	return j
}

type entriesJSON struct {
	Entries  []entryJSON `json:"entries"`
	Next     string      `json:"next,omitempty"` // after of the next page; the search has reached the end if it is missing
	Searched int         `json:"searched"`
}

func jsonOfFound(all found) entriesJSON {
	j := entriesJSON{Entries: []entryJSON{}, Next: all.next, Searched: all.searched}
	for _, e := range all.entries {
		j.Entries = append(j.Entries, jsonOf(e))
	}
	return j
}

func (h *Handler) apiEntries(r *http.Request) (any, error) {
	values, limit := r.URL.Query(), pageSize
	if text := values.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > mostPage {
			return nil, errInput{fmt.Errorf("limit %q: must be 1 to %d", text, mostPage)}
		}
		limit = n
	}
	f, err := queryOf(values).filter(time.Now())
	if err != nil {
		return nil, errInput{err}
	}
	all, err := search(r.Context(), h.inbox, f, values.Get("after"), limit, searchTime)
	return jsonOfFound(all), err
}

func (h *Handler) apiEntry(r *http.Request) (any, error) {
	e, err := h.lookup(r, r.URL.Query().Get("key"), r.URL.Query().Get("body") == "1")
	return jsonOf(e), err
}

type countJSON struct {
	N         int       `json:"n"`
	Protected int       `json:"protected"` // that a purge leaves alone
	Until     time.Time `json:"until"`
}

func (h *Handler) apiCount(r *http.Request) (any, error) {
	o, err := orderOf(r.URL.Query())
	if err != nil {
		return nil, err
	}
	f, err := o.filter(time.Now())
	if err != nil {
		return nil, errInput{err}
	}
	c, err := count(r.Context(), h.inbox, action(o.Do), f)
	return countJSON{c.n, c.protected, c.at}, err
}

type actedJSON struct {
	Done int    `json:"done"`
	Next string `json:"next,omitempty"` // after of the same order, to go on with n less done
}

// apiAct replays or purges what a body in JSON says, with n and until of a count.
func (h *Handler) apiAct(r *http.Request) (any, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, errInput{fmt.Errorf("Content-Type %q: must be application/json", r.Header.Get("Content-Type"))}
	}
	var o order
	in := json.NewDecoder(r.Body)
	in.DisallowUnknownFields()
	if err := in.Decode(&o); err != nil {
		return nil, errInput{err}
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, errInput{errors.New("the body has more than one value")}
	}
	if o.Do = r.PathValue("action"); !action(o.Do).valid() {
		return nil, errInput{fmt.Errorf("%q: must be replay or purge", o.Do)}
	}
	n, next, err := h.perform(r, o)
	return actedJSON{n, next}, err
}
