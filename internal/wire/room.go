package wire

import (
	"bytes"
	"fmt"
	"reflect"
	"sync"
)

// Room of an answer in memory, besides what grows by its size: lists of small answers may have short elements.
const (
	always  = 4 << 20
	perByte = 32
	ofAny   = 64 // bytes that a value without a type takes at least
)

// CheckRoom refuses JSON, with ErrTooMany, if the elements of its lists, and its objects, could take far more room as a value of the
// type than they take on the wire: an element of two bytes may stand for a struct of a kilobyte. It weighs without
// judging, and nothing is built before. Of most answers a rough count is enough to accept them.
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

// roughly counts what a large value is read from, or more: objects, and what some read as none of them. Of an ordinary
// answer it finds few, much faster than parts.
func roughly(data []byte) int {
	n := 0
	for _, text := range [...]string{"{", "[", "null", `""`} {
		n += bytes.Count(data, []byte(text))
	}
	return n
}

// parts counts the elements of lists and the objects, twice what is both or empty. A list has a comma for each element but the
// first, and an object too, and a colon for each member. Of what is no JSON in the end it counts what may be read before.
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

// largest returns the size of the largest value that a part of a value of the type may be: what lists, maps and
// pointers hold in it.
func largest(t reflect.Type) int {
	if size, ok := sizes.Load(t); ok {
		return size.(int)
	}
	size := held(t, map[reflect.Type]bool{})
	sizes.Store(t, size)
	return size
}

// held is largest for a type that was not met before. What is in time.Time is not of the answer, and small.
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
