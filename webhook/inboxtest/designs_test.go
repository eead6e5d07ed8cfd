package inboxtest_test

// design is a way to keep deliveries until they are handled.
type design struct {
	name  string
	store store
	guard guard
}

// store is what a design does with the world. i is the number of a worker.
type store interface {
	accept(w *world)
	lease(w *world, i int) bool // false: there is nothing for it
	commit(w *world, i int)
	crash(w *world, i int) bool  // false: nothing would be different
	expire(w *world, i int) bool // the lease of a living worker ends
	reclaim(w *world) bool       // the lease of a dead worker ends
	restart(w *world) bool       // the server crashes, which takes back what it has not waited for; false: there is nothing
}

// guard writes into the copy what a worker read, or does not.
type guard func(w *world, k *worker)

func unguarded(w *world, k *worker) { w.copied = k.read }

func fenced(w *world, k *worker) {
	if k.token >= w.fence {
		w.fence, w.copied = k.token, k.read
	}
}

func monotone(w *world, k *worker) { w.copied = max(w.copied, k.read) }

var designs = map[string]design{
	"A": {"remember the hash of the body, then process", hashed{}, unguarded},
	"B": {"durable queue, the hash is remembered at commit", queue{durable: true}, unguarded},
	"C": {"unique job while it is pending or running", row{unique: true}, unguarded},
	"D": {"queue in memory, no exclusion", queue{}, unguarded},
	"E": {"generations, no guard on what is written", row{}, unguarded},
	"F": {"generations and a fence", row{tokens: true}, fenced},
	"G": {"generations and a monotone time of change", row{}, monotone},
	"H": {"generations and a fence; commits are not waited for, in groups that break", row{tokens: true, lazy: commits}, fenced},
	"I": {"generations and a fence; leases are not waited for", row{tokens: true, lazy: leases}, fenced},
	"J": {"generations and a fence; arrivals are not waited for", row{tokens: true, lazy: arrivals}, fenced},
}

// hashed processes the first delivery of a body in the request and drops all others.
type hashed struct{}

func (hashed) accept(w *world) {
	if !w.seen {
		w.seen = true
		w.workers[0].phase = hasLease
	}
}

func (hashed) lease(*world, int) bool  { return false }
func (hashed) commit(*world, int)      {}
func (hashed) expire(*world, int) bool { return false }
func (hashed) reclaim(*world) bool     { return false }
func (hashed) restart(*world) bool     { return false }

func (hashed) crash(w *world, i int) bool { return w.workers[i].phase != idle }

// queue has an item for each delivery. One that is durable remembers the hash of
// the bodies it has finished; one that is not dies with the process.
type queue struct{ durable bool }

func (q queue) accept(w *world) {
	if !w.seen {
		w.items++
	}
}

func (q queue) lease(w *world, i int) bool {
	if w.items == 0 {
		return false
	}
	w.items--
	if !w.seen {
		w.workers[i].phase, w.workers[i].owns = hasLease, q.durable
	}
	return true
}

func (q queue) commit(w *world, _ int) { w.seen = q.durable }

func (q queue) crash(w *world, i int) bool {
	if q.durable {
		if w.workers[i].owns {
			w.orphan++
		}
		return w.workers[i].phase != idle
	}
	lost := w.items > 0 || w.workers[0].phase != idle || w.workers[1].phase != idle
	w.items, w.workers = 0, [2]worker{}
	return lost
}

func (q queue) expire(w *world, i int) bool {
	if !w.workers[i].owns {
		return false
	}
	w.workers[i].owns = false
	w.items++
	return true
}

func (q queue) reclaim(w *world) bool {
	if w.orphan == 0 {
		return false
	}
	w.orphan--
	w.items++
	return true
}

func (queue) restart(*world) bool { return false }

// row has one entry for all deliveries. Unless it is unique, which drops what comes
// while it is there, it counts generations.
type row struct {
	unique, tokens bool
	lazy           lazy // what is not waited for until it is on disk
}

type lazy uint8

const (
	nothing lazy = iota
	commits
	leases
	arrivals
)

// writes notes that a transaction was written that is waited for or not. The log is one: what is on disk has all before
// it there too. So no more than what was not waited for since then can be taken back: here, the last transaction.
func (r row) writes(w *world, what lazy) {
	w.undo = undo{}
	if r.lazy == what {
		w.undo = undo{there: true, row: w.row, gen: w.gen, held: w.holder != nobody}
	}
}

func (r row) restart(w *world) bool {
	if !w.undo.there {
		return false
	}
	u := w.undo
	w.undo, w.row, w.gen = undo{}, u.row, u.gen
	switch {
	case r.lazy == leases: // its worker goes on, and its token is given to the next one
		w.holder, w.forgot = nobody, true
	case r.lazy == commits && u.held: // its worker has gone on; the lease ends by itself
		w.holder = nobodyAlive
	}
	return true
}

func (r row) accept(w *world) {
	r.writes(w, arrivals)
	w.row = true
	if !r.unique {
		w.gen++
	}
}

func (r row) lease(w *world, i int) bool {
	if !w.row || w.holder != nobody {
		return false
	}
	r.writes(w, leases)
	w.holder = first + holder(i)
	w.workers[i].phase, w.workers[i].gen = hasLease, w.gen
	if r.tokens {
		w.workers[i].token = max(w.fence, w.workers[1-i].token) + 1
	}
	if w.forgot {
		w.workers[i].token, w.forgot = max(w.fence, w.workers[1-i].token), false
	}
	return true
}

func (r row) commit(w *world, i int) {
	if w.holder != first+holder(i) {
		return // the lease is lost
	}
	r.writes(w, commits)
	w.holder = nobody
	if w.gen == w.workers[i].gen {
		w.row, w.gen = false, 0
	}
}

func (r row) crash(w *world, i int) bool {
	if w.holder == first+holder(i) {
		w.holder = nobodyAlive
	}
	return w.workers[i].phase != idle
}

func (r row) expire(w *world, i int) bool {
	if w.holder != first+holder(i) {
		return false
	}
	w.holder = nobody
	return true
}

func (r row) reclaim(w *world) bool {
	if w.holder != nobodyAlive {
		return false
	}
	w.holder = nobody
	return true
}
