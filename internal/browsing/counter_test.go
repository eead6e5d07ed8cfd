package browsing_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/browsing"
	"github.com/commerceplatform/commerce-go/webhook"
)

func TestCounter(t *testing.T) {
	at := time.Unix(1_000_000, 0)
	c := browsing.NewCounter(webhook.EntryFilter{Cause: client.Set("order 1234: 503")})
	for i, cause := range []string{"order 5678: 503", "order 9999: 503", "order 9999: 404"} {
		c.Add(webhook.EntryGroup{State: webhook.EntryDead, Cause: cause, Count: 2,
			Oldest: at.Add(-time.Duration(i) * time.Hour)})
	}
	sum := c.Sum(at)
	want := webhook.EntryGroup{State: webhook.EntryDead, Cause: "order …: 503", Count: 4, Oldest: at.Add(-time.Hour)}
	if len(sum.Groups) != 1 || sum.Groups[0] != want || sum.Others != 0 || !sum.At.Equal(at) {
		t.Errorf("got %+v, want one group %+v", sum, want)
	}
}

func TestCounterIsBounded(t *testing.T) {
	c := browsing.NewCounter(webhook.EntryFilter{})
	for i := range webhook.MostGroups + 10 {
		c.Add(webhook.EntryGroup{StoreID: client.ID(i), Cause: strconv.Itoa(i), Count: 1})
	}
	c.Add(webhook.EntryGroup{StoreID: 1, Cause: "1", Count: 5})
	if sum := c.Sum(time.Time{}); len(sum.Groups) != webhook.MostGroups || sum.Others != 10 || sum.Groups[0].Count != 6 {
		t.Errorf("%d groups, %d others, the largest %+v", len(sum.Groups), sum.Others, sum.Groups[0])
	}
}
