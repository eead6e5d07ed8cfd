package tables

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// Claim is the right of one call to work on something for which a table has a row. The row has the columns holder
// (empty if it is free), taken, until and term. The times are by the clock of the database, in microseconds of Unix
// time. A claim ends at until unless it is renewed. It has also ended if the clock was set back by more than a term, so
// that nobody waits for it longer than for two terms.
type Claim struct {
	Tables Tables
	Table  string   // such as commerce_claim
	Key    []string // columns that identify the row
	Values []any    // of these columns
	Term   time.Duration
	Holder string // see Holder
}

// ErrLost is the cause of a context whose claim was not renewed in time.
var ErrLost = errors.New("the claim was not renewed in time: another process may work")

// releaseTime limits the end of a claim. If it is exceeded, the claim ends after its term.
const releaseTime = 5 * time.Second

// Holder returns a value of the column holder by which a person finds the process. Id is unique among its calls; empty
// means a random one.
func Holder(id string) string {
	host, _ := os.Hostname() // a claim works without it
	return fmt.Sprintf("%s/%d/%s", host, os.Getpid(), cmp.Or(id, rand.Text()))
}

// Take claims the row, and reports whether it did. It does not if another claim lasts.
func (c Claim) Take(ctx context.Context) (bool, error) {
	now, err := Clock(ctx, c.Tables.DB)
	if err != nil {
		return false, err
	}
	return c.update(ctx, `until = $1, term = $2, holder = $3, taken = $4
WHERE (holder = '' OR holder = $3 OR until <= $4 OR until - 2 * term > $4)`,
		now.Add(c.Term).UnixMicro(), c.Term.Microseconds(), c.Holder, now.UnixMicro())
}

// Renew makes the claim end later, and reports whether it lasts.
func (c Claim) Renew(ctx context.Context) (bool, error) {
	return c.extend(ctx, "until = $1, term = $2 WHERE holder = $3")
}

// Rest ends the claim, and sets until. Others may claim the row at once.
func (c Claim) Rest(ctx context.Context) (bool, error) {
	return c.extend(ctx, "until = $1, term = $2, holder = '' WHERE holder = $3")
}

func (c Claim) extend(ctx context.Context, change string) (bool, error) {
	now, err := Clock(ctx, c.Tables.DB)
	if err != nil {
		return false, err
	}
	return c.update(ctx, change, now.Add(c.Term).UnixMicro(), c.Term.Microseconds(), c.Holder)
}

func (c Claim) update(ctx context.Context, change string, args ...any) (bool, error) {
	statement := "UPDATE " + c.Table + " SET " + change + c.of(len(args))
	n, err := c.Tables.Exec(ctx, c.Tables.DB, statement, append(args, c.Values...)...)
	return n > 0, err
}

// of returns the condition of the row, after n other values.
func (c Claim) of(n int) string {
	var all strings.Builder
	for i, column := range c.Key {
		fmt.Fprintf(&all, " AND %s = $%d", column, n+i+1)
	}
	return all.String()
}

// Hold renews a claim that was made at start, four times in each term. The returned context ends with ErrLost if the
// claim is lost. The function ends the claim, unless ended returns true.
func (c Claim) Hold(ctx context.Context, start time.Time, ended func() bool) (context.Context, func()) {
	work, end := context.WithCancelCause(ctx)
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		renew(work, start, c.Term, c.Renew, func() { end(ErrLost) })
	}()
	return work, func() {
		end(nil)
		<-renewed
		if ended() {
			return
		}
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
		defer stop()
		_, _ = c.Rest(ctx)
	}
}

// Who describes who holds the row.
func (c Claim) Who(ctx context.Context, db DB) (string, error) {
	statement := c.Tables.SQL("SELECT holder, taken, until FROM " + c.Table + " WHERE holder <> ''" + c.of(0))
	who, ok, err := One(ctx, db, statement, c.Values, readHolder)
	if err == nil && !ok {
		return "nobody by now", nil
	}
	return who, err
}

func readHolder(scan Scan) (who string, err error) {
	var taken, until int64
	if err := scan(&who, &taken, &until); err != nil {
		return "", err
	}
	text := func(micro int64) string { return time.UnixMicro(micro).UTC().Format(time.RFC3339) }
	return fmt.Sprintf("%s since %s, until %s unless renewed", who, text(taken), text(until)), nil
}
