package inboxshards_test

import (
	"context"
	"fmt"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/inboxshards"
)

// In an app each shard is a postgres.Inbox of another server.
func ExampleOpen() {
	var shards []inboxshards.Shard
	for _, name := range []string{"a", "b", "c", "d"} {
		inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
		if err != nil {
			fmt.Println(err)
			return
		}
		shards = append(shards, inboxshards.Shard{Name: name, Inbox: inbox})
	}
	inbox, err := inboxshards.Open(context.Background(), inboxshards.Options{Shards: shards})
	if err != nil {
		fmt.Println(err)
		return
	}
	var events webhook.Registry
	for store := range 100 {
		e := events.Entry("app", "", fmt.Appendf(nil, `{"store_id":%d,"event":"order/paid","id":7}`, store+1))
		if _, err := inbox.Accept(context.Background(), e); err != nil {
			fmt.Println(err)
		}
	}
	sum, err := inbox.Stats(context.Background())
	fmt.Println(sum.Pending, "entries", err)
	for _, s := range shards {
		part, err := s.Inbox.Stats(context.Background())
		fmt.Println(s.Name, part.Pending > 15, err)
	}
	// Output:
	// 100 entries <nil>
	// a true <nil>
	// b true <nil>
	// c true <nil>
	// d true <nil>
}
