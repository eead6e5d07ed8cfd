package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
)

// Room of an answer in memory, in addition to a multiple of its size, because lists of small answers may have short
// elements.
const (
	always  = 4 << 20
	perByte = 32
	ofAny   = 64 // bytes that a value without a type takes at least
)

// CheckRoom rejects JSON, with ErrTooMany, if its objects and the elements of its lists could take far more room in
// memory than on the wire. An element of two bytes may become a struct of a kilobyte. CheckRoom builds no value, and
// does not check the elements. A rough count is enough to accept most answers.
func CheckRoom(data []byte, t reflect.Type) error {
	room, most := always+perByte*len(data), largest(t)
	if len(data)*(2*most.part+most.rest+most.scalar) <= room { // { counts twice
		return nil
	}
	if roughly(data)*most.part+bytes.Count(data, []byte("{"))*most.rest+scalars(data)*most.scalar <= room {
		return nil
	}
	if sum := weigh(data, t); sum > room {
		return fmt.Errorf("%w: the lists and objects of %d bytes would take %d bytes of memory, more than the limit of %d", ErrTooMany, len(data), sum, room)
	}
	return nil
}

// roughly returns at least the number of objects, and of values that may be read as an empty object. It is much faster
// than parts, and finds few of them in an ordinary answer.
func roughly(data []byte) int {
	n := 0
	for _, text := range [...]string{"{", "[", "null", `""`} {
		n += bytes.Count(data, []byte(text))
	}
	return n
}

// scalars returns at least the number of values that are neither objects nor lists. All but the first of them follow a
// comma.
func scalars(data []byte) int { return bytes.Count(data, []byte(",")) + 1 }

// parts counts the elements of lists and the objects, twice what is both or empty. A list has a comma for each element
// but the first, and an object too, and a colon for each member. Of what is not JSON in the end it counts what may be
// read before.
func parts(data []byte) int {
	n, most := 0, 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			i = endOfText(data, i)
		case ',', '[':
			n++
		case ':':
			n--
		case '{':
			n += 2
		}
		most = max(most, n)
	}
	return most
}

// sizes are the results of largest, by type.
var sizes sync.Map

// size is the most memory that one JSON value below a value of some type may take.
type size struct {
	part   int // an element of lists, maps and pointers
	rest   int // the members of an object without a field
	scalar int // an element that is a number, a text, true or false: a map that reads itself
}

// largest returns the size of a type.
func largest(t reflect.Type) size {
	if known, ok := sizes.Load(t); ok {
		return known.(size)
	}
	var most size
	most.add(t, map[reflect.Type]bool{})
	sizes.Store(t, most)
	return most
}

// add enlarges the size for a type that was not met before. The fields of time.Time are not read from the answer, and
// are small.
func (s *size) add(t reflect.Type, met map[reflect.Type]bool) {
	if met[t] {
		return
	}
	met[t] = true
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Pointer:
		s.part = max(s.part, int(t.Elem().Size()))
		s.scalar = max(s.scalar, ofScalar(t.Elem()))
		s.add(t.Elem(), met)
	case reflect.Struct:
		if known := landing(t); known != nil && known.rest {
			s.rest = ofRest
		}
		for field := range t.Fields() {
			s.add(field.Type, met)
		}
	case reflect.Interface:
		s.part = max(s.part, ofAny)
	}
}

// ofScalar returns what a value of the type may take that is read from a number, a text, true or false. A map that
// reads itself may become one of a single entry, as a text by language does.
func ofScalar(t reflect.Type) int {
	if t.Kind() != reflect.Map || !readsItself(t) {
		return 0
	}
	return ofObject + roomOfMap(t)
}

// ofRest is the memory of the map of members without a field, which records store as they came.
var ofRest = roomOfMap(reflect.TypeFor[map[string]json.RawMessage]())

// roomOfMap returns the memory of the entries of a small map, which has room for eight.
func roomOfMap(t reflect.Type) int { return 8 * int(t.Key().Size()+t.Elem().Size()) }
