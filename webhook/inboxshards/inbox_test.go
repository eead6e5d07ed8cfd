package inboxshards_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/inboxshards"
	"github.com/commerceplatform/commerce-go/webhook/inboxtest"
)

func memory(t testing.TB, highWater int) *inboxmem.Inbox {
	t.Helper()
	in, err := inboxmem.New(inboxmem.Options{AllowLossy: true, HighWater: highWater})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// open returns an inbox over n inboxes in memory, with names from "a" on.
func open(t testing.TB, n int) *inboxshards.Inbox {
	t.Helper()
	var o inboxshards.Options
	for i := range n {
		o.Shards = append(o.Shards, inboxshards.Shard{Name: fmt.Sprintf("%c", 'a'+i), Inbox: memory(t, 0)})
	}
	in, err := inboxshards.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// One shard follows all rules of an inbox.
func TestOneShard(t *testing.T) {
	inboxtest.Run(t, inboxtest.Engine{
		Open:   func(t *testing.T) webhook.Inbox { return open(t, 1) },
		Bubble: synctest.Test,
	})
}

// Three shards follow them too, except that shards take turns and not all stores.
func TestThreeShards(t *testing.T) {
	inboxtest.Run(t, inboxtest.Engine{
		Open:   func(t *testing.T) webhook.Inbox { return open(t, 3) },
		Parts:  true,
		Bubble: synctest.Test,
	})
}

// Entries and marks of apps are found whose names have colons and numbers, as keys have them before their store.
func TestAppNamesWithColons(t *testing.T) {
	var shards []inboxshards.Shard
	for _, name := range []string{"a", "b", "c"} {
		shards = append(shards, inboxshards.Shard{Name: name, Inbox: memory(t, 0)})
	}
	in, err := inboxshards.Open(t.Context(), inboxshards.Options{Shards: shards})
	if err != nil {
		t.Fatal(err)
	}
	var events webhook.Registry
	for _, app := range []string{"app", "a:5", "5:6", "https://x.example:443/", ":", "7"} {
		for store := client.ID(1); store <= 20; store++ {
			e := events.Entry(app, "", fmt.Appendf(nil, `{"store_id":%d,"event":"order/created","id":9}`, store))
			accept(t, in, e)
			if got, err := in.Lookup(t.Context(), e.Key, false); err != nil || got.StoreID != store {
				t.Errorf("%s: %d, %v", e.Key, got.StoreID, err)
			}
			mark := webhook.Prefix(app, store) + "order/created"
			if err := in.SetMark(t.Context(), mark, time.Unix(1, 0)); err != nil {
				t.Fatal(err)
			}
			for _, s := range shards {
				at, err := s.Inbox.Mark(t.Context(), mark)
				if has := in.InboxOf(webhook.Lease{Entry: e}) == s.Inbox; err != nil || has == at.IsZero() {
					t.Errorf("%s in shard %s: %v, %v, want it in the shard of its store", mark, s.Name, at, err)
				}
			}
		}
	}
}

// Open names each mistake.
func TestOpenRefuses(t *testing.T) {
	a := inboxshards.Shard{Name: "a", Inbox: memory(t, 0)}
	for want, o := range map[string]inboxshards.Options{
		"no Shards":                             {},
		"has no Name":                           {Shards: []inboxshards.Shard{{Inbox: a.Inbox}}},
		`shard "b": must have Open or an Inbox`: {Shards: []inboxshards.Shard{a, {Name: "b"}}},
		`shard "a": there are two of this Name`: {Shards: []inboxshards.Shard{a, a}},
		"Change.Name is empty":                  {Shards: []inboxshards.Shard{a}, Change: &inboxshards.Change{From: []string{"a"}}},
		`Change.From has "z"`:                   {Shards: []inboxshards.Shard{a}, Change: &inboxshards.Change{Name: "n", From: []string{"z"}}},
		"Change.From is empty":                  {Shards: []inboxshards.Shard{a}, Change: &inboxshards.Change{Name: "n"}},
		`Change.Leaving has "b": must be in From`: {Shards: []inboxshards.Shard{a}, Change: &inboxshards.Change{Name: "n",
			From: []string{"a"}, Leaving: []inboxshards.Shard{{Name: "b", Inbox: memory(t, 0)}}}},
	} {
		if _, err := inboxshards.Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// A new shard takes its part of the stores from all others, and no store moves between those.
func TestStoresStay(t *testing.T) {
	where := func(n int) map[client.ID]string {
		all := make(map[client.ID]string)
		var o inboxshards.Options
		for i := range n {
			o.Shards = append(o.Shards, inboxshards.Shard{Name: fmt.Sprintf("%c", 'a'+i), Inbox: memory(t, 0)})
		}
		in, err := inboxshards.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		for store := client.ID(1); store <= 3000; store++ {
			at := in.InboxOf(webhook.Lease{Entry: webhook.Entry{StoreID: store}})
			for _, s := range o.Shards {
				if s.Inbox == at {
					all[store] = s.Name
				}
			}
		}
		return all
	}
	three, four := where(3), where(4)
	moved := 0
	for store, name := range four {
		if name == three[store] {
			continue
		}
		if moved++; name != "d" {
			t.Errorf("store %d moved from %s to %s", store, three[store], name)
		}
	}
	if moved < 650 || moved > 850 {
		t.Errorf("%d of 3000 stores moved, want about a quarter", moved)
	}
}
