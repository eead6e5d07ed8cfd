package webhook

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// A body that is signed and yet spoiled is answered and kept, and reaches no handler, in little memory.
func TestSpoiledBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls, statuses := 0, map[int]int{}
		var events Registry
		wanted := map[Name]bool{
			handle(&events, CustomerDataRequested, &calls):              true,
			handle(&events, FulfillmentOrderLabelStatusUpdated, &calls): true,
			handle(&events, ChargePaid, &calls):                         true,
			handle(&events, CustomerUpdated, &calls):                    true,
			handle(&events, OrderCustomFieldCreated, &calls):            true,
			handle(&events, OrderPaid, &calls):                          true,
		}
		p := newProbe(t, func(h *Handler) { h.Registry = &events })
		var good [][]byte
		for _, c := range wireCases() {
			if wanted[c.event] {
				good = append(good, []byte(c.body))
			}
		}
		reader := hostile.Reader{Read: func(body []byte) bool {
			calls, p.kept = 0, nil
			status := send(p, signed(string(body))).Code
			statuses[status]++
			reached := calls + len(p.kept)
			if status == http.StatusOK && reached != 1 || status != http.StatusOK &&
				(status != http.StatusRequestEntityTooLarge || reached != 0) {
				t.Errorf("%.100q: status %d, %d calls, %d kept", body, status, calls, len(p.kept))
			}
			return calls > 0
		}}
		for _, body := range good {
			if !reader.Read(body) {
				t.Errorf("%s: refused as it is", body)
			}
		}
		all := reader.Play(t, hostile.Documents(hostile.OfHandler/5, good...))
		if all.Documents < hostile.OfHandler {
			t.Errorf("%d documents, want %d at least", all.Documents, hostile.OfHandler)
		}
		t.Logf("%v; statuses %v", all, statuses)
	})
}

// handle counts the calls of a handler of e.
func handle[P any](r *Registry, e Event[P], calls *int) Name {
	On(r, e, func(context.Context, Delivery[P]) error {
		*calls++
		return nil
	})
	return e.Name
}

// A signature, an event and a secret of a mebibyte are refused by their length, or cost no more than a copy.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	v := newVerifier([]client.Secret{testSecret})
	var ok bool
	if spent := hostile.Cost(func() { ok = v.accepts([]string{long}, []byte(paidBody)) }); ok || spent.Bytes > 64<<10 {
		t.Errorf("a long signature: %v, which cost %v", ok, spent)
	}
	read := newReader("").read
	for _, body := range []string{
		`{"store_id":"` + long + `","event":"order/paid","id":5}`, `{"store_id":123,"event":"` + long + `","id":5}`,
		`{"store_id":123,"event":"order/paid","id":"` + long + `"}`,
	} {
		var m message
		if spent := hostile.Cost(func() { m = read([]byte(body), time.Time{}) }); m.payload != nil ||
			spent.Bytes > 8<<20 {
			t.Errorf("%.60s: read as %v, which cost %v", body, m.payload, spent)
		}
		if text := (&Failure{
			StoreID: m.store, Event: m.event, Err: cmp.Or(m.flaw, ErrUnknownEvent)}).Error(); len(text) > 500 {
			t.Errorf("%.60s: told in %d bytes", body, len(text))
		}
	}
}
