package statetest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// Role is the role of children of the test binary. Child returns what they do.
const Role = "state"

const settingsVariable = "STATE_SETTINGS"

// settings is what a child must know.
type settings struct {
	Row, Address, Outside string
	Shop                  Shop
	First                 int // act
}

// Child does acts one after the other until it is killed, and prints the number of each that was confirmed.
func Child(e Engine) func() error {
	return func() error {
		var s settings
		if err := json.Unmarshal([]byte(os.Getenv(settingsVariable)), &s); err != nil {
			return err
		}
		db, err := e.Connect(s.Address)
		if err != nil {
			return err
		}
		out, err := e.Connect(s.Outside)
		if err != nil {
			return err
		}
		w := &World{
			Engine: e, Address: s.Address, out: out, Shop: s.Shop, lease: lease,
			hook: new(atomic.Value), during: new(atomic.Value), dead: new(atomic.Bool), processes: new(sync.WaitGroup),
		}
		all := rows()
		f := all[slices.IndexFunc(all, func(r Row) bool { return r.Name == s.Row })].Open(w, db)
		for n := s.First; ; n++ {
			if err := f.Act(context.Background(), n); err != nil {
				return fmt.Errorf("act %d: %w", n, err)
			}
			fmt.Println(n)
		}
	}
}

// processes kills processes (kill -9) in the middle of their acts. The next one begins with the act that was not
// confirmed.
func processes(t *testing.T, w *World, row Row) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	s := settings{Row: row.Name, Address: w.Address, Outside: w.outside, Shop: w.Shop}
	for range tier.Size(2, 12, 100) {
		c := proctest.Start(t, Role, settingsVariable+"="+string(must(json.Marshal(s))))
		for range 1 + rng.IntN(8) {
			s.First = must(strconv.Atoi(c.Line(t))) + 1
		}
		timer := time.NewTimer(time.Duration(rng.IntN(3000)) * time.Microsecond) // any moment of the next act
		<-timer.C
		c.Kill(t)
		if w.Ended != nil {
			w.Ended(t, w.Address)
		}
		w.expire(t, row)
		f := w.process(t, row)
		if _, err := f.Has(t.Context(), s.First); err != nil {
			t.Errorf("act %d: %v", s.First, err)
		}
		shows(t, f, s.First-1)
	}
	f := w.process(t, row)
	w.continues(t, f, s.First, s.First+1)
	for n := range s.First {
		shows(t, f, n)
	}
}
