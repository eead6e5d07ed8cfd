package client

import (
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// dated lets a platform tell the time by a clock of its own.
type dated struct {
	http.RoundTripper
	ahead time.Duration
}

func (d dated) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := d.RoundTripper.RoundTrip(r)
	if err == nil {
		resp.Header.Set("Date", time.Now().Add(d.ahead).UTC().Format(http.TimeFormat))
	}
	return resp, err
}

// TestUpdatedSinceLosesNoChange: whatever the clock of this machine says.
func TestUpdatedSinceLosesNoChange(t *testing.T) {
	for _, ahead := range []time.Duration{0, time.Hour, -time.Hour, 24 * time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := fakeOrders(12_000, 1)
				for i := range s.orders { // their times are the platform's
					s.orders[i].updated = s.orders[i].updated.Add(ahead)
				}
				orders := (*OrderService)(atVersion(newTest(t, dated{s, ahead}), VersionV1))
				stored := make(map[ID]bool)
				var mark time.Time
				pull := func(during func(ID)) int {
					n := 0
					sync := orders.UpdatedSince(OrderFilter{}, mark)
					for o, err := range sync.All(t.Context()) {
						if err != nil {
							t.Fatal(err)
						}
						n++
						stored[o.ID] = true
						during(o.ID)
					}
					mark = sync.Mark()
					return n
				}
				touched := false
				pull(func(id ID) {
					time.Sleep(time.Second) // the run takes hours
					if id == 6000 && !touched {
						touched = true
						s.orders[9].updated = time.Now().Add(ahead) // an order that was read already
					}
				})
				if len(stored) != 12_000 {
					t.Errorf("%d orders stored, want all", len(stored))
				}
				clear(stored)
				most := 2
				if ahead > time.Hour {
					most = 12_000 // nothing confirms such a Date, so the mark stays at this machine's clock
				}
				if n := pull(func(ID) {}); n > most || !stored[10] {
					t.Errorf("%d orders changed, the one that changed during the first run: %v", n, stored[10])
				}
			})
		})
	}
}

func TestUpdatedSinceAsks(t *testing.T) {
	mark := time.Date(2024, 5, 8, 10, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		mark time.Time
		f    ProductFilter
		want string
	}{
		{time.Time{}, ProductFilter{}, "per_page=200&since_id=0"},
		{mark, ProductFilter{}, "per_page=200&since_id=0&updated_at_min=2024-05-08T09%3A55%3A00Z"},
		{mark, ProductFilter{SinceID: 7, Query: "mug"}, "per_page=200&q=mug&since_id=7&updated_at_min=2024-05-08T09%3A55%3A00Z"},
		{time.Time{}, ProductFilter{Window: Window{UpdatedMin: mark}}, "per_page=200&since_id=0"},
	} {
		v, seen := answering(t, VersionV1, `[]`)
		sync := (*ProductService)(v).List(test.f).UpdatedSince(test.mark)
		for _, err := range sync.All(t.Context()) {
			t.Error(err)
		}
		if len(*seen) != 1 || (*seen)[0].query != test.want {
			t.Errorf("asked %v, want %s", *seen, test.want)
		}
	}
}

// TestMark: it moves to the platform's time of the first answer, and only when everything was read.
func TestMark(t *testing.T) {
	mark := time.Date(2024, 5, 8, 10, 0, 0, 0, time.UTC)
	const date = "Wed, 08 May 2024 11:00:00 GMT"
	at := mark.Add(time.Hour)
	full := slices.Repeat([]string{`{"id":1}`}, 3)
	for name, c := range map[string]struct {
		answers []func(*http.Request) (*http.Response, error)
		stop    bool // after the first record
		want    time.Time
	}{
		"read to the end": {[]func(*http.Request) (*http.Response, error){hostile.Status(200, `[{"id":1}]`, "Date", date, "X-Total-Count", "1")}, false, at},
		"empty":           {[]func(*http.Request) (*http.Response, error){hostile.Status(200, `[]`, "Date", date)}, false, at},
		"empty by 404":    {[]func(*http.Request) (*http.Response, error){hostile.Status(404, `{"code":404,"message":"Not Found","description":"Last page is 0"}`, "Date", date)}, false, at},
		"no date":         {[]func(*http.Request) (*http.Response, error){hostile.Status(200, `[{"id":1}]`)}, false, mark},
		"no date, but a change": {[]func(*http.Request) (*http.Response, error){
			hostile.Status(200, `[{"id":1,"updated_at":"2024-05-08T10:30:00+0000"},{"id":2,"updated_at":"2024-05-08T10:20:00+0000"}]`, "Link", `<https://api.example/levels?page=2>; rel="next"`),
			hostile.Status(200, `[{"id":3,"updated_at":"2024-05-08T10:50:00+0000"}]`),
		}, false, mark.Add(30 * time.Minute)},
		"no date that is":   {[]func(*http.Request) (*http.Response, error){hostile.Status(200, `[{"id":1}]`, "Date", "yesterday")}, false, mark},
		"earlier":           {[]func(*http.Request) (*http.Response, error){hostile.Status(200, `[{"id":1}]`, "Date", "Wed, 08 May 2024 09:00:00 GMT")}, false, mark},
		"broken off":        {[]func(*http.Request) (*http.Response, error){hostile.Status(200, `[{"id":1}]`, "Date", date)}, true, mark},
		"one is unreadable": {[]func(*http.Request) (*http.Response, error){hostile.Status(200, `[{"id":"x"},{"id":1}]`, "Date", date)}, false, mark},
		"fails later": {[]func(*http.Request) (*http.Response, error){
			hostile.Status(200, `[`+full[0]+`]`, "Date", date, "Link", `<https://api.example/levels?page=2>; rel="next"`), hostile.Status(400, `{}`, "Date", date),
		}, false, mark},
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			v := view(t, VersionV1, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
				n++
				return c.answers[min(n, len(c.answers))-1](r)
			}))
			sync := List[number](engine.List(v, engine.ListSpec{Path: "/levels"})).UpdatedSince(mark)
			if sync.Mark() != mark {
				t.Errorf("got mark %v before anything was read, want %v", sync.Mark(), mark)
			}
			for range sync.All(t.Context()) {
				if c.stop {
					break
				}
			}
			if got := sync.Mark(); !got.Equal(c.want) {
				t.Errorf("got mark %v, want %v", got, c.want)
			}
		})
	}
}
