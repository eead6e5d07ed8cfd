package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

// public is the address that the platform sends webhooks to.
const public = "https://app.example"

var errDiffers = errors.New("the mirror differs from the store")

// demo is the demonstration: a reference server, and receivers that are killed.
type demo struct {
	o      options
	stdout io.Writer
	server *clienttest.Server
	shop   *shop
	db     *database
	own    bool // the database was empty
	front  balancer
	living []*process
	begun  int
}

// replicas is the number of processes that share the work. A file is best used by one.
func (d *demo) replicas() int {
	if strings.HasPrefix(d.o.database, "postgres") {
		return 3
	}
	return 1
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

// play runs the demonstration, and waits while the page of the inbox is served.
func (d *demo) play(ctx context.Context) error {
	interrupted := ctx.Done()
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	for range d.replicas() {
		if err := d.begin(ctx); err != nil {
			return err
		}
	}
	for round := range d.o.rounds {
		if err := d.round(ctx, round+1); err != nil {
			return fmt.Errorf("round %d: %w", round+1, err)
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

// open creates the platform, the app on it and the database.
func (d *demo) open(ctx context.Context) (err error) {
	if d.server, err = clienttest.Start(clienttest.Options{DuplicateWebhooks: true, ReorderWebhooks: true, Console: pages.At(d.o.console)}); err != nil {
		return err
	}
	if err := errors.Join(d.server.Listen("127.0.0.1:0"), d.server.Partner(public, &d.front)); err != nil {
		return err
	}
	if d.o.token, err = d.server.Install(); err != nil {
		return err
	}
	d.o.baseURL, d.o.storeID, d.o.secret = d.server.URL(), int64(d.server.StoreID()), d.server.App().Secret
	c := d.server.Client()
	d.shop = newShop(c)
	for _, e := range names {
		if _, err := v202503.Webhooks(c).Create(ctx, client.WebhookInput{Event: e.Name, URL: public + "/hooks"}); err != nil {
			return err
		}
	}
	if d.db, err = openDatabase(ctx, d.o.database); err != nil {
		return err
	}
	runs, err := d.db.runs(ctx)
	d.own = err == nil && len(runs) == 0
	if err == nil && !d.own {
		return fmt.Errorf("-database %s: must not have been used before in the demonstration", d.o.database)
	}
	return err
}

func (d *demo) close() error {
	var errs []error
	for _, p := range d.living {
		errs = append(errs, p.kill())
	}
	if d.own {
		errs = append(errs, d.db.clean(context.Background()))
	}
	if d.db != nil {
		errs = append(errs, d.db.close())
	}
	if d.server != nil {
		d.server.Close()
	}
	return errors.Join(errs...)
}

// begin starts one more receiver.
func (d *demo) begin(ctx context.Context) error {
	d.begun++
	p, err := start(ctx, d.o, fmt.Sprint(d.begun), d.stdout)
	if err != nil {
		return err
	}
	d.living = append(d.living, p)
	return d.front.add(p.address)
}

// round changes the store, kills a process meanwhile, continues to change the store and starts another process.
func (d *demo) round(ctx context.Context, n int) error {
	const changes = 40
	worked := make(chan error, 1)
	go func() { worked <- d.shop.work(ctx, changes) }()
	before := d.accepted()
	// A store changes faster than a busy machine delivers, so all its changes are made when the first deliveries
	// arrive.
	for late := time.Now().Add(5 * time.Second); d.accepted() < before+min(5+n*3, changes) && time.Now().Before(late); {
		time.Sleep(time.Millisecond)
	}
	victim := d.living[0]
	if err := victim.kill(); err != nil {
		return err
	}
	d.living = d.living[1:]
	at := d.accepted() - before
	err := <-worked
	d.front.remove(victim.address)
	if err != nil {
		return err
	}
	if err := d.begin(ctx); err != nil {
		return err
	}
	fmt.Fprintf(d.stdout, "round %d: %d changes, a process killed after %d deliveries, and another started\n", n, changes, at)
	d.server.Clock().Advance(time.Hour) // the platform retries unanswered deliveries
	return nil
}

// accepted is the number of deliveries that were answered 2xx.
func (d *demo) accepted() int {
	n := 0
	for _, delivery := range d.server.Deliveries() {
		for _, attempt := range delivery.Attempts {
			if attempt.Status >= 200 && attempt.Status < 300 {
				n++
			}
		}
	}
	return n
}

// finish waits until everything was delivered and handled, and ends the processes.
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
	var errs []error
	for _, p := range d.living {
		errs = append(errs, p.stop())
	}
	d.living = nil
	return errors.Join(errs...)
}

// compare prints the sums, and compares the mirror with the store.
func (d *demo) compare(ctx context.Context) error {
	runs, err := d.db.runs(ctx)
	if err != nil {
		return err
	}
	stats, err := d.db.inbox.Stats(ctx)
	if err != nil {
		return err
	}
	processed, twice := 0, 0
	once := map[webhookOf]int{}
	for name, n := range runs {
		event, _, _ := strings.Cut(name, " ")
		processed += n
		once[webhookOf(event)]++
		if fact := !strings.HasSuffix(event, "/updated"); fact && n > 1 {
			twice++
		}
	}
	received := d.accepted()
	fmt.Fprintf(d.stdout, "\nreceived  %4d deliveries answered 2xx\njoined    %4d of them shared the run of another\nprocessed %4d runs, each with its effect once\ndead      %4d\n",
		received, max(0, received-processed-stats.Dead), processed, stats.Dead)

	missing := 0
	for event, made := range d.shop.made {
		seen := once[event]
		fmt.Fprintf(d.stdout, "%-17s %3d of %3d handled\n", event, seen, made)
		// After a deletion no other event of the record is delivered.
		if webhook.Name(event) != webhook.ProductCreated.Name && seen != made {
			missing++
		}
	}
	store, err := d.shop.states(ctx)
	if err != nil {
		return err
	}
	mirror, err := d.db.mirrored(ctx)
	if err != nil {
		return err
	}
	differ := 0
	for name, state := range store {
		if mirror[name] != state {
			differ++
			fmt.Fprintf(d.stdout, "%s: the store says %q, the mirror %q\n", name, state, mirror[name])
		}
		delete(mirror, name)
	}
	for name, state := range mirror {
		if state != gone {
			differ++
			fmt.Fprintf(d.stdout, "%s: deleted in the store, the mirror says %q\n", name, state)
		}
	}
	fmt.Fprintf(d.stdout, "equal     %4d of %d records, %d facts handled twice\n", len(store)-differ, len(store), twice)
	if differ+missing+twice+stats.Dead > 0 {
		return errDiffers
	}
	return nil
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
