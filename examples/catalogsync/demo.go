package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// public is the address that the platform sends webhooks to. It refuses local ones, so the reference server forwards
// them to the process that listens.
const public = "https://app.example"

// demo is the demonstration: a reference server, and this program against it.
type demo struct {
	o      options
	t      *transcript
	server *clienttest.Server
	gate   *gate
	shop   *shop
	runs   int
	hints  atomic.Int64 // webhooks that were told since a process, or its following, began
}

// demonstrate is the program without a platform.
func demonstrate(ctx context.Context, o options, t *transcript) (err error) {
	ctx, cancel := context.WithTimeout(ctx, o.wait)
	defer cancel()
	if o.db == "" {
		dir, err := os.MkdirTemp("", "catalogsync-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // what stays behind is in the directory for such things
		o.db = filepath.Join(dir, "catalog.db")
	} else if _, err := os.Stat(o.db); err == nil {
		return fmt.Errorf("-db %s: the demonstration wants a file that does not exist yet", o.db)
	}
	d := &demo{o: o, t: t}
	if d.server, err = clienttest.Start(clienttest.Options{Demo: true}); err != nil {
		return err
	}
	defer d.server.Close()
	if d.gate, err = newGate(d.server.Transport()); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.gate.close()) }()
	if d.o.token, err = d.server.Install(); err != nil {
		return err
	}
	d.shop = newShop(d.server)
	d.o.baseURL, d.o.storeID, d.o.appSecret = d.gate.url, int64(d.server.StoreID()), d.server.App().Secret
	d.o.perPage = max(1, o.orders/20)
	for _, step := range d.steps() {
		t.step(step.title)
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("step %d, %s: %w", t.steps, step.title, err)
		}
	}
	return nil
}

type step struct {
	title string
	do    func(context.Context) error
}

// steps is the story in the order it is told.
func (d *demo) steps() []step {
	return []step{
		{"Fill the store", d.fill},
		{"Crawl, killed among the products", func(ctx context.Context) error { return d.killedAmong(ctx, "products") }},
		{"Crawl on, killed among the products again", func(ctx context.Context) error { return d.killedAmong(ctx, "products") }},
		{"Crawl on, killed among the orders", func(ctx context.Context) error { return d.killedAmong(ctx, "orders") }},
		{"Complete the crawl, then follow webhooks", d.follow},
		{"Catch up after changes that nobody told of", d.catchUp},
		{"Compare the mirror with the store, record by record", d.compare},
	}
}

func (d *demo) fill(ctx context.Context) error {
	if err := d.shop.fill(ctx, d.o.products, d.o.orders); err != nil {
		return err
	}
	d.t.note("%d products and %d orders", len(d.shop.products), len(d.shop.orders))
	return nil
}

// changes is how often the store is changed in each way while a mirror runs, and again while none does.
const changes = 3

// killedAmong runs the mirror and kills it while it waits for the tenth page of a resource, and webhooks are on their way.
func (d *demo) killedAmong(ctx context.Context, resource string) error {
	const tenth = 1 + 10 // the first request looks how many there are
	held := d.gate.hold(tenth, func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/"+resource) })
	c, err := d.run(ctx, "-follow", "-public-url", public)
	if err != nil {
		return err
	}
	select {
	case <-held:
	case <-c.ended:
		return fmt.Errorf("the process ended early: %v", c.cmd.ProcessState)
	}
	if err := d.work(ctx, "while it waits for a page"); err != nil {
		return err
	}
	if err := d.kill(c); err != nil {
		return err
	}
	if err := d.inspect(ctx, resource); err != nil {
		return err
	}
	if err := d.work(ctx, "while it is dead"); err != nil {
		return err
	}
	d.server.Clock().Advance(time.Hour)
	return nil
}

// follow runs the mirror to the end of its crawl, and then lets webhooks alone keep it equal.
func (d *demo) follow(ctx context.Context) error {
	c, err := d.run(ctx, "-follow", "-public-url", public)
	if err != nil {
		return err
	}
	d.server.Clock().Advance(time.Hour) // the platform delivers again what nobody was there for
	if _, err := c.until(complete); err != nil {
		return err
	}
	if err := d.compare(ctx); err != nil {
		return err
	}
	d.hints.Store(0)
	if err := d.work(ctx, "while it follows"); err != nil {
		return err
	}
	if err := d.server.Settle(ctx); err != nil {
		return err
	}
	if err := d.compare(ctx); err != nil {
		return err
	}
	if err := d.kill(c); err != nil {
		return err
	}
	return d.work(ctx, "while it is dead")
}

func (d *demo) kill(c *child) error {
	err := c.kill()
	d.gate.watch(nil, nil)
	d.t.note("killed")
	return err
}

// catchUp runs the mirror without webhooks until it ends by itself.
func (d *demo) catchUp(ctx context.Context) error {
	c, err := d.run(ctx)
	if err != nil {
		return err
	}
	err = c.wait()
	d.t.check(err == nil, "the process ended by itself: %v", c.cmd.ProcessState)
	return nil
}

// run starts the mirror as a process of its own, pointed at the platform like at any other.
func (d *demo) run(ctx context.Context, flags ...string) (*child, error) {
	d.runs++
	d.hints.Store(0)
	name := "  " + strconv.Itoa(d.runs) + " | "
	told := func(line string) { d.tell(name, line) }
	secrets := []string{"COMMERCE_TOKEN=" + string(d.o.token), "COMMERCE_APP_SECRET=" + string(d.o.appSecret)}
	flags = append(flags, "-base-url", d.o.baseURL, "-store-id", strconv.FormatInt(d.o.storeID, 10), "-db", d.o.db,
		"-per-page", strconv.Itoa(d.o.perPage))
	c, err := start(ctx, told, secrets, flags...)
	if err != nil || !slices.Contains(flags, "-public-url") {
		return c, err
	}
	address, err := c.until("webhooks for " + public + " arrive at ")
	if err != nil {
		return nil, err
	}
	return c, d.server.Forward(public, address)
}

// tell prints what a process printed: its progress as a bar on a terminal, the first of its webhooks, and the rest as
// it is.
func (d *demo) tell(name, line string) {
	const few = 8
	if strings.HasPrefix(line, "webhook ") {
		switch n := d.hints.Add(1); {
		case n == few:
			line = "… and more webhooks"
		case n > few:
			return
		}
	}
	for _, resource := range []string{"products", "orders"} {
		if done, of, ok := readProgress(line, resource); ok && d.t.terminal {
			d.t.bar(name + bar(resource, done, of))
			return
		}
	}
	d.t.print("%s%s", name, line)
}

func (d *demo) work(ctx context.Context, when string) error {
	what, err := d.shop.work(ctx, changes)
	if err == nil {
		d.t.note("%s: %s", when, what)
	}
	return err
}

// inspect looks at what a process that was killed left behind: nothing that its cursor says it read may be missing.
func (d *demo) inspect(ctx context.Context, resource string) (err error) {
	m, err := openMirror(ctx, d.o.db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.close()) }()
	p, err := m.pass(ctx, resource)
	if err != nil {
		return err
	}
	mirrored, err := m.ids(ctx, resource)
	if err != nil {
		return err
	}
	sold := d.shop.products
	if resource == "orders" {
		sold = d.shop.orders
	}
	missing, behind := 0, 0
	for _, id := range sold {
		switch {
		case id > p.cursor:
			behind++
		case !mirrored[id]:
			missing++
		}
	}
	d.t.check(p.phase == crawling && behind > 0, "%s: the file says that its crawl stands at id %d, %d records before the end", resource, p.cursor, behind)
	d.t.check(missing == 0, "%s: %d of those up to there are missing", resource, missing)
	return nil
}

// compare reads the store and the file and compares every record.
func (d *demo) compare(ctx context.Context) (err error) {
	s, err := open(ctx, d.o, d.t)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	return s.compare(ctx)
}
