package inboxmem

import "container/heap"

// grave is a dead row that may be deleted because there are too many: see Options.MaxDead.
type grave row

var _ queued[*grave] = (*grave)(nil)

// before orders entries that no handler can have before entries whose handler failed, and the oldest first.
func (g *grave) before(h *grave) bool {
	if handled := g.entry.Unhandled == ""; handled != (h.entry.Unhandled == "") {
		return !handled
	}
	return (*row)(g).before((*row)(h))
}

func (g *grave) move(place int) { g.place = place }

// bury adds a row that has died, and deletes the first of them if there are too many. Privacy requests stay.
func (b *Inbox) bury(r *row) {
	if r.entry.Protected {
		return
	}
	r.buried = true
	heap.Push(&b.graves, (*grave)(r))
	for len(b.graves) > b.maxDead {
		b.forget((*row)(b.graves[0]))
		b.trimmed++
	}
}

// unbury removes a row that is no longer dead.
func (b *Inbox) unbury(r *row) {
	if r.buried {
		r.buried = false
		b.graves.remove(r.place)
	}
}
