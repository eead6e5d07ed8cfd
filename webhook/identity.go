package webhook

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/commerceplatform/commerce-go/client"
)

// identity is what a payload is about, by the members that the contract names and
// with ids normalised: a member that it does not name, a retry counter say, makes no
// difference. The zero identity is for payloads of which the contract shows nothing.
type identity struct {
	// distinct tells deliveries of one event and store apart; "" where only the whole body can.
	distinct string
	// key is what an entry of an inbox is about.
	key string
	// lane is the record that is worked on.
	lane string
	// recurs: the payload lacks what tells one occurrence from the next, so that the event
	// is a signal here whatever it is otherwise.
	recurs bool
}

// one is the identity of a payload that names a record and nothing else.
func one(id string) identity { return occurrence(id, id) }

// occurrence is the identity of a payload that also tells which change of the record
// it is about.
func occurrence(id, record string) identity { return identity{distinct: id, key: id, lane: record} }

// launched is the identity of a payload that tells by the time of its event which change of the record it is about.
func launched(at client.Time, record string) identity {
	if at.Unix() <= 0 { // it is missing, cannot be read, or stands for none
		id := one(record)
		id.recurs = true
		return id
	}
	return occurrence(joined(record, instant(at)), record)
}

// partial reports whether a member is missing.
func (i identity) partial() bool { return i.key == "" || i.lane == "" }

// mostKey is the length up to which a text of a body becomes part of a key. Engines
// index keys, and longer ones are replaced by their hash.
const mostKey = 160

// keyText returns s, or its hash if it is too long for an index or holds what a
// database may refuse.
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

// entry returns what an inbox or a queue is to keep of a message.
func (m message) entry(app string, over Policy) Entry {
	p := m.policy.with(over)
	if m.identity.recurs {
		p.Kind, p.Window = KindSignal, 0
	}
	e := Entry{
		Kind: p.Kind, Event: m.event, StoreID: m.store, Body: m.raw,
		Window: p.Window, Settle: p.Settle, Clears: p.clears, Protected: p.protected,
	}
	if Name(keyText(string(m.event))) != m.event {
		e.Event = "" // the body has it
	}
	group := p.group
	if group == "" {
		group = m.event
	}
	id := m.identity
	if p.Distinct || id == (identity{}) {
		id.key = m.key.id
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
	both := string(text) // one, since both live as long as the entry
	e.Key, e.Lane = both[:key], both[key:]
	return e
}

// about appends what an entry or a lane is about to its prefix.
func about(text []byte, what, id string) []byte {
	return append(append(append(append(text, ':'), what...), ':'), keyText(id)...)
}

// with returns the policy with what is set in over.
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
