package rolling

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/proof/rolling/replica"
	"github.com/commerceplatform/commerce-go/webhook"
)

// release is what a replica is compiled of.
type release string

const (
	older release = "the release before"
	newer release = "this release"
)

// Database is a new database of an engine.
type Database struct {
	Address string   // by which a replica opens it
	Env     []string // more of what a replica requires
	DB      *sql.DB  // for the tables of the app, from the outside
	Prefix  string   // of the names of these tables: a schema with its dot, or nothing
	// Open opens the inbox with this release.
	Open func(t *testing.T) Inbox
	// Versions returns the version of the tables, and the one that this release makes.
	Versions func(t *testing.T) (is, want int)
}

// Inbox is what an engine makes.
type Inbox interface {
	webhook.Inbox
	webhook.DeadLetters
}

// world is a shop whose products change, and an app of several replicas that copies them and ships orders.
type world struct {
	database Database
	program  string // the release before
	dir      string
	shop     string

	products []atomic.Int64 // versions by id, from 1
	orders   atomic.Int64   // the last id
	numbers  atomic.Int64   // the last number of a body

	mu       sync.Mutex
	replicas []*running
	sent     map[int64]release // by number: to what it was sent
	heard    map[int64]int64   // by product: the version of which a delivery was acknowledged
	created  map[int64]bool    // orders of which a delivery was acknowledged
	refused  map[int]int       // answers other than 200, by status
	acks     int
	kills    map[release]int
	lost     int // deliveries without an answer: their replica was killed
}

// running is a replica that listens.
type running struct {
	release release
	process *proctest.Process
	url     string
	acks    atomic.Int64
	refused atomic.Int64 // answers other than 200
}

const (
	products = 50
	senders  = 8
	pause    = 2 * time.Millisecond // of a sender after each delivery: workers run them as fast
	store    = 123
	// enough deliveries that each replica acknowledges show that it goes on.
	enough = 10
	// broken answers other than 200, of a replica that acknowledges nothing, are more than a slow machine causes.
	broken = 200
	// hung is after what time something is taken to hang.
	hung = 2 * time.Minute
)

func newWorld(t *testing.T, e Engine, program string) *world {
	w := &world{
		database: e.New(t), program: program, dir: t.TempDir(), products: make([]atomic.Int64, products+1),
		sent: make(map[int64]release), heard: make(map[int64]int64), created: make(map[int64]bool),
		refused: make(map[int]int), kills: make(map[release]int),
	}
	shop := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil || id < 1 || id > products {
			http.NotFound(rw, r)
			return
		}
		_, _ = fmt.Fprint(rw, w.products[id].Load())
	}))
	t.Cleanup(shop.Close)
	t.Cleanup(func() { w.end(t) })
	w.shop = shop.URL
	return w
}

// createTables makes the tables of the app, once an inbox has made the database.
func (w *world) createTables(t *testing.T) {
	t.Helper()
	for _, table := range []string{"copy (id BIGINT PRIMARY KEY, version BIGINT NOT NULL, fence BIGINT NOT NULL)",
		"shipment (id BIGINT NOT NULL)"} {
		if _, err := w.database.DB.ExecContext(t.Context(), "CREATE TABLE "+w.database.Prefix+table); err != nil {
			t.Fatal(err)
		}
	}
}

func (w *world) file(kind string, of release) string {
	return filepath.Join(w.dir, kind+" of "+string(of))
}

// launch starts a replica and does not wait until it listens.
func (w *world) launch(t *testing.T, of release) *running {
	t.Helper()
	env := append(slices.Clone(w.database.Env), replica.EnvDatabase+"="+w.database.Address, replica.EnvShop+"="+w.shop,
		replica.EnvLog+"="+w.file("log", of), replica.EnvRuns+"="+w.file("runs", of), "GOMAXPROCS=2")
	if of == older {
		return &running{release: of, process: proctest.StartProgram(t, w.program, env...)}
	}
	return &running{release: of, process: proctest.Start(t, Role, env...)}
}

// start starts a replica that gets its part of the load.
func (w *world) start(t *testing.T, of release) *running {
	t.Helper()
	r := w.launch(t, of)
	r.url = r.process.Line(t)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.replicas = append(w.replicas, r)
	return r
}

// kill kills a replica in the midst of deliveries, which are sent to others then.
func (w *world) kill(t *testing.T, r *running) {
	t.Helper()
	r.process.Kill(t)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.kills[r.release]++
	w.replicas = slices.DeleteFunc(w.replicas, func(other *running) bool { return other == r })
}

// end kills all replicas.
func (w *world) end(t *testing.T) {
	t.Helper()
	for _, r := range append(w.live(older), w.live(newer)...) {
		w.kill(t, r)
	}
}

// live returns the replicas of a release.
func (w *world) live(of release) (live []*running) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.replicas {
		if r.release == of {
			live = append(live, r)
		}
	}
	return live
}

// progress waits until each replica has acknowledged more deliveries: nobody holds up the others.
func (w *world) progress(t *testing.T) {
	t.Helper()
	w.mu.Lock()
	all := slices.Clone(w.replicas)
	w.mu.Unlock()
	for _, r := range all {
		acks, refused := r.acks.Load()+enough, r.refused.Load()+broken
		until(t, string(r.release)+" acknowledges no more", func() bool {
			return r.acks.Load() >= acks || r.refused.Load() > refused
		})
		if r.acks.Load() < acks {
			all := lines(t, w.file("log", r.release))
			t.Fatalf("%s accepts nothing; its log ends with: %s", r.release, strings.Join(all[max(0, len(all)-3):], "\n"))
		}
	}
}

// until waits for a condition.
func until(t *testing.T, otherwise string, holds func() bool) {
	t.Helper()
	for began := time.Now(); !holds(); <-time.After(5 * time.Millisecond) {
		if time.Since(began) > hung {
			t.Fatalf("after %v, %s", hung, otherwise)
		}
	}
}
