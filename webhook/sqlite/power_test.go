package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// From a power cut at any moment, with anything lost or torn that was not synced, the inbox opens and holds all that it
// had acknowledged.
func TestProofPowerCut(t *testing.T) {
	t.Parallel()
	cuts := tier.Size(50, 500, 20_000)
	h := record(t, sqlite.Options{}, tier.Size(60, 60, 150))
	lost := h.cuts(t, cuts)
	for _, l := range lost[:min(len(lost), 10)] {
		t.Error(l)
	}
	t.Logf("power cuts with losses or damage: %d of %d", len(lost), cuts)
}

// The same check finds what an inbox loses that does not sync.
func TestProofPowerCutWithoutSync(t *testing.T) {
	t.Parallel()
	for _, level := range []sqlite.Sync{sqlite.Normal, sqlite.Off} {
		t.Run(string(level), func(t *testing.T) {
			cuts := tier.Size(12, 60, 1000)
			lost := record(t, sqlite.Options{Sync: level, AllowLossy: true}, 50).cuts(t, cuts)
			if len(lost) < cuts/4 {
				t.Errorf("the check found something in %d of %d power cuts: it would not notice a missing sync", len(lost), cuts)
			}
			t.Logf("power cuts with losses or damage: %d of %d", len(lost), cuts)
		})
	}
}

// history is what was done to a disk, and what an inbox on it acknowledged at which moment.
type history struct {
	disk *disk

	mu      sync.Mutex
	joined  map[string][]int  // of a signal that stays pending: the moments at which arrivals were acknowledged
	stored  map[string]int    // of a fact: the moment at which it was acknowledged
	settled map[string]int    // of a fact: the moment at which its commit was
	erased  map[string]int    // of an address in a protected body: the same
	tokens  map[uint64]int    // the moment at which a token was given
	marks   map[time.Time]int // the moment at which a mark was set
}

const effects = `CREATE TABLE IF NOT EXISTS effect (key TEXT NOT NULL);
	CREATE INDEX IF NOT EXISTS effect_key ON effect (key)`

// record has senders and workers use an inbox, each in one process.
func record(t *testing.T, o sqlite.Options, deliveries int) *history {
	t.Helper()
	h := &history{
		disk: newDisk(t), joined: map[string][]int{}, stored: map[string]int{}, settled: map[string]int{},
		erased: map[string]int{}, tokens: map[uint64]int{}, marks: map[time.Time]int{},
	}
	in, err := sqlite.OpenOn(t.Context(), file(t), h.disk.name, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.DB().Exec(effects); err != nil {
		t.Fatal(err)
	}
	var senders, workers sync.WaitGroup
	var sent atomic.Bool
	for s := range 8 {
		senders.Go(func() { h.send(t, in, s, deliveries) })
	}
	for range 2 {
		workers.Go(func() { h.work(t, in, &sent) })
	}
	senders.Wait()
	sent.Store(true)
	workers.Wait()
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *history) send(t *testing.T, in *sqlite.Inbox, sender, deliveries int) {
	for i := range deliveries {
		e := webhook.Entry{Key: fmt.Sprintf("fact %d/%d", sender, i), Kind: webhook.KindFact, Window: time.Hour}
		switch i % 5 {
		case 0, 1:
			e.Key = fmt.Sprintf("signal %d/%d", sender, i%7)
			e.Kind, e.Settle = webhook.KindSignal, time.Hour
		case 2:
			e.Protected = i%15 == 2
		}
		e.Lane, e.StoreID = e.Key, 123
		e.Body = fmt.Appendf(nil, `{"email":"buyer%d-%d-@example.com","note":"%s"}`, sender, i, strings.Repeat("-", i*7%900))
		if _, err := in.Accept(t.Context(), e); err != nil {
			t.Errorf("Accept: %v", err)
			return
		}
		moment := h.disk.note()
		h.mu.Lock()
		if e.Kind == webhook.KindSignal {
			h.joined[e.Key] = append(h.joined[e.Key], moment)
		} else {
			h.stored[e.Key] = moment
		}
		h.mu.Unlock()
		if i%50 == 49 {
			mark := time.Unix(int64(i), int64(sender)).UTC()
			if err := in.SetMark(t.Context(), mark.String(), mark); err != nil {
				t.Errorf("SetMark: %v", err)
			}
			h.mu.Lock()
			h.marks[mark] = h.disk.note()
			h.mu.Unlock()
		}
	}
}

func (h *history) work(t *testing.T, in *sqlite.Inbox, sent *atomic.Bool) {
	for !t.Failed() {
		over := sent.Load()
		leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 3, Term: time.Hour})
		if err != nil {
			t.Errorf("Lease: %v", err)
		}
		moment := h.disk.note()
		for _, l := range leases {
			if err := in.Transact(t.Context(), func(tx *sql.Tx) error { return effect(t.Context(), in, tx, l) }); err != nil {
				t.Errorf("Transact: %v", err)
			}
			h.mu.Lock()
			h.tokens[l.Token] = moment
			h.settled[l.Key] = h.disk.note()
			if l.Protected {
				h.erased[string(l.Body[:bytes.IndexByte(l.Body, '@')])] = h.settled[l.Key]
			}
			h.mu.Unlock()
		}
		if len(leases) > 0 {
			continue
		}
		if over {
			return
		}
		if err := in.Wait(t.Context(), webhook.LeaseQuery{}, time.Second); err != nil {
			t.Errorf("Wait: %v", err)
		}
	}
}

func effect(ctx context.Context, in *sqlite.Inbox, tx *sql.Tx, l webhook.Lease) error {
	if _, err := tx.ExecContext(ctx, "INSERT INTO effect VALUES (?)", l.Key); err != nil {
		return err
	}
	_, err := in.CommitTx(ctx, tx, l)
	return err
}

// cuts cuts the power n times, evenly over the history, and returns what is wrong afterwards.
func (h *history) cuts(t *testing.T, n int) (lost []string) {
	t.Helper()
	r := choices(t, 0)
	moments := make([]int, n)
	for i := range moments {
		moments[i] = r.IntN(len(h.disk.ops) + 1)
	}
	slices.Sort(moments)
	t.Logf("%d writes and syncs, %d signals, %d facts, %d of them committed", len(h.disk.ops), len(h.joined), len(h.stored), len(h.settled))

	dir, work := t.TempDir(), make(chan int)
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range work {
				if err := h.verify(t.Context(), filepath.Join(dir, fmt.Sprint(i)), moments[i]); err != nil {
					mu.Lock()
					lost = append(lost, fmt.Sprintf("power cut %d of %d, at %d: %v", i, n, moments[i], err))
					mu.Unlock()
				}
			}
		})
	}
	disk, done := image{}, 0
	for i, moment := range moments {
		for ; done < moment; done++ {
			disk.do(h.disk.ops[done])
		}
		disk.cut(t, r, filepath.Join(dir, fmt.Sprint(i)))
		work <- i
	}
	close(work)
	all.Wait()
	return lost
}

// verify opens the files of a power cut at a moment and compares them with what was acknowledged before.
func (h *history) verify(ctx context.Context, path string, moment int) (err error) {
	defer func() {
		for _, name := range parts {
			_ = os.Remove(path + name) // not all of them are there
		}
	}()
	// What is written now need not survive.
	in, err := sqlite.Open(ctx, path, sqlite.Options{Sync: sqlite.Off, AllowLossy: true})
	if err != nil {
		return err
	}
	err = h.compare(ctx, in, moment)
	if err := errors.Join(err, in.Close()); err != nil {
		return err
	}
	var erased []string
	for address, at := range h.erased {
		if at <= moment {
			erased = append(erased, address)
		}
	}
	if found, err := held(path, erased...); found != "" || err != nil {
		return fmt.Errorf("%q was erased and is held: %v", found, err)
	}
	return nil
}

func (h *history) compare(ctx context.Context, in *sqlite.Inbox, moment int) error {
	var verdict string
	if err := in.DB().QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		return fmt.Errorf("integrity %q, %v", verdict, err)
	}
	if _, err := in.DB().ExecContext(ctx, effects); err != nil {
		return err
	}
	rows, err := in.DB().QueryContext(ctx, `SELECT key, state, generation, (SELECT count(*) FROM effect WHERE effect.key = inbox_entry.key) FROM inbox_entry`)
	if err != nil {
		return err
	}
	defer rows.Close()
	generations, left := map[string]int{}, maps.Clone(h.stored)
	for rows.Next() {
		var key, state string
		var gen, effects int
		if err := rows.Scan(&key, &state, &gen, &effects); err != nil {
			return err
		}
		generations[key] = gen
		delete(left, key)
		if at, committed := h.settled[key]; committed && at <= moment && state != "done" || effects > 1 || (effects == 1) != (state == "done") {
			return fmt.Errorf("%s is %s, with %d effects", key, state, effects)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for key, at := range left {
		if at <= moment {
			return fmt.Errorf("%s was acknowledged and is lost", key)
		}
	}
	for key, arrivals := range h.joined {
		if n, _ := slices.BinarySearch(arrivals, moment+1); generations[key] < n {
			return fmt.Errorf("%s arrived %d times and has generation %d", key, n, generations[key])
		}
	}
	var token uint64
	if err := in.DB().QueryRowContext(ctx, "SELECT token FROM inbox_state").Scan(&token); err != nil {
		return err
	}
	for given, at := range h.tokens {
		if at <= moment && given > token {
			return fmt.Errorf("token %d was given, and %d would be the next", given, token+1)
		}
	}
	for mark, at := range h.marks {
		if kept, err := in.Mark(ctx, mark.String()); at <= moment && (err != nil || !kept.Equal(mark)) {
			return fmt.Errorf("the mark %v is %v, %v", mark, kept, err)
		}
	}
	return nil
}

// parts are the ends of the names of the files of an inbox.
var parts = []string{"", "-wal", "-shm", "-journal"}

// held returns the first of some texts that a file of an inbox holds, or "".
func held(path string, texts ...string) (string, error) {
	for _, part := range parts {
		content, err := os.ReadFile(path + part)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
		for _, text := range texts {
			if bytes.Contains(content, []byte(text)) {
				return text, nil
			}
		}
	}
	return "", nil
}
