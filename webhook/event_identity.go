package webhook

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/commerceplatform/commerce-go/client/value"
)

// identity identifies the record of a payload, by the members that the contract names and with normalised ids. Other
// members, such as a retry counter, have no effect. The zero identity is for payloads of which the contract shows no
// member.
type identity struct {
	// distinct distinguishes deliveries of one event and store. It is empty if only the whole body can.
	distinct string
	// key is the part of the key of an entry after its event and store.
	key string
	// lane is the record that a run handles.
	lane string
	// recurs is true if the payload lacks a member that distinguishes one occurrence from the next. The event is then a
	// signal, whatever the table says.
	recurs bool
}

// one is the identity of a payload that names only a record.
func one(id string) identity { return occurrence(id, id) }

// occurrence is the identity of a payload that also identifies the change of the record.
func occurrence(id, record string) identity { return identity{distinct: id, key: id, lane: record} }

// launched is the identity of a payload that identifies the change of the record by the time of its event.
func launched(at value.Time, record string) identity {
	if at.Unix() <= 0 { // it is missing, cannot be parsed, or means none
		id := one(record)
		id.recurs = true
		return id
	}
	return occurrence(joined(record, instant(at)), record)
}

// partial reports whether a member is missing.
func (i identity) partial() bool { return i.key == "" || i.lane == "" }

// mostKey is the largest length of a text of a body that becomes part of a key. Engines index keys, so longer texts are
// replaced by their hash.
const mostKey = 160

// keyText returns s, or its hash if it is too long for an index or contains characters that a database may reject.
func keyText(s string) string {
	if len(s) > mostKey {
		return digest([]byte(s))
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return digest([]byte(s))
		}
	}
	return s
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256-" + hex.EncodeToString(sum[:])
}

// entry returns the entry of a message for an inbox or a queue.
func (m *message) entry(app string, over Policy) Entry {
	p := m.policy.with(over)
	if m.identity.recurs {
		p.Kind, p.Window = KindSignal, 0
	}
	e := Entry{
		Kind: p.Kind, Event: m.event, StoreID: m.store, Body: m.raw,
		Window: p.Window, Settle: p.Settle, Clears: p.clears, Protected: p.protected,
	}
	if Name(keyText(string(m.event))) != m.event {
		e.Event = "" // it stays in the body
	}
	group := p.group
	if group == "" {
		group = m.event
	}
	id := m.identity
	switch {
	case p.Distinct, id == (identity{}):
		id.key = m.key.id
	case p.Kind == KindSignal && m.policy.Kind == KindFact && id.lane != "":
		id.key = id.lane // the app has made it a signal, which is one entry for a record
	}
	if id.lane == "" {
		id.lane = id.key
	}
	var room [4 * mostKey]byte
	text := strconv.AppendInt(append(append(room[:0], keyText(app)...), ':'), int64(m.store), 10) // see Prefix
	prefix := text
	text = about(text, keyText(string(group)), id.key)
	key := len(text)
	text = about(append(text, prefix...), p.resource, id.lane)
	both := string(text) // one allocation, because both live as long as the entry
	e.Key, e.Lane = both[:key], both[key:]
	return e
}

// about appends the kind and the id of a record to the prefix of a key or a lane.
func about(text []byte, what, id string) []byte {
	return append(append(append(append(text, ':'), what...), ':'), keyText(id)...)
}

// with returns the policy with the fields that are set in over.
func (p policy) with(over Policy) policy {
	if over.Kind != "" && over.Kind != p.Kind {
		p.Kind, p.Window = over.Kind, 0
		if over.Kind == KindFact {
			p.Window = FactWindow
		}
	}
	if over.Window != 0 && p.Kind == KindFact {
		p.Window = over.Window
	}
	if over.Settle != 0 {
		p.Settle = over.Settle
	}
	p.Distinct = over.Distinct
	return p
}
