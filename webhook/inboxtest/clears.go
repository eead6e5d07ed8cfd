package inboxtest

import (
	"github.com/commerceplatform/commerce-go/webhook"
)

// deleted clears the other two events of a product.
func deleted(key string) webhook.Entry {
	e := in("product", fact(key))
	e.Event = "product/deleted"
	e.Clears = []webhook.Name{"product/created", "product/updated"}
	return e
}

func product(e webhook.Entry, event webhook.Name) webhook.Entry {
	e.Lane, e.Event = "product", event
	return e
}

func clears(p *probe) {
	rests := product(signal("rests"), "product/updated")
	p.accept(rests, webhook.OutcomeStored)
	p.fail(p.take(rests.Key, held), webhook.Failed{Delay: never})
	dead := product(signal("dead"), "product/updated")
	p.kill(dead)

	updated := product(signal("updated"), "product/updated")
	created := product(fact("created"), "product/created")
	event := product(signal("other event"), "product/reviewed")
	store := product(signal("other store"), "product/updated")
	store.StoreID = 456
	lane := product(signal("other lane"), "product/updated")
	lane.Lane = "other product"
	gone := deleted("gone")
	p.accept(gone, webhook.OutcomeStored)
	l := p.take(gone.Key, held)
	others := []webhook.Entry{updated, created, event, store, lane}
	for i := range others[:4] {
		others[i].Settle = never // they are pending, due or not
	}
	others = append(others, product(signal("due"), "product/updated"))
	for _, e := range others {
		p.accept(e, webhook.OutcomeStored)
	}
	p.counted(webhook.Stats{Pending: 8, Due: 1, Leased: 1, Dead: 1})
	p.commit(l, false)

	p.counted(webhook.Stats{Pending: 3, Due: 1, Done: 2, Dead: 1})
	p.take(lane.Key, held)
	p.nothing("cleared entries must not be leased")
	p.accept(gone, webhook.OutcomeKnown)
	p.accept(created, webhook.OutcomeKnown)
	p.accept(event, webhook.OutcomeJoined)
	p.accept(store, webhook.OutcomeJoined)
	p.accept(lane, webhook.OutcomeJoined)
	p.accept(rests, webhook.OutcomeStored)
	p.accept(updated, webhook.OutcomeStored)
	p.accept(dead, webhook.OutcomeRevived)
}

func clearsLate(p *probe) {
	gone, updated := deleted("gone"), product(signal("updated"), "product/updated")
	updated.Settle = never
	p.accept(gone, webhook.OutcomeStored)
	p.accept(updated, webhook.OutcomeStored)
	p.fail(p.take(gone.Key, held), webhook.Failed{})
	l := p.take(gone.Key, held)
	p.counted(webhook.Stats{Pending: 2, Leased: 1})
	p.fail(l, webhook.Failed{Dead: true})
	p.accept(gone, webhook.OutcomeKnown)
	p.counted(webhook.Stats{Pending: 1, Dead: 1})
	p.accept(updated, webhook.OutcomeJoined)
}
