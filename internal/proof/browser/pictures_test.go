package browser

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/proof/browser/browsertest"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

// crowd is an inbox that counts 10^6 entries, more or less: those that it has, and others that due workers and new
// arrivals make fewer and more. To accept as many in each run of the tests would take longer than all the rest.
type crowd struct {
	*inboxmem.Inbox
	samples, counts atomic.Int64
}

// others are how many entries are counted that are not there.
func others(sample int64) int {
	return 999_642 + int(30_000*math.Sin(float64(sample)/7)) - int(math.Abs(float64(sample%13-6))*4000)
}

func (c *crowd) Stats(ctx context.Context) (webhook.Stats, error) {
	s, err := c.Inbox.Stats(ctx)
	n := others(c.samples.Add(1))
	s.Pending, s.Due, s.Oldest = s.Pending+n, s.Due+n, 26*time.Hour+time.Duration(n)*time.Millisecond
	return s, err
}

func (c *crowd) Groups(ctx context.Context, f webhook.EntryFilter) (webhook.EntryGroups, error) {
	all, err := c.Inbox.Groups(ctx, f)
	if f.State == webhook.EntryDead {
		return all, err
	}
	n := others(c.counts.Add(1))
	for i, event := range []webhook.Name{"order/updated", "product/updated", "order/paid", "customer/updated"} {
		for store := range 25 {
			all.Groups = append(all.Groups, webhook.EntryGroup{State: webhook.EntryDue, Event: event, Count: n >> (i + 1) / 25,
				StoreID: client.ID(2000 + store), Oldest: all.At.Add(-time.Duration(26-i) * time.Hour)})
		}
	}
	return all, err
}

// keyed are the parts of an address that are other ones in each run.
var keyed = regexp.MustCompile(`key=[^&]*|id=[0-9]+|with=[0-9]+`)

// takePictures writes pictures of the page that is shown, in each view, if there is the flag.
func takePictures(p *browsertest.Page, of string, page shownPage) {
	if *pictures == "" {
		return
	}
	address := keyed.ReplaceAllStringFunc(page.address, func(part string) string {
		name, _, _ := strings.Cut(part, "=")
		return name
	})
	name := strings.Join(strings.FieldsFunc(address, func(r rune) bool { return strings.ContainsRune("?=&/", r) }), "-")
	for _, view := range browsertest.Views() {
		p.Look(view)
		p.Picture(*pictures, of+"-"+cmp.Or(name, "overview"))
	}
}

// Pictures of pages in each view are written to the directory that the flag -pictures names: the overview with 10^6
// entries and 300 dead ones in three groups, and, if there is the flag, the pages that it leads to.
func TestPictures(t *testing.T) {
	t.Parallel()
	in := &crowd{Inbox: newInbox(t)}
	fill(t, in)
	at := serve(t, in)
	dir := cmp.Or(*pictures, t.TempDir())
	for range 60 { // the trends are full
		settled(t, at)
		time.Sleep(10 * time.Millisecond)
	}
	for _, view := range browsertest.Views() {
		p := browser.Open(t, view)
		p.Visit(at, "Groups that need attention")
		p.Picture(dir, "inbox-overview")
		if *pictures == "" {
			continue // the others have nothing that TestPages does not see
		}
		for name, page := range map[string]shownPage{
			"entries": {"entries?state=dead&prefix=:1004:", "Replay all that match"},
			"entry":   {"entry?key=:1004:customers/redact:0", "is never shown"},
			"confirm": {"confirm?do=purge", "are not changed"},
			"done":    {"done?do=purge&did=280", "280 entries purged"},
			"problem": {"entry?key=none", "has no entry with this key"},
		} {
			p.Visit(at+page.address, page.text)
			p.Picture(dir, "inbox-"+name)
		}
	}
}
