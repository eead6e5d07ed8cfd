package world

import (
	"encoding/binary"
	"encoding/hex"
	mathrand "math/rand/v2"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"
)

// free draws an id that nobody has given to another.
func (s *state) free(has func(id int64) bool) int64 {
	for s.lastID++; has(s.lastID); s.lastID++ {
	}
	return s.lastID
}

// NewID returns an integer id. No generated one repeats, and later ones are greater.
func (tx *Tx) NewID() int64 {
	tx.state.lastID++
	return tx.state.lastID
}

// NewULID returns a ULID of the transaction's time. Later ones sort after it.
func (tx *Tx) NewULID() string {
	var id ulid.ULID
	_ = id.SetTime(ulid.Timestamp(tx.now)) // fails only after the year 10889
	// The counter in front of the random part keeps the order within a millisecond.
	var entropy [10]byte
	binary.BigEndian.PutUint64(entropy[:8], uint64(tx.NewID())<<16|tx.state.random.Uint64()&0xffff)
	binary.BigEndian.PutUint16(entropy[8:], uint16(tx.state.random.Uint64()))
	_ = id.SetEntropy(entropy[:]) // fails only on another length
	return id.String()
}

// NewUUID returns a version 4 UUID.
func (tx *Tx) NewUUID() string {
	id, _ := uuid.NewRandomFromReader(noise{&tx.state.random}) // noise never fails
	return id.String()
}

// NewHex returns n random bytes in hexadecimal, for ids such as those of disputes.
func (tx *Tx) NewHex(n int) string {
	b := make([]byte, n)
	_, _ = noise{&tx.state.random}.Read(b)
	return hex.EncodeToString(b)
}

// noise reads from the world's seeded randomness.
type noise struct{ source *mathrand.PCG }

func (n noise) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(n.source.Uint64())
	}
	return len(p), nil
}
