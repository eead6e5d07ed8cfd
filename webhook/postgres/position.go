package postgres

import (
	"sync"
	"time"
)

// positionSQL returns the earliest turn and the earliest due time of all lanes, including leased ones, but no time
// after $2 microseconds ago. So it misses no lane of a transaction that takes less than that. Both are NULL while the
// table has few dead versions: scans then begin at the beginning.
//
// It reads the whole table, which has fewer pages than an index has dead entries.
const positionSQL = `
SELECT least(min(l.turn), s.latest), least(min(least(l.due, l.turn)), s.latest)
FROM (SELECT statement_timestamp() - $2 * interval '1 microsecond' AS latest
	WHERE pg_stat_get_dead_tuples('inbox.lane'::regclass) >= $3) s LEFT JOIN inbox.lane l ON l.queue || '' = $1
GROUP BY s.latest`

const (
	// positionMargin is how long a transaction that writes lanes may take, or marginShare as long as the last
	// determination if that is more. The lanes of a longer one are found when the position is next determined.
	positionMargin = 100 * time.Millisecond
	marginShare    = 4
	// manyDead is the number of dead versions from which a position is determined.
	manyDead = 5000
	// positionEvery is the least time between two determinations while there are more. Otherwise it is
	// lookThroughEvery.
	positionEvery = 100 * time.Millisecond
	// backgroundShare is the time from a scan of all lanes to the next, as a multiple of how long the scan took.
	backgroundShare = 20
)

// position is where scans of lanes begin. Every call gives a lane times that are not before its earlier ones, or not
// before now. So nothing gets in front of a position, except by a transaction that commits late or a clock that is set
// back. Such a lane is found when the position is next determined.
type position struct {
	mu        sync.Mutex
	turn, due *time.Time // nil: at the beginning
	next      time.Time  // when the position is determined again
	locating  bool       // it is being determined
	took      time.Duration
}

// from returns where scans begin, and has the position determined again if that is due.
func (in *Inbox) from() (turn, due *time.Time) {
	p := &in.position
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.locating && !time.Now().Before(p.next) && in.ctx.Err() == nil {
		p.locating = true
		margin := max(positionMargin, marginShare*p.took)
		in.running.Go(func() { in.locate(margin) })
	}
	return p.turn, p.due
}

// locate determines the position.
func (in *Inbox) locate(margin time.Duration) {
	ctx, cancel := bounded(in.ctx)
	defer cancel()
	var turn, due *time.Time
	began := time.Now()
	err := in.read(ctx, []any{&turn, &due}, in.sql.position, in.options.Queue, margin.Microseconds(), manyDead)
	if err != nil { // or there are few dead versions
		turn, due = nil, nil
	}
	p := &in.position
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turn, p.due, p.took, p.locating = turn, due, time.Since(began), false
	every := positionEvery
	if turn == nil {
		every = lookThroughEvery
	}
	p.next = time.Now().Add(max(every, backgroundShare*p.took))
}
