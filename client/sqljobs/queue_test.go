package sqljobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// The tests with databases are in internal/proof/statetest.

func do(context.Context, *Batch) error { return nil }

func TestCheck(t *testing.T) {
	for want, q := range map[string]*Queue{
		`Queue.Name "": must be 1`:                   {Do: do},
		`Queue.Name "a\x00": must be 1`:              {Name: "a\x00", Do: do},
		"Queue.Do: must be set":                      {Name: "a"},
		"Queue.Batch 501: must be 0 to 500":          {Name: "a", Do: do, Batch: 501},
		"Limit, Every and Keep: must be 0 or more":   {Name: "a", Do: do, Keep: -1},
		"no DB: set the database that has the table": {Name: "a", Do: do},
	} {
		for _, err := range []error{q.Run(t.Context()), q.RunOnce(t.Context()), q.Forget(t.Context(), 1)} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
		}
	}
}

func TestItemsAreValid(t *testing.T) {
	good := Item{Key: "1", Value: strings.Repeat("x", mostValue)}
	if err := valid(1, "sale", []Item{good}); err != nil {
		t.Error(err)
	}
	for name, err := range map[string]error{
		"no store":  valid(0, "sale", nil),
		"no job":    valid(1, "", nil),
		"long job":  valid(1, strings.Repeat("x", mostKey+1), nil),
		"no key":    valid(1, "sale", []Item{good, {}}),
		"zero byte": valid(1, "sale", []Item{{Key: "1", Value: "\x00"}}),
		"too large": valid(1, "sale", []Item{{Key: "1", Value: good.Value + "x"}}),
	} {
		if !errors.Is(err, client.ErrValidation) {
			t.Errorf("%s: %v, want ErrValidation", name, err)
		}
	}
}

func TestPauses(t *testing.T) {
	for _, test := range []struct {
		err  error
		n    int
		want time.Duration
	}{
		{sql.ErrConnDone, 0, 30 * time.Second},
		{sql.ErrConnDone, 2, 2 * time.Minute},
		{sql.ErrConnDone, 1000, 30 * time.Minute},
		{fmt.Errorf("item: %w", &client.Error{Status: 429, RetryAfter: 3 * time.Second}), 5, 3 * time.Second},
		{&client.Error{Status: 429, RetryAfter: 24 * time.Hour}, 0, mostPause},
		{&client.Error{Status: 503, RetryAfter: 3 * time.Second}, 0, 30 * time.Second},
		{&client.Error{Status: 503, RetryAfter: 10 * time.Minute}, 0, 10 * time.Minute},
	} {
		if got := pause(test.err, test.n); got != test.want {
			t.Errorf("pause after %v, %d: %v, want %v", test.err, test.n, got, test.want)
		}
	}
}
