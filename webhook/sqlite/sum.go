package sqlite

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// SQLite does not notice when a disk changes data that still looks like a row. So each row of an entry has checksums:
// one of the body, and one of all other columns, so that a row can be verified and written without its body.

var errDamaged = errors.New("it is not what was written")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// sum is the correct value of the column sum. It does not depend on the id, which SQLite assigns; the key identifies
// the row.
func (r *row) sum() int64 {
	e := &r.entry
	b := make([]byte, 0, 256)
	b = binary.BigEndian.AppendUint32(b, r.bodySum)
	for _, s := range [...]string{e.Key, e.Lane, string(e.Kind), string(e.Event), e.Unhandled, r.state, r.cause} {
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	protected := int64(0)
	if e.Protected {
		protected = 1
	}
	for _, n := range [...]int64{int64(e.StoreID), int64(e.Window), int64(e.Settle), protected, r.gen, r.due, r.since, int64(r.attempts),
		int64(r.unfinished), int64(r.arrivals), r.first, r.last, int64(r.taken), r.again, r.failed, r.died, r.forget} {
		b = binary.AppendVarint(b, n)
	}
	for _, name := range e.Clears {
		b = append(binary.AppendUvarint(b, uint64(len(name))), name...)
	}
	return int64(uint64(r.bodySum)<<32 | uint64(checksum(b)))
}

// traceSumOf is the correct value of the column trace_sum for a trace. The trace is not part of sum, so damage to it
// does not cost the entry. This sum also covers the generation, because a trace belongs to the body that it came with.
func (r *row) traceSumOf(trace string) int64 {
	b := make([]byte, 0, 256)
	b = binary.AppendVarint(b, r.gen)
	b = append(binary.AppendUvarint(b, uint64(len(r.entry.Key))), r.entry.Key...)
	return int64(checksum(append(b, trace...)))
}

// traceColumns are the values of the columns trace and trace_sum, nil if there is no trace.
func (r *row) traceColumns() (trace, sum any) {
	if r.entry.Trace == "" {
		return nil, nil
	}
	return r.entry.Trace, r.traceSumOf(r.entry.Trace)
}

// readTrace sets the trace from the columns. A damaged trace counts as none, because no decision depends on it.
func (r *row) readTrace() {
	trace, text := r.trace.(string)
	if sum, number := r.traceSum.(int64); text && number && sum == r.traceSumOf(trace) {
		r.entry.Trace = trace
	}
	r.trace, r.traceSum = nil, nil
}

// verify compares a row that was read with its sum.
func (r *row) verify(sum sql.NullInt64, body bool) error {
	if !sum.Valid && r.state == dead { // the damage was found before
		r.damaged = true
		return nil
	}
	r.bodySum = uint32(uint64(sum.Int64) >> 32)
	if !sum.Valid || sum.Int64 != r.sum() || body && checksum(r.entry.Body) != r.bodySum {
		return errDamaged
	}
	return nil
}
