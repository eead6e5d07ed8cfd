package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxops"
)

// inspect runs the command inbox. It returns the exit status.
func inspect(ctx context.Context, o options, stdout io.Writer) int {
	db, err := openDatabase(ctx, o.database)
	if err != nil {
		fmt.Fprintln(stdout, "receiver:", err)
		return exitFailed
	}
	status := inboxops.Main(ctx, db.inbox, o.inbox, stdout, os.Stderr)
	if err := db.close(); err != nil {
		fmt.Fprintln(stdout, "receiver:", err)
		return exitFailed
	}
	return status
}

// operate serves the page of the inbox, for programs on this machine, until stop is called. It does nothing if address
// is empty.
func operate(ctx context.Context, address string, db *database, stdout io.Writer) (stop func() error, err error) {
	if address == "" {
		return func() error { return nil }, nil
	}
	page := &inboxops.Handler{Inbox: db.inbox, Title: "Receiver"}
	if err := page.Check(); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("-ops %s: %w", address, err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	// Ready.Serve also takes samples for the trends while no browser shows the page.
	ready := &webhook.Ready{Wait: -1}
	server := &http.Server{Handler: page, ReadHeaderTimeout: webhook.AnswerTime, WriteTimeout: 2 * inboxops.DefaultBudget}
	go func() { ended <- ready.Serve(ctx, listener, server, page.Run) }()
	fmt.Fprintf(stdout, "the page of the inbox is at http://%s/\n", listener.Addr())
	return func() error { cancel(); return <-ended }, nil
}

// exhibit leaves dead deliveries in the inbox, which can be viewed, replayed and purged.
func exhibit(ctx context.Context, db *database) error {
	var events webhook.Registry
	for n := range 40 {
		body := fmt.Sprintf(`{"store_id":%d,"event":"order/paid","id":%d}`, 1+n%3, 1_000_000+n)
		e := events.Entry("", webhook.OrderPaid.Name, []byte(body))
		e.Unhandled = "event without a handler"
		if n%4 == 0 {
			e.Unhandled = fmt.Sprintf("GET /orders/%d: 404 not found", 1_000_000+n)
		}
		if _, err := db.inbox.Accept(ctx, e); err != nil {
			return err
		}
	}
	return nil
}
