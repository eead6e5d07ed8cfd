package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

const (
	public = "https://app.example" // the address that the platform sends webhooks to
	kills  = 3
)

var errDiffers = errors.New("the mirror differs from the store")

// demo is the demonstration: a reference server, and a receiver that is killed.
type demo struct {
	o        options
	stdout   io.Writer
	server   *clienttest.Server
	db       *database
	receiver *process
	products []client.ID
}

// demonstrate is the program without a platform.
func demonstrate(ctx context.Context, o options, stdout io.Writer) (err error) {
	if o.database == "" {
		dir, err := os.MkdirTemp("", "receiver-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // remaining files are in the temporary directory
		o.database = filepath.Join(dir, "inbox.db")
	}
	d := &demo{o: o, stdout: &lockedWriter{w: stdout}}
	defer func() { err = errors.Join(err, d.close()) }()
	if err := d.open(ctx); err != nil {
		return err
	}
	stop, err := operate(ctx, o.ops, d.db, d.stdout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	return d.server.PlayWithConsole(ctx, d.stdout, d.play)
}

// open creates the platform, the app on it and the database.
func (d *demo) open(ctx context.Context) (err error) {
	shop := clienttest.Options{DuplicateWebhooks: true, ReorderWebhooks: true, Console: pages.At(d.o.console)}
	if d.server, err = clienttest.Start(shop); err != nil {
		return err
	}
	if err := d.server.Listen("127.0.0.1:0"); err != nil {
		return err
	}
	if d.o.token, err = d.server.Install(); err != nil {
		return err
	}
	d.o.baseURL, d.o.storeID, d.o.secret = d.server.URL(), int64(d.server.StoreID()), d.server.App().Secret
	hooks := v202503.Webhooks(d.server.Client())
	for _, e := range names {
		if _, err := hooks.Create(ctx, client.WebhookInput{Event: e.Name, URL: public + "/hooks"}); err != nil {
			return err
		}
	}
	if d.db, err = openDatabase(ctx, d.o.database); err != nil {
		return err
	}
	if mirror, err := d.db.mirrored(ctx); err != nil || len(mirror) > 0 {
		return errors.Join(err, fmt.Errorf("-database %s: must not have been used before in the demonstration", d.o.database))
	}
	return d.begin(ctx)
}

// close ends the receiver, unless it has ended.
func (d *demo) close() (err error) {
	if d.receiver != nil {
		err = d.receiver.kill()
	}
	if d.db != nil {
		err = errors.Join(err, d.db.close())
	}
	if d.server != nil {
		d.server.Close()
	}
	return err
}

// begin starts a receiver.
func (d *demo) begin(ctx context.Context) (err error) {
	if d.receiver, err = start(ctx, d.o, d.stdout); err != nil {
		return err
	}
	return d.server.Forward(public, d.receiver.address)
}

// play runs the demonstration, and waits while the page of the inbox is served.
func (d *demo) play(ctx context.Context) error {
	interrupted := ctx.Done()
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	for n := range kills {
		if err := d.round(ctx, n+1); err != nil {
			return fmt.Errorf("round %d: %w", n+1, err)
		}
	}
	if err := d.finish(ctx); err != nil {
		return err
	}
	if err := d.compare(ctx); err != nil || d.o.ops == "" {
		return err
	}
	if err := exhibit(ctx, d.db); err != nil {
		return err
	}
	fmt.Fprintln(d.stdout, "the page stays, with 40 dead deliveries to replay or purge, until the program is interrupted")
	<-interrupted
	return nil
}

// round changes the store while the receiver is killed (kill -9), and starts another.
func (d *demo) round(ctx context.Context, n int) error {
	worked, before := make(chan error, 1), d.accepted()
	go func() { worked <- d.work(ctx) }()
	for d.accepted() < before+5*n && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	err := d.receiver.kill()
	d.receiver = nil
	if err := errors.Join(err, <-worked); err != nil {
		return err
	}
	fmt.Fprintf(d.stdout, "round %d: a process was killed while the store changed, and another started\n", n)
	d.server.Clock().Advance(time.Hour) // the platform retries unanswered deliveries
	return d.begin(ctx)
}

// accepted returns the number of deliveries that were answered 2xx.
func (d *demo) accepted() (n int) {
	for _, delivery := range d.server.Deliveries() {
		for _, attempt := range delivery.Attempts {
			if attempt.Status/100 == 2 {
				n++
			}
		}
	}
	return n
}

// work creates ten products, changes them and deletes one.
func (d *demo) work(ctx context.Context) error {
	products := v202503.Products(d.server.Client())
	for range 10 {
		name := client.Text{"en": fmt.Sprintf("Thing %d", len(d.products))}
		p, err := products.Create(ctx, client.ProductInput{Name: name})
		if err != nil {
			return err
		}
		d.products = append(d.products, p.ID)
		name = client.Text{"en": "A better " + name["en"]}
		if _, err := products.Update(ctx, p.ID, client.ProductInput{Name: name}); err != nil {
			return err
		}
	}
	return products.Delete(ctx, d.products[len(d.products)-5])
}

// finish waits until everything was delivered and handled, and ends the receiver.
func (d *demo) finish(ctx context.Context) error {
	for range 16 { // the platform makes at most 16 attempts
		if err := d.server.Settle(ctx); err != nil {
			return err
		}
		d.server.Clock().Advance(12 * time.Hour)
	}
	for {
		stats, err := d.db.inbox.Stats(ctx)
		if err != nil {
			return err
		}
		if stats.Pending == 0 {
			break
		}
		if err := d.db.inbox.Wait(ctx, webhook.LeaseQuery{}, 100*time.Millisecond); err != nil {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	last := d.receiver
	d.receiver = nil
	return last.stop()
}

// compare compares the mirror with the store.
func (d *demo) compare(ctx context.Context) error {
	mirror, err := d.db.mirrored(ctx)
	if err != nil {
		return err
	}
	all, differ := 0, 0
	for p, err := range v202503.Products(d.server.Client()).List(client.ProductFilter{}).All(ctx) {
		if err != nil {
			return err
		}
		if all++; mirror[p.ID] != state(p) {
			differ++
			fmt.Fprintf(d.stdout, "product %d: the store says %q, the mirror %q\n", p.ID, state(p), mirror[p.ID])
		}
		delete(mirror, p.ID)
	}
	for id, state := range mirror {
		if state != gone {
			differ++
			fmt.Fprintf(d.stdout, "product %d: deleted in the store, the mirror says %q\n", id, state)
		}
	}
	stats, err := d.db.inbox.Stats(ctx)
	fmt.Fprintf(d.stdout, "%d of %d products are equal, %d deliveries are dead\n", all-differ, all, stats.Dead)
	if err == nil && differ+stats.Dead > 0 {
		err = errDiffers
	}
	return err
}

// lockedWriter serializes the output of several processes.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
