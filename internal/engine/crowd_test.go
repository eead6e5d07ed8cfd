package engine

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jarcoal/httpmock"

	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// platformBucket is the platform's bucket for one store, as several processes see it. It is written from the contract.
type platformBucket struct {
	mu             sync.Mutex
	random         *rand.Rand
	size           float64
	level          float64
	at             time.Time
	wasted         float64 // requests that the empty bucket could have drained
	began          time.Time
	until          time.Time // nothing counts after it
	silent         bool      // its answers have no headers
	steps          bool      // it looks at its clock once a second
	sent, denied   int
	served, recent map[int]int // by process; recent: in the last third
}

func newPlatformBucket(t *testing.T, lasting time.Duration) *platformBucket {
	seed := *seedFlag
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-engine.seed=%d", seed)
	now := time.Now()
	return &platformBucket{random: rand.New(rand.NewPCG(seed, 1)), size: 40, at: now, began: now, until: now.Add(lasting), served: map[int]int{}, recent: map[int]int{}}
}

var seedFlag = flag.Uint64("engine.seed", 0, "the seed of random latencies, to repeat them; 0 is another one each time")

// way returns how long a request is on its way, or an answer.
func (b *platformBucket) way() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return 25*time.Millisecond + time.Duration(b.random.Int64N(int64(75*time.Millisecond)))
}

// drain brings the level up to date.
func (b *platformBucket) drain() {
	now := time.Now()
	if now.After(b.until) {
		now = b.until // the calls that are under way then find room
		defer func() { b.level = 0 }()
	}
	if b.steps {
		now = b.began.Add(now.Sub(b.began).Truncate(time.Second))
	}
	drained := now.Sub(b.at).Seconds() * b.size / 20
	b.wasted += max(0, drained-b.level)
	b.level, b.at = max(0, b.level-drained), now
}

// resize changes the plan of the store.
func (b *platformBucket) resize(size float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drain()
	b.size, b.level = size, min(size, b.level)
}

// take counts a request of a process and answers it.
func (b *platformBucket) take(process int) *http.Response {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drain()
	counts, code := time.Now().Before(b.until), http.StatusOK
	if counts {
		b.sent++
	}
	switch {
	case b.level+1 > b.size+1e-6:
		code = http.StatusTooManyRequests
		if counts {
			b.denied++
		}
	default:
		b.level++
		if counts {
			b.served[process]++
		}
		if counts && time.Since(b.began) > b.until.Sub(b.began)*2/3 {
			b.recent[process]++
		}
	}
	resp := httpmock.NewStringResponse(code, `{}`)
	if b.silent {
		return resp
	}
	resp.Header.Set("x-rate-limit-limit", fmt.Sprint(b.size))
	resp.Header.Set("x-rate-limit-remaining", fmt.Sprint(int(b.size-b.level+1e-6)))
	resp.Header.Set("x-rate-limit-reset", fmt.Sprint(int(b.level/b.size*20_000)))
	return resp
}

// reached is how one process reaches the platform.
func (b *platformBucket) reached(process int, slow bool) http.RoundTripper {
	return hostile.RoundTripper(func(*http.Request) (*http.Response, error) {
		if !slow {
			time.Sleep(time.Nanosecond) // so that the processes take turns
			return b.take(process), nil
		}
		way := b.way()
		time.Sleep(way)
		resp := b.take(process)
		time.Sleep(way)
		return resp, nil
	})
}

// crowd is a number of processes that all have more to ask for than the platform allows.
type crowd struct {
	story string // cold: all start at once; join, crowd, leave, plan: what happens meanwhile; blind: no headers; steps: the bucket drains
	// once a second
	processes, workers int
	slow               bool // answers take 50 to 200 ms
	lasting            time.Duration
}

func (c crowd) String() string {
	latency := "none"
	if c.slow {
		latency = "50-200ms"
	}
	return fmt.Sprintf("%-5s %2d processes of %d, latency %-8s %2.0f min", c.story, c.processes, c.workers, latency, c.lasting.Minutes())
}

// outcome is what became of a crowd. Shares are of what a fair share would be.
type outcome struct {
	failed                            int
	denied, used                      float64
	least, most, leastLate, mostLater float64
}

func (c crowd) run(t *testing.T) (o outcome) {
	t.Helper()
	b := newPlatformBucket(t, c.lasting)
	b.silent, b.steps = c.story == "blind", c.story == "steps"
	var all sync.WaitGroup
	var failed, stays sync.Map
	join := func(process int, end time.Time) {
		client := newTest(t, b.reached(process, c.slow), func(config *Config) {
			if c.workers > 1 {
				config.MaxWait = time.Duration(c.workers) * 30 * time.Second
			}
		})
		if end.Equal(b.until) {
			stays.Store(process, true)
		}
		for worker := range c.workers {
			all.Go(func() {
				for call := 0; time.Now().Before(end); call++ {
					if err := client.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
						failed.Store(fmt.Sprint(process, worker, call), err)
						time.Sleep(time.Second)
					}
				}
			})
		}
	}
	drains := c.lasting.Seconds() * 2
	for process := range c.processes {
		if c.story == "crowd" && process > 0 {
			break
		}
		end := b.until
		if c.story == "leave" && process == 0 {
			end = b.began.Add(c.lasting / 3)
		}
		join(process, end)
	}
	synctest.Wait()
	switch c.story {
	case "join":
		time.Sleep(c.lasting / 3)
		join(c.processes, b.until)
	case "crowd": // one has filled the bucket when the others come
		time.Sleep(time.Minute)
		for process := range c.processes - 1 {
			join(process+1, b.until)
		}
	case "plan":
		drains *= (2 + 10) / 3.0
		time.Sleep(c.lasting / 3)
		b.resize(400)
		time.Sleep(c.lasting / 3)
		b.resize(40)
	}
	all.Wait()
	b.drain()
	failed.Range(func(_, err any) bool {
		if o.failed++; o.failed == 1 {
			t.Logf("first failure of %v: %v", c, err)
		}
		return true
	})
	o.denied, o.used = float64(b.denied)/float64(b.sent), 1-b.wasted/drains
	whole := b.served
	if c.story == "join" || c.story == "leave" {
		whole = b.recent // no fair share is known of those who came late or left
	}
	o.least, o.most = shares(whole, &stays)
	o.leastLate, o.mostLater = shares(b.recent, &stays)
	return o
}

// shares returns the least and the greatest share of those who stay, of what would be fair.
func shares(served map[int]int, stays *sync.Map) (least, most float64) {
	sum, n := 0, 0
	stays.Range(func(process, _ any) bool {
		sum, n = sum+served[process.(int)], n+1
		return true
	})
	least = 1e9
	stays.Range(func(process, _ any) bool {
		share := float64(served[process.(int)]) * float64(n) / float64(sum)
		least, most = min(least, share), max(most, share)
		return true
	})
	return least, most
}

// Processes that share a bucket and know nothing of each other get the same share of it, and hardly ever a 429. Two of
// them once failed 29 % of their calls.
func TestProofProcessesShareTheBucket(t *testing.T) {
	numbers := []int{1, 2, 4, 8, 16}
	var crowds []crowd
	for _, n := range tier.Size([]int{1, 2, 16}, numbers, numbers) {
		for _, slow := range []bool{false, true} {
			for _, workers := range []int{1, 4} {
				crowds = append(crowds, crowd{"cold", n, workers, slow, 5 * time.Minute})
			}
			crowds = append(crowds, crowd{"join", n, 1, slow, 5 * time.Minute}, crowd{"plan", n, 4, slow, 5 * time.Minute})
			if n > 1 {
				crowds = append(crowds, crowd{"leave", n, 1, slow, 5 * time.Minute})
			}
		}
		crowds = append(crowds, crowd{"cold", n, 1, true, 20 * time.Minute}, crowd{"crowd", n, 1, true, 20 * time.Minute}, crowd{"steps", n, 2, true, 20 * time.Minute})
	}
	var table strings.Builder
	for _, c := range crowds {
		t.Run(c.String(), func(t *testing.T) {
			var o outcome
			synctest.Test(t, func(t *testing.T) { o = c.run(t) })
			fmt.Fprintf(&table, "%v: %3d failed, %5.2f %% denied, %6.2f %% of the drain used, shares %.2f to %.2f, in the end %.2f to %.2f\n",
				c, o.failed, 100*o.denied, 100*o.used, o.least, o.most, o.leastLate, o.mostLater)
			if o.failed > 0 || o.denied > 0.02 || o.used < 0.98 || o.least < 0.5 || o.leastLate < 0.5 {
				t.Errorf("%v: %d failed, %.2f %% denied, %.2f %% of the drain used, least share %.2f, in the end %.2f; want none, at most 2 %%, at least 98 %%, and half",
					c, o.failed, 100*o.denied, 100*o.used, o.least, o.leastLate)
			}
		})
	}
	t.Logf("\n%s", table.String())
}
