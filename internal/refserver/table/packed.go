package table

import (
	"encoding/binary"
	"reflect"
	"time"
)

// Packed is a record of which a store may have very many. It is kept in a text of a few hundred bytes, in which fields
// that are zero take none, and it is read in a few microseconds. Its texts share the memory of that text. Its type has
// exported fields only, of the types that codecOf lists.
type Packed interface {
	// Packed has no meaning; the method marks the type.
	Packed()
}

// packer makes texts of the records of a type.
type packer struct {
	record reflect.Type
	codec  codec
	texts  texts
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
	return &packer{record: reflect.TypeFor[V](), codec: codecOf(reflect.TypeFor[V]())}
}

// pack returns a record as it is kept: as a text, unless it has a value that none can have.
func (p *packer) pack(record any) any {
	if p == nil {
		return record
	}
	v := reflect.New(reflect.TypeOf(record)).Elem()
	v.Set(reflect.ValueOf(record))
	w := &writer{row: make([]byte, 0, usualRow), common: &p.texts}
	if !p.codec.write(w, v) {
		return record
	}
	return &packed{p, string(w.row)}
}

// unpack is recordOf for a type that only the packer knows.
func (p *packer) unpack(row string) any {
	v := reflect.New(p.record).Elem()
	p.codec.read(&reader{row: row, common: p.texts.all()}, v)
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
	p.by.codec.read(&reader{row: p.row, common: p.by.texts.all()}, reflect.ValueOf(&record).Elem())
	return record
}

// writer writes a row.
type writer struct {
	row    []byte
	common *texts
	// places has where each text of the row is.
	places map[string]int
	last   time.Time
}

func (w *writer) uint(n uint64) { w.row = binary.AppendUvarint(w.row, n) }
func (w *writer) int(n int64)   { w.row = binary.AppendVarint(w.row, n) }

// The forms of a text, which are the last bits of the number that it begins with.
const (
	written  = iota // the number is its length
	earlier         // the place of the same text in the row
	inCommon        // the number of the text of many rows
	textForms
)

func (w *writer) text(s string) {
	if n, ok := w.common.find(s); ok {
		w.uint(uint64(n)*textForms + inCommon)
		return
	}
	if at, ok := w.places[s]; ok {
		w.uint(uint64(at)*textForms + earlier)
		return
	}
	if w.places == nil {
		w.places = map[string]int{}
	}
	w.places[s] = len(w.row)
	w.uint(uint64(len(s))*textForms + written)
	w.row = append(w.row, s...)
}

// reader reads a row from at. A row was written by the codec that reads it, so it is never cut short.
type reader struct {
	row    string
	at     int
	common []string
	last   time.Time
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
	switch n, form := int(n/textForms), n%textForms; form {
	case earlier:
		return (&reader{row: r.row, at: n}).text()
	case inCommon:
		return r.common[n]
	default:
		begin := r.at
		r.at += n
		return r.row[begin:r.at]
	}
}
