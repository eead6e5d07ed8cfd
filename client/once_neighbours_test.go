package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// neighbours is a platform with an order, whose create applies one with a lower id and loses its answer. The list has
// an order that cannot be read.
func neighbours(lands bool) hostile.RoundTripper {
	const broken, before = `{"id":8,"products":"many"}`, `{"id":9,"note":"other"}`
	all := []string{broken, before}
	return func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodPost {
			if lands {
				all = append([]string{`{"id":5,"note":"import 7"}`}, all...)
			}
			return nil, io.ErrUnexpectedEOF
		}
		var shown []string
		for _, item := range all {
			var id, since int
			_, _ = fmt.Sscanf(item, `{"id":%d`, &id)
			if _, _ = fmt.Sscan(r.URL.Query().Get("since_id"), &since); id > since {
				shown = append(shown, item)
			}
		}
		return hostile.Status(200, "["+strings.Join(shown, ",")+"]", "Date", time.Now().UTC().Format(http.TimeFormat))(r)
	}
}

// ordersOnce creates orders on a platform.
func ordersOnce(
	t *testing.T, platform http.RoundTripper, journal client.Journal[client.Order],
) (*client.Client, client.Once[client.Order]) {
	t.Helper()
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 7, Token: client.StaticToken("t"),
		UserAgent: "Test (test@app.example)", HTTPClient: &http.Client{Transport: platform},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c, client.Once[client.Order]{
		Journal: journal,
		Among: func(since time.Time) client.List[client.Order] {
			return v202503.Orders(c).List(client.OrderFilter{Window: client.Window{CreatedMin: since}})
		},
		Match: func(o *client.Order, key string) bool { return o.Note == key },
	}
}

// A record with a lower id than those before it was not found, nor any record next to one that cannot be read: a second
// order was then made of one.
func TestOnceFindsItsRecordAmongOthers(t *testing.T) {
	for _, lands := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			c, once := ordersOnce(t, neighbours(lands), ended[client.Order]{})
			order, err := once.Create(t.Context(), "import 7", func(ctx context.Context) (*client.Order, error) {
				return v202503.Orders(c).Create(ctx, bought(1))
			})
			switch {
			case lands && (err != nil || order.ID != 5):
				t.Errorf("got %+v, %v; want order 5", order, err)
			case !lands && (!errors.Is(err, client.ErrUnreadableItem) || errors.Is(err, client.ErrProbablyNotCreated)):
				t.Errorf("%v, want the order that cannot be read, which may be the one", err)
			}
		})
	}
}

// emptied is a journal that has lost all intents.
type emptied struct{ ended[client.Order] }

func (emptied) Lost(context.Context) (since time.Time, lost bool, err error) { return since, true, nil }

func (emptied) Made(context.Context, client.Intent, *client.Order) (bool, error) { return false, nil }

// A record that cannot be read may be that of a lost intent.
func TestOnceSendsNothingWhereALostRecordMayBe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, once := ordersOnce(t, neighbours(false), emptied{})
		_, err := once.Create(t.Context(), "import 7", func(context.Context) (*client.Order, error) {
			t.Error("a create was sent")
			return nil, client.ErrValidation
		})
		if !errors.Is(err, client.ErrUnreadableItem) {
			t.Errorf("got %v, want the order that cannot be read", err)
		}
	})
}
