package inboxtest_test

// A model of what happens between a record of the platform and a copy of it. The
// record changes three times, the three deliveries have equal bodies, and two
// workers write what they read of it into the copy.

// faults is what may go wrong, and how often.
type faults struct {
	crashes uint8 // of a worker, or of the process if what it holds is in memory
	lost    uint8 // answers 2xx that do not arrive, after which the platform delivers again
	expired uint8 // leases that end under a worker that goes on
}

const occurrences = 3

type phase uint8

const (
	idle phase = iota
	hasLease
	hasRead
	hasApplied
)

// holder says who has the lease of the row.
type holder uint8

const (
	nobody holder = iota
	first
	second
	nobodyAlive // it crashed; the lease goes on
)

// worker is what a worker knows.
type worker struct {
	phase phase
	read  uint8 // the version
	token uint8
	gen   uint8
	owns  bool // of a queue: its item was not given to somebody else
}

// world is a state of the model. What a design does not have stays 0.
type world struct {
	version uint8 // how often the record changed
	copied  uint8 // the version that was written last
	unsaid  uint8 // deliveries for which the platform has no 2xx
	left    faults
	workers [2]worker

	seen   bool  // the body is remembered as handled
	items  uint8 // of a queue
	orphan uint8 // items of a queue whose worker crashed
	row    bool  // something is pending
	gen    uint8
	holder holder
	fence  uint8 // the greatest token that wrote
	undo   undo  // of a row: what a crash of the server would take back
	forgot bool  // the server has forgotten the last token
}

// undo is the row as it was before a transaction that is not on disk yet.
type undo struct {
	there, row, held bool
	gen              uint8
}

// settled tells whether nothing is left that would change the copy.
func (w *world) settled() bool {
	return w.unsaid == 0 && w.items == 0 && w.orphan == 0 && !w.row &&
		w.workers[0].phase == idle && w.workers[1].phase == idle
}

// bits is a world in 64 bits. Worlds in which only the workers are exchanged are
// equal, and so are those whose tokens differ but stand in the same order.
type bits uint64

const workerBits = 11

func (w *world) pack() bits {
	a, b := w.workers[0].pack(w, w.holder == first), w.workers[1].pack(w, w.holder == second)
	if a < b {
		a, b = b, a
	}
	p := packer{bits: a | b<<workerBits, at: 2 * workerBits}
	p.put(w.version, 2)
	p.put(w.copied, 2)
	p.put(w.unsaid, 2)
	p.put(w.left.crashes, 2)
	p.put(w.left.lost, 2)
	p.put(w.left.expired, 2)
	p.flag(w.seen)
	p.put(w.items, 3)
	p.put(w.orphan, 2)
	p.flag(w.row)
	p.put(w.gen, 3)
	p.flag(w.holder == nobodyAlive)
	p.put(w.rank(w.fence), 2)
	p.flag(w.undo.there)
	p.flag(w.undo.row)
	p.flag(w.undo.held)
	p.put(w.undo.gen, 3)
	p.flag(w.forgot)
	return p.bits
}

// rank is the place of a token among those that are remembered, from 1; 0 is none.
func (w *world) rank(token uint8) uint8 {
	if token == 0 {
		return 0
	}
	rank := uint8(1)
	a, b := w.workers[0].token, w.workers[1].token
	for _, other := range [...]uint8{w.fence, a, b} {
		if other > 0 && other < token {
			rank++
		}
	}
	if w.fence == a && 0 < a && a < token || w.fence == b && 0 < b && b < token {
		rank-- // counted twice
	}
	return rank
}

func (k *worker) pack(w *world, holds bool) bits {
	var p packer
	p.put(uint8(k.phase), 2)
	p.put(k.read, 2)
	p.put(w.rank(k.token), 2)
	p.put(k.gen, 3)
	p.flag(k.owns)
	p.flag(holds)
	return p.bits
}

func (b bits) unpack() world {
	var w world
	p := packer{bits: b}
	for i := range w.workers {
		k := &w.workers[i]
		k.phase, k.read, k.token, k.gen, k.owns = phase(p.get(2)), p.get(2), p.get(2), p.get(3), p.get(1) == 1
		if p.get(1) == 1 {
			w.holder = first + holder(i)
		}
	}
	w.version, w.copied, w.unsaid = p.get(2), p.get(2), p.get(2)
	w.left = faults{p.get(2), p.get(2), p.get(2)}
	w.seen, w.items, w.orphan = p.get(1) == 1, p.get(3), p.get(2)
	w.row, w.gen = p.get(1) == 1, p.get(3)
	if p.get(1) == 1 {
		w.holder = nobodyAlive
	}
	w.fence = p.get(2)
	w.undo = undo{p.get(1) == 1, p.get(1) == 1, p.get(1) == 1, p.get(3)}
	w.forgot = p.get(1) == 1
	return w
}

// packer writes and reads small numbers one behind the other.
type packer struct {
	bits bits
	at   int
}

func (p *packer) put(v uint8, n int) {
	if v>>n != 0 {
		panic("the model outgrew its bits")
	}
	p.bits |= bits(v) << p.at
	p.at += n
}

func (p *packer) flag(v bool) {
	if v {
		p.bits |= 1 << p.at
	}
	p.at++
}

func (p *packer) get(n int) uint8 {
	v := uint8(p.bits>>p.at) & (1<<n - 1)
	p.at += n
	return v
}
