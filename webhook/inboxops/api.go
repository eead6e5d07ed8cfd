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
)

// mostPage is the largest page of the JSON.
const mostPage = 500

// addAPI adds the JSON endpoints, which have the content of the pages.
func (h *Handler) addAPI() {
	for path, serve := range map[string]func(r *http.Request) (any, error){
		"GET /api/overview":  h.apiOverview,
		"GET /api/entries":   h.apiEntries,
		"GET /api/entry":     h.apiEntry,
		"GET /api/count":     h.apiCount,
		"GET /api/jobs":      h.apiJobs,
		"GET /api/job":       h.apiJob,
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

// apiOverview answers with the figures. If a store is given, stores contains only that store.
func (h *Handler) apiOverview(r *http.Request) (any, error) {
	f := h.watch.figures(r.Context())
	if f.at.IsZero() && f.err != nil {
		return nil, f.err
	}
	o := overviewJSON{Stats: jsonOfStats(f.stats), Age: time.Since(f.at).Seconds(),
		GroupsAge: time.Since(f.counted).Seconds(), Groups: []groupJSON{}, Stores: []storeJSON{},
		Installations: h.installationsJSON(r.Context()), Loops: h.loopJSON()}
	if f.counted.IsZero() {
		o.GroupsAge = -1 // they are not counted yet
	}
	if f.err != nil {
		o.Error = printable(f.err.Error())
	}
	for _, row := range f.rows() {
		o.Figures = append(o.Figures, figureJSON{row.ID, row.Value, spark(row.Trend.Points), row.Trend.Peak, row.Alarm})
	}
	for _, g := range f.groups {
		o.Groups = append(o.Groups, g.json())
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

func (h *Handler) apiCount(r *http.Request) (any, error) {
	o, err := orderOf(r.URL.Query())
	if err != nil {
		return nil, err
	}
	f, err := o.filter(time.Now())
	if err != nil {
		return nil, errInput{err}
	}
	c, err := h.count(r, action(o.Do), f)
	return countJSON{c.n, c.protected, c.at}, err
}

// apiAct replays or purges entries as a JSON body requests, with n and until of a count.
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
		return nil, errInput{errors.New("the body has more than one value: must be one JSON object")}
	}
	if o.Do = r.PathValue("action"); !action(o.Do).valid() {
		return nil, errInput{fmt.Errorf("%q: must be replay or purge", o.Do)}
	}
	n, next, err := h.perform(r, o)
	return actedJSON{n, next}, err
}
