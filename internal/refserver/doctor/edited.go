package doctor

import (
	"bytes"
	"encoding/json"
)

// strangerStore is the id of a store that does not have the app.
const strangerStore = 987_654_321

// edited is a body with changes, of which numbers keep their digits. It is nil if the body is not an object.
func edited(body []byte, change func(o object)) []byte {
	var o object
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if d.Decode(&o) != nil || o == nil {
		return nil
	}
	change(o)
	raw, _ := json.Marshal(o) // of what was decoded
	return raw
}

// part is an object in another, empty if there is none.
func part(o object, name string) object {
	in, _ := o[name].(object)
	if in == nil {
		in = object{}
		o[name] = in
	}
	return in
}

// each calls f with the objects of a list in an object.
func each(o object, name string, f func(one object)) {
	list, _ := o[name].([]any)
	for _, element := range list {
		if one, _ := element.(object); one != nil {
			f(one)
		}
	}
}

// nulls sets members to null, where they are.
func nulls(o object, names ...string) {
	for _, name := range names {
		if _, ok := o[name]; ok {
			o[name] = nil
		}
	}
}

// editedList is a list of n copies of the first object of a list, each with changes. It is nil if there is none.
func editedList(body []byte, n int, change func(o object)) []byte {
	var all []json.RawMessage
	if json.Unmarshal(body, &all) != nil || len(all) == 0 {
		return nil
	}
	like, copies := all[0], []json.RawMessage{}
	for range n {
		copies = append(copies, edited(like, change))
	}
	raw, _ := json.Marshal(copies) // of what was decoded
	return raw
}
