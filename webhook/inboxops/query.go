package inboxops

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// A form sends empty fields too, so an empty text means any, and these mean the empty text.
const (
	unknownEvent = "(unknown)"
	noCause      = "(none)"
)

// query is a filter in the address of a page, in JSON and in the flags of a command.
type query struct {
	State  string `json:"state,omitempty"`
	Event  string `json:"event,omitempty"`  // unknownEvent selects an unknown event
	Store  string `json:"store,omitempty"`  // "0" selects an unknown store
	Cause  string `json:"cause,omitempty"`  // noCause selects entries that did not fail
	Older  string `json:"older,omitempty"`  // a duration, such as 1h30m
	Until  string `json:"until,omitempty"`  // RFC 3339; overrides Older
	Prefix string `json:"prefix,omitempty"` // of the key
	Record string `json:"record,omitempty"` // the id of a record
}

// fields are the fields by name.
func (q *query) fields() map[string]*string {
	return map[string]*string{
		"state": &q.State, "event": &q.Event, "store": &q.Store, "cause": &q.Cause,
		"older": &q.Older, "until": &q.Until, "prefix": &q.Prefix, "record": &q.Record,
	}
}

func queryOf(values url.Values) (q query) {
	for name, field := range q.fields() {
		*field = values.Get(name)
	}
	return q
}

// values returns the fields that are set.
func (q query) values() url.Values {
	values := url.Values{}
	for name, field := range q.fields() {
		if *field != "" {
			values.Set(name, *field)
		}
	}
	return values
}

// filter returns the filter of the query, or an error that describes a mistake in it.
func (q query) filter(now time.Time) (f webhook.EntryFilter, err error) {
	f.State, f.KeyPrefix, f.Record = webhook.EntryState(q.State), q.Prefix, strings.TrimSpace(q.Record)
	if q.State != "" && !slices.Contains(webhook.EntryStates(), f.State) {
		return f, fmt.Errorf("state %q: must be one of %q", q.State, webhook.EntryStates())
	}
	switch q.Event {
	case "":
	case unknownEvent:
		f.Event = client.Set(webhook.Name(""))
	default:
		f.Event = client.Set(webhook.Name(q.Event))
	}
	if q.Store != "" {
		id, err := strconv.ParseInt(q.Store, 10, 64)
		if err != nil {
			return f, fmt.Errorf("store %q: must be a number; 0 selects an unknown store", q.Store)
		}
		f.Store = client.Set(client.ID(id))
	}
	switch q.Cause {
	case "":
	case noCause:
		f.Cause = client.Set("")
	default:
		f.Cause = client.Set(q.Cause)
	}
	if q.Until != "" {
		if f.Until, err = time.Parse(time.RFC3339Nano, q.Until); err != nil {
			return f, fmt.Errorf("until %q: must be a time such as 2026-01-02T15:04:05Z", q.Until)
		}
	} else if q.Older != "" {
		age, err := time.ParseDuration(q.Older)
		if err != nil || age < 0 {
			return f, fmt.Errorf("older %q: must be a duration such as 90s or 1h30m", q.Older)
		}
		f.Until = now.Add(-age)
	}
	return f, nil
}

// queryFor selects the entries of a group, of any store.
func queryFor(state webhook.EntryState, event webhook.Name, cause string) query {
	q := query{State: string(state), Event: string(event), Cause: cause}
	if event == "" {
		q.Event = unknownEvent
	}
	if cause == "" {
		q.Cause = noCause
	}
	return q
}
