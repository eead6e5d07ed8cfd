package inboxops

import (
	"fmt"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

// An action that has done what was confirmed is at its end, even if the time of its request is over and more entries
// are dead: there is nothing to ask.
func TestActEndsWithWhatWasConfirmed(t *testing.T) {
	in, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 5 {
		e := webhook.Entry{Key: fmt.Sprint(n), Lane: fmt.Sprint(n), Kind: webhook.KindSignal, Unhandled: "no handler"}
		if _, err := in.Accept(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	f := webhook.EntryFilter{Until: time.Now().Add(time.Hour)}
	if n, next, err := act(t.Context(), in, replay, f, 3, "", time.Nanosecond); n != 3 || next != "" || err != nil {
		t.Errorf("%d entries, go on at %q, %v; want the 3 that were confirmed, and the end", n, next, err)
	}
}
