package table

import (
	"encoding/binary"
	"reflect"
	"time"
)

// Packed is a record of which a store may have very many. It is kept in a text of a few hundred bytes, where texts that
// are empty and numbers that are zero take none, and reading it costs about a microsecond. Its texts share the memory
// of that text. It has exported fields only, of the types that codecOf lists.
type Packed interface {
	// Packed has no meaning; the method marks the type.
	Packed()
}

// packer makes texts of the records of a type.
type packer struct {
	record reflect.Type
	codec  codec
}

// packed is a record as a text.
type packed struct {
	by  *packer
	row string
}

// packerOf returns nil for a type that is not Packed.
func packerOf[V any]() *packer {
	if _, ok := any(*new(V)).(Packed); !ok {
		return nil
	}
	return &packer{reflect.TypeFor[V](), codecOf(reflect.TypeFor[V]())}
}

// pack returns a record as it is kept: as a text, unless it has a value that none can have.
func (p *packer) pack(record any) any {
	if p == nil {
		return record
	}
	v := reflect.New(reflect.TypeOf(record)).Elem()
	v.Set(reflect.ValueOf(record))
	w := &writer{row: make([]byte, 0, usualRow)}
	if !p.codec.write(w, v) {
		return record
	}
	return &packed{p, string(w.row)}
}

// unpack is recordOf for a type that only the packer knows.
func (p *packer) unpack(row string) any {
	v := reflect.New(p.record).Elem()
	p.codec.read(&reader{row: row}, v)
	return v.Interface()
}

// usualRow is the size of most rows.
const usualRow = 512

// recordOf returns a record that is kept.
func recordOf[V any](kept any) V {
	p, ok := kept.(*packed)
	if !ok {
		record, _ := kept.(V)
		return record
	}
	var record V
	p.by.codec.read(&reader{row: p.row}, reflect.ValueOf(&record).Elem())
	return record
}

// writer writes a row.
type writer struct {
	row []byte
	// texts has where each text of the row is. A repetition is written as its place.
	texts map[string]int
	last  time.Time
}

func (w *writer) uint(n uint64) { w.row = binary.AppendUvarint(w.row, n) }
func (w *writer) int(n int64)   { w.row = binary.AppendVarint(w.row, n) }

// text writes twice the length and the text, or an odd number, whose half is the place of the same text.
func (w *writer) text(s string) {
	if at, ok := w.texts[s]; ok {
		w.uint(uint64(at)<<1 | 1)
		return
	}
	if w.texts == nil {
		w.texts = map[string]int{}
	}
	w.texts[s] = len(w.row)
	w.uint(uint64(len(s)) << 1)
	w.row = append(w.row, s...)
}

// reader reads a row from at. A row was written by the codec that reads it, so it is never cut short.
type reader struct {
	row  string
	at   int
	last time.Time
}

func (r *reader) uint() (n uint64) {
	for shift := 0; ; shift += 7 {
		b := r.row[r.at]
		r.at++
		if n |= uint64(b&0x7f) << shift; b < 0x80 {
			return n
		}
	}
}

// int reads what binary.AppendVarint writes.
func (r *reader) int() int64 {
	n := r.uint()
	return int64(n>>1) ^ -int64(n&1)
}

func (r *reader) text() string {
	n := r.uint()
	if n&1 == 1 {
		return (&reader{row: r.row, at: int(n >> 1)}).text()
	}
	begin := r.at
	r.at += int(n >> 1)
	return r.row[begin:r.at]
}
