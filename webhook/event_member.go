package webhook

import (
	"bytes"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// The members that all deliveries share.
const (
	storeMember = "store_id"
	eventMember = "event"
)

// direct is a payload that is filled from the members of a body, with the same result as decoding its JSON, but in a
// fraction of the time. The payload of nearly all deliveries is direct.
type direct interface {
	// take reads a member, and returns false if the member belongs in Extra.
	take(wire.Member) (bool, error)
	keep(wire.Member)
}

var (
	_ direct = (*Entity)(nil)
	_ direct = (*CustomerEntity)(nil)
	_ direct = (*Subscription)(nil)
)

// payloadOf returns the payload of a body that was checked when its members were read.
func payloadOf[P any](members []wire.Member, short bool) (*P, error) {
	payload := new(P)
	d, ok := any(payload).(direct)
	if !ok {
		own, err := withoutShared(members)
		if err == nil {
			err = wire.UnmarshalExact(own, payload)
		}
		return payload, err
	}
	for _, m := range members {
		if isShared(m) {
			continue
		}
		known, err := d.take(m)
		if err != nil {
			return payload, err
		}
		if !known && !short {
			d.keep(m)
		}
	}
	return payload, nil
}

// isShared reports whether a member is one that all deliveries have.
func isShared(m wire.Member) bool {
	return string(m.Name) == storeMember || string(m.Name) == eventMember
}

// withoutShared returns a body without the members that all deliveries have, so that Extra of the payload holds only
// the others.
func withoutShared(members []wire.Member) ([]byte, error) {
	own := []byte{'{'}
	for _, m := range members {
		if isShared(m) {
			continue
		}
		name, err := wire.Marshal(string(m.Name))
		if err != nil {
			return nil, err
		}
		if len(own) > 1 {
			own = append(own, ',')
		}
		own = append(append(append(own, name...), ':'), m.Value...)
	}
	return append(own, '}'), nil
}

func (e *Entity) take(m wire.Member) (bool, error) {
	if string(m.Name) == "id" {
		return true, e.ID.UnmarshalJSON(m.Value)
	}
	return false, nil
}

func (e *Entity) keep(m wire.Member) { keepIn(&e.Extra, m) }

// launchMember is the time when the platform launched an event. The contract does not specify its format. If it cannot
// be parsed, it is kept in Extra and the event is still handled.
const launchMember = "event_launch_ts"

func (e *CustomerEntity) take(m wire.Member) (bool, error) {
	switch string(m.Name) {
	case "id":
		return true, e.ID.UnmarshalJSON(m.Value)
	case launchMember:
		return e.EventLaunchTS.UnmarshalJSON(m.Value) == nil, nil
	}
	return false, nil
}

func (e *CustomerEntity) keep(m wire.Member) { keepIn(&e.Extra, m) }

func (s *Subscription) take(m wire.Member) (bool, error) {
	switch string(m.Name) {
	case "concept_code":
		return true, wire.Unmarshal(m.Value, &s.ConceptCode)
	case "service_id":
		return true, s.ServiceID.UnmarshalJSON(m.Value)
	case launchMember:
		return s.EventLaunchTS.UnmarshalJSON(m.Value) == nil, nil
	}
	return false, nil
}

func (s *Subscription) keep(m wire.Member) { keepIn(&s.Extra, m) }

func keepIn(extra *value.Extra, m wire.Member) {
	if *extra == nil {
		*extra = value.Extra{}
	}
	(*extra)[string(m.Name)] = bytes.Clone(m.Value)
}

// memberNamed returns the value of a member, or nil if there is none.
func memberNamed(members []wire.Member, name string) []byte {
	for _, m := range members {
		if string(m.Name) == name {
			return m.Value
		}
	}
	return nil
}

// textIn returns the content of a valid JSON string, or "" for any other value.
func textIn(raw []byte) string {
	if len(raw) == 0 || raw[0] != '"' {
		return ""
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	if wire.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}
