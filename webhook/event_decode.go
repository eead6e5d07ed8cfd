package webhook

import (
	"errors"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Reasons why a verified body reaches no handler.
var (
	// ErrUnknownEvent means that neither the contract nor the registry has the event.
	ErrUnknownEvent = errors.New("unknown event")
	// ErrUnhandled means that the contract has the event, but the registry does not.
	ErrUnhandled = errors.New("event without a handler")
	// ErrMalformed means that the body is not strict JSON, or lacks a member that every delivery or this event must
	// have.
	ErrMalformed = errors.New("malformed body")
	// ErrUnknownStore means that KnownStore returned false for the store.
	ErrUnknownStore = errors.New("unknown store")
	// ErrStale means that the event ends an installation, but the probe found an active one. Or it is about the access
	// of an installation that ended.
	ErrStale = errors.New("stale: not about the installation as it is now")
)

// message is the content of a verified body.
type message struct {
	raw     []byte
	at      time.Time
	store   value.ID // 0 if it cannot be read
	event   Name     // "" if neither body nor address names it
	payload any      // a pointer to the type in the table; nil if the event is not in it
	key     key
	flaw    error // ErrMalformed if no handler may have it, else nil

	identity identity // zero if only the whole body identifies it
	policy   policy
}

// key is equal for equivalent deliveries.
type key struct {
	event Name
	store value.ID
	id    string
}

// reader reads bodies with the help of the table.
type reader struct {
	rows     map[Name]row
	fallback Name // of bodies without an event; "" rejects them
	short    bool // Extra of a payload may be omitted
}

func newReader(fallback Name) reader {
	return reader{rows: rowsByName(), fallback: fallback}
}

// reader returns a reader whose table is made once.
func (r *Registry) reader(fallback Name) reader {
	if r == nil {
		return newReader(fallback)
	}
	r.once.Do(func() { r.rows = rowsByName() })
	return reader{rows: r.rows, fallback: fallback}
}

// brief returns a reader for bodies of which only an Entry is made. The handler of the entry reads the body again.
func (r reader) brief() reader {
	r.short = true
	return r
}

func rowsByName() map[Name]row {
	rows := make(map[Name]row)
	for _, row := range table() {
		rows[row.name] = row
	}
	return rows
}

// read never fails: a body that cannot be read gives a message with a flaw.
func (r reader) read(raw []byte, at time.Time) message {
	m := message{raw: raw, at: at, policy: signal("event")}
	m.flaw = m.open(r)
	if m.key == (key{}) {
		// Only the body as a whole distinguishes deliveries.
		m.key = key{m.event, m.store, digest(raw)}
	}
	return m
}

func (m *message) open(r reader) error {
	m.policy.protected = r.rows[r.fallback].policy.protected // by the address: a duty, even if the body cannot be read
	members, err := wire.Members(m.raw)
	if err != nil {
		m.event = r.fallback
		return malformed("not an object of strict JSON")
	}
	if m.event = r.event(memberNamed(members, eventMember)); m.event == "" {
		return malformed("event is not a name")
	}
	row, known := r.rows[m.event]
	m.policy.protected = row.policy.protected // a duty, even if no handler can have it
	store, ok := storeID(memberNamed(members, storeMember))
	if !ok {
		return malformed("store_id is not an integer above 0")
	}
	m.store = store
	if !known {
		return nil
	}
	payload, id, err := row.read(members, r.short)
	if err != nil {
		return malformed("payload does not fit the event")
	}
	m.payload, m.identity, m.policy = payload, id, row.policy
	if id.distinct != "" {
		m.key = key{m.event, m.store, id.distinct}
	}
	return nil
}

// event returns the name in the member event, or "" if it is not a name.
func (r reader) event(raw []byte) Name {
	if len(raw) == 0 {
		return r.fallback
	}
	if row, known := r.rows[Name(raw[1:max(1, len(raw)-1)])]; known && raw[0] == '"' {
		return row.name // not a slice that keeps the body alive
	}
	return Name(textIn(raw))
}

// malformed does not wrap the decoder's error, which quotes the body.
func malformed(what string) error { return fmt.Errorf("%w: %s", ErrMalformed, what) }

// storeID reads a JSON integer or a string of digits. It rejects every text that another reader could take for a
// different store: signs, decimal points, exponents, escapes, null, and integers that overflow int64.
func storeID(raw []byte) (value.ID, bool) {
	s := string(raw)
	if n := len(s); n >= 2 && s[0] == '"' && s[n-1] == '"' {
		s = s[1 : n-1]
	}
	id, err := value.ParseID(s)
	return id, err == nil && id > 0
}
