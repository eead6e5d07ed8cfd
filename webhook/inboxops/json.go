package inboxops

import (
	"time"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/webhook"
)

type problemJSON struct {
	Error string `json:"error"`
}

type statsJSON struct {
	Pending         int     `json:"pending"`
	Due             int     `json:"due"`
	Leased          int     `json:"leased"`
	Done            int     `json:"done"`
	Dead            int     `json:"dead"`
	Trimmed         int     `json:"trimmed,omitempty"`
	Lag             float64 `json:"lag_seconds"`
	Oldest          float64 `json:"oldest_seconds"`
	OldestProtected float64 `json:"oldest_protected_seconds"`
	LogSize         int64   `json:"log_bytes,omitempty"`
}

func jsonOfStats(s webhook.Stats) statsJSON {
	return statsJSON{s.Pending, s.Due, s.Leased, s.Done, s.Dead, s.Trimmed, s.Lag.Seconds(), s.Oldest.Seconds(),
		s.OldestProtected.Seconds(), s.LogSize}
}

type groupJSON struct {
	State     webhook.EntryState `json:"state"`
	Event     webhook.Name       `json:"event"`
	Cause     string             `json:"cause"`
	Protected bool               `json:"protected,omitempty"`
	Entries   int                `json:"entries"`
	Stores    int                `json:"stores"`
	Oldest    time.Time          `json:"oldest"`
	ID        string             `json:"id"`              // of the group on the page
	Spark     string             `json:"spark,omitempty"` // the points of its sparkline
	Peak      string             `json:"peak,omitempty"`  // the greatest value of the sparkline and its time
}

func (g groupSum) json() groupJSON {
	return groupJSON{g.State, g.Event, g.Cause, g.Protected, g.count, g.stores, g.oldest, g.id(), spark(g.past.Points), g.past.Peak}
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

	Installations *installationsJSON `json:"installations,omitempty"` // missing without Handler.Judge
	Loops         []loopJSON         `json:"loops,omitempty"`
}

type figureJSON struct {
	ID    string `json:"id"`
	Value string `json:"value"`
	Spark string `json:"spark"`
	Peak  string `json:"peak,omitempty"` // the greatest value of the sparkline and its time
	Alarm bool   `json:"alarm,omitempty"`
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

	Failures   []webhook.EntryFailure `json:"failures,omitempty"` // the last attempts that failed; not in lists
	Body       string                 `json:"body,omitempty"`
	BodyBase64 []byte                 `json:"body_base64,omitempty"` // if it is not UTF-8
}

func jsonOf(e webhook.StoredEntry) entryJSON {
	j := entryJSON{
		Key: e.Key, State: e.State, Event: e.Event, Store: int64(e.StoreID), Lane: e.Lane, Kind: e.Kind, Cause: e.Cause,
		Attempts: e.Attempts, Count: e.Count, Generation: e.Gen, Protected: e.Protected, Trace: e.Trace,
		FirstSeen: e.FirstSeen, LastSeen: e.LastSeen, Since: e.Since, Due: e.Due, FailedAt: e.FailedAt, DiedAt: e.DiedAt,
		LeasedUntil: e.LeasedUntil, ForgetAt: e.ForgetAt, Failures: e.Failures,
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
	Next     string      `json:"next,omitempty"` // after of the next page; missing at the end of the search
	Searched int         `json:"searched"`
}

func jsonOfFound(all found) entriesJSON {
	j := entriesJSON{Entries: []entryJSON{}, Next: all.next, Searched: all.searched}
	for _, e := range all.entries {
		j.Entries = append(j.Entries, jsonOf(e))
	}
	return j
}

type countJSON struct {
	N         int       `json:"n"`
	Protected int       `json:"protected"` // privacy requests, which a purge skips
	Until     time.Time `json:"until"`
}

type actedJSON struct {
	Done int    `json:"done"`
	Next string `json:"next,omitempty"` // after of the same order, to continue with n less done
}
