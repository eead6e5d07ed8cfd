package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// TestMarkIsConfirmed: a Date that was a day ahead once ended a sync, because the mark was later than all changes to
// come.
func TestMarkIsConfirmed(t *testing.T) {
	const h = time.Hour
	for _, test := range []struct {
		name    string
		mark    time.Duration   // from this machine's clock; 0 is none
		date    time.Duration   // from this machine's clock; 0 is none
		changes []time.Duration // of the first page
		want    time.Duration   // 0 is the old mark
		drift   bool
		mistake bool
	}{
		{"right", -3 * h, -time.Second, []time.Duration{-2 * h}, -time.Second, false, false},
		{"a day ahead", -3 * h, 24 * h, []time.Duration{-2 * h}, time.Nanosecond, true, false},
		{"a day ahead, first run", 0, 24 * h, []time.Duration{-2 * h}, time.Nanosecond, true, false},
		{"a day ahead, nothing changed", -3 * h, 24 * h, nil, time.Nanosecond, true, false},
		{"half an hour ahead", -3 * h, h / 2, []time.Duration{-2 * h}, time.Nanosecond, false, false},
		{"ahead, as the changes are", -3 * h, 24 * h, []time.Duration{24*h - time.Minute}, 24 * h, false, false},
		{"ahead, as the mark is", 23*h + h/2, 24 * h, nil, 24 * h, false, false},
		{"ahead of changes that are ahead", -3 * h, 48 * h, []time.Duration{24 * h}, 24 * h, true, false},
		{"a change in the future", -3 * h, -time.Second, []time.Duration{-2 * h, 24 * h}, -time.Second, false, false},
		{"a change in the far future, and a Date ahead", -3 * h, 24 * h, []time.Duration{-2 * h, 900 * h}, time.Nanosecond, true, false},
		{"in the past", -3 * h, -24 * h, []time.Duration{-2 * h}, 0, false, false},
		{"none", -3 * h, 0, []time.Duration{-2 * h, -h}, -h, false, false},
		{"none, and a change in the future", -3 * h, 0, []time.Duration{-2 * h, 24 * h}, -2 * h, false, false},
		{"none, and no change", -3 * h, 0, nil, 0, false, false},
		{"behind a mark that is ahead", 24 * h, -time.Second, nil, 0, false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				here := time.Now()
				var items []string
				for i, change := range test.changes {
					items = append(items, fmt.Sprintf(`{"id":%d,"updated_at":%q}`, i+1, here.Add(change).UTC().Format(time.RFC3339)))
				}
				headers := []string{"X-Total-Count", fmt.Sprint(len(items))}
				if test.date != 0 {
					headers = append(headers, "Date", here.Add(test.date).UTC().Format(http.TimeFormat))
				}
				drifted := 0
				c := newTest(t, hostile.Answers(hostile.Status(200, "["+strings.Join(items, ",")+"]", headers...)), func(c *Config) {
					c.OnDrift = func(_ context.Context, d Drift) {
						if d.Path == "Date" {
							drifted++
						}
					}
				})
				var mark time.Time
				if test.mark != 0 {
					mark = here.Add(test.mark)
				}
				sync := List[marked](engine.List(atVersion(c, VersionV1), engine.ListSpec{Path: "/numbers", SinceID: true})).UpdatedSince(mark)
				var failed error
				for _, err := range sync.All(t.Context()) {
					failed = err
				}
				want := mark
				if test.want != 0 {
					want = here.Add(test.want).Truncate(time.Second)
				}
				if !sync.Mark().Equal(want) || (drifted == 1) != test.drift || errors.Is(failed, ErrValidation) != test.mistake {
					t.Errorf("got mark %v, %d reports, %v; want %v, a report: %v, an error: %v", sync.Mark().Sub(here), drifted, failed, want.Sub(here), test.drift, test.mistake)
				}
			})
		})
	}
}
