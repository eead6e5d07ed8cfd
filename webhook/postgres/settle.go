package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/commerceplatform/commerce-go/webhook"
)

const settleSQL = `SELECT o_again, o_settled, o_more FROM inbox.settle($1, $2, $3, $4, $5, $6, $7, $8, $9)`

// lostCode is the error of settle if a lease of the group does not hold.
const lostCode = "WHL01"

// end is the new state of an entry, by the names of the function settle.
type end string

const (
	endCommit  end = "commit"
	endFail    end = "fail"
	endDead    end = "dead"
	endRelease end = "release"
	endWait    end = "wait"
	endDrop    end = "drop"
)

// settlement is a Commit or a Fail in progress.
type settlement struct {
	ctx   context.Context
	what  string // for errors
	lease webhook.Lease
	end   end
	delay int64 // microseconds
	cause string

	done  chan struct{} // closed when the fields below are set
	again bool
	err   error
}

func (s *settlement) context() context.Context { return s.ctx }

func (s *settlement) refuse(err error) {
	s.err = failed(s.what, err)
	close(s.done)
}

func (s *settlement) size() (entries, bytes int) { return 1, len(s.cause) }

// settle ends a lease together with others that end at about the same time.
func (in *Inbox) settle(s *settlement) (again bool, err error) {
	if err := s.ctx.Err(); err != nil {
		return false, failed(s.what, err)
	}
	s.done = make(chan struct{})
	in.settlements.add(s)
	select {
	case <-s.done:
		return s.again, s.err
	case <-s.ctx.Done():
		return false, failed(s.what, s.ctx.Err())
	case <-in.ctx.Done():
		return false, failed(s.what, errClosed)
	}
}

// writeSettlements ends the leases of a group in one transaction. It does not wait until that is on disk. After a crash
// of the server the entries are run again, as after a crash of the worker.
func (in *Inbox) writeSettlements(ctx context.Context, group []*settlement, lockTime string) error {
	var again, settled []bool
	var more bool
	group = ordered(group)
	err := in.transact(ctx, func(b *pgx.Batch) {
		b.Queue(plannedSettings, "off", lockTime)
		b.Queue(in.sql.settle, in.settleArguments(group)...).QueryRow(func(row pgx.Row) error {
			return row.Scan(&again, &settled, &more)
		})
	})
	if lost(err) && len(group) == 1 {
		group[0].err = webhook.ErrLeaseLost
		close(group[0].done)
		return nil
	}
	if err != nil {
		return err
	}
	died := 0
	for i, s := range group {
		s.again = again[i]
		if s.end == endCommit {
			in.handled.Add(1)
		}
		if settled[i] {
			in.room.settled.Add(1)
		}
		if settled[i] && s.end == endDead {
			died++
		}
		close(s.done)
	}
	in.bury(died)
	if more {
		in.changed()
	}
	return nil
}

// ordered returns a group in the order of its keys, as their entries are locked.
func ordered(group []*settlement) []*settlement {
	return slices.SortedFunc(slices.Values(group), func(a, b *settlement) int { return strings.Compare(a.lease.Key, b.lease.Key) })
}

func (in *Inbox) settleArguments(group []*settlement) []any {
	n := len(group)
	keys, lanes, order := make([]string, n), make([]string, n), make([]int32, n)
	tokens, generations := make([]int64, n), make([]int64, n)
	ends, delays, causes := make([]string, n), make([]int64, n), make([]string, n)
	for i, s := range group {
		keys[i], lanes[i], order[i] = s.lease.Key, s.lease.Lane, int32(i+1)
		tokens[i], generations[i] = int64(s.lease.Token), int64(s.lease.Gen)
		ends[i], delays[i], causes[i] = string(s.end), s.delay, s.cause
	}
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(lanes[a-1], lanes[b-1]) })
	return []any{in.options.Queue, keys, lanes, order, tokens, generations, ends, delays, causes}
}

// lost reports whether a lease of a group does not hold.
func lost(err error) bool {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	return ok && refused.Code == lostCode
}
