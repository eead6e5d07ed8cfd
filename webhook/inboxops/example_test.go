package inboxops_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/inboxops"
)

// The page under /ops/ of a listener that only programs of the same machine reach. With Allow and Hosts others may use
// it.
func ExampleHandler() {
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true}) // sqlite.Open or postgres.Open in an app
	if err != nil {
		fmt.Println(err)
		return
	}
	dead := webhook.Entry{Key: "order 7", Lane: "order 7", Kind: webhook.KindSignal, Event: "order/paid", StoreID: 123,
		Unhandled: "event without a handler"}
	if _, err := inbox.Accept(context.Background(), dead); err != nil {
		fmt.Println(err)
		return
	}
	ops := &inboxops.Handler{Inbox: inbox, Logger: slog.New(slog.DiscardHandler)}
	mux := http.NewServeMux()
	mux.Handle("/ops/", http.StripPrefix("/ops", ops))
	server := httptest.NewServer(mux)
	defer server.Close()

	// The JSON has the content of the page.
	answer, err := http.Get(server.URL + "/ops/api/count?do=replay&cause=event+without+a+handler")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = answer.Body.Close() }()
	var n int
	if _, err := fmt.Fscanf(answer.Body, `{"n":%d`, &n); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n, "dead entry can be replayed")
	_, _ = io.Copy(io.Discard, answer.Body)

	// Output:
	// 1 dead entry can be replayed
}

// The command of an app, such as "myapp inbox dead".
func ExampleMain() {
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, id := range []string{"7", "8"} {
		dead := webhook.Entry{Key: "order " + id, Lane: "order " + id, Kind: webhook.KindSignal, Event: "order/paid",
			StoreID: 123, Unhandled: "event without a handler"}
		if _, err := inbox.Accept(context.Background(), dead); err != nil {
			fmt.Println(err)
			return
		}
	}
	run := func(args ...string) { inboxops.Main(context.Background(), inbox, args, os.Stdout, os.Stdout) }
	run("dead")
	run("replay", "--event", "order/paid")
	run("replay", "--event", "order/paid", "--yes", "2")

	// Output:
	// STATE  EVENT       STORE  ATTEMPTS  SINCE  KEY      CAUSE
	// dead   order/paid  123    0         0 s    order 7  event without a handler
	// dead   order/paid  123    0         0 s    order 8  event without a handler
	// 2 entries match: repeat the command with --yes 2 to replay them
	// 2 entries replayed
}
