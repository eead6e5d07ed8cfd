package wire

import (
	"bytes"
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
	each := largest(t)
	room := always + perByte*len(data)
	if each == 0 || 2*len(data)*each <= room || roughly(data)*each <= room { // { counts twice
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

// parts counts the elements of lists and the objects, twice what is both or empty. A list has a comma for each element
// but the first, and an object too, and a colon for each member. Of what is no JSON in the end it counts what may be
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

// largest returns the size of the largest part that a value of the type may have in its lists, maps and pointers.
func largest(t reflect.Type) int {
	if size, ok := sizes.Load(t); ok {
		return size.(int)
	}
	size := held(t, map[reflect.Type]bool{})
	sizes.Store(t, size)
	return size
}

// held is largest for a type that was not met before. The fields of time.Time are not read from the answer, and are
// small.
func held(t reflect.Type, met map[reflect.Type]bool) int {
	if met[t] {
		return 0
	}
	met[t] = true
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Pointer:
		return max(int(t.Elem().Size()), held(t.Elem(), met))
	case reflect.Struct:
		most := 0
		for field := range t.Fields() {
			most = max(most, held(field.Type, met))
		}
		return most
	case reflect.Interface:
		return ofAny
	}
	return 0
}
