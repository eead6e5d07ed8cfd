package inboxmem_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/inboxtest"
)

func open(t *testing.T, highWater int) *inboxmem.Inbox {
	t.Helper()
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true, HighWater: highWater})
	if err != nil {
		t.Fatal(err)
	}
	return inbox
}

func TestInbox(t *testing.T) {
	inboxtest.Run(t, inboxtest.Engine{
		Open:    func(t *testing.T) webhook.Inbox { return open(t, 0) },
		Limited: func(t *testing.T, highWater int) webhook.Inbox { return open(t, highWater) },
		Bubble:  synctest.Test,
	})
}

func TestNew(t *testing.T) {
	for _, test := range []struct {
		options inboxmem.Options
		want    string
	}{
		{inboxmem.Options{}, "AllowLossy is false"},
		{inboxmem.Options{AllowLossy: true, HighWater: -1}, "HighWater is -1: must be 0 or more"},
	} {
		if _, err := inboxmem.New(test.options); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("New(%+v): %v, want an error with %q", test.options, err, test.want)
		}
	}
}

func TestAcceptRefuses(t *testing.T) {
	good := webhook.Entry{Key: "key", Lane: "lane", Kind: webhook.KindSignal}
	for _, test := range []struct {
		spoil func(e *webhook.Entry)
		want  string
	}{
		{func(e *webhook.Entry) { e.Key = "" }, `entry of lane "lane": Key is empty`},
		{func(e *webhook.Entry) { e.Lane = "" }, `entry "key": Lane is empty`},
		{func(e *webhook.Entry) { e.Kind = "rumour" }, `entry "key": Kind is "rumour": must be "signal" or "fact"`},
		{func(e *webhook.Entry) { e.Settle = -time.Second }, `entry "key": Settle is -1s: must be 0 or more`},
	} {
		bad := good
		test.spoil(&bad)
		inbox := open(t, 0)
		if _, err := inbox.Accept(t.Context(), good, bad); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Accept: %v, want an error with %q", err, test.want)
		}
		if s, err := inbox.Stats(t.Context()); s.Pending != 0 || err != nil {
			t.Errorf("%s: %d entries of the call were stored, %v", test.want, s.Pending, err)
		}
	}
}

func TestLeaseRefusesNoTime(t *testing.T) {
	inbox := open(t, 0)
	if _, err := inbox.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: 0}); err == nil {
		t.Error("Lease for no time: no error")
	}
	if err := inbox.Extend(t.Context(), webhook.Lease{}, -time.Second); err == nil || errors.Is(err, webhook.ErrLeaseLost) {
		t.Errorf("Extend into the past: %v, want an error about the time", err)
	}
}

// TestHighWaterIsExact also says what other engines need not: it holds within one call.
func TestHighWaterIsExact(t *testing.T) {
	inbox := open(t, 3)
	entries := make([]webhook.Entry, 4)
	for i := range entries {
		entries[i] = webhook.Entry{Key: fmt.Sprint(i), Lane: fmt.Sprint(i), Kind: webhook.KindSignal}
	}
	if _, err := inbox.Accept(t.Context(), entries...); !errors.Is(err, webhook.ErrFull) {
		t.Errorf("4 entries: %v, want ErrFull", err)
	}
	if _, err := inbox.Accept(t.Context(), append(entries[:3:3], entries[:3]...)...); err != nil {
		t.Errorf("3 entries twice: %v", err)
	}
	if _, err := inbox.Accept(t.Context(), entries[3]); !errors.Is(err, webhook.ErrFull) {
		t.Errorf("the 4th entry: %v, want ErrFull", err)
	}
}

// TestFactThatBecameASignal: the end of its window is of the fact, and not of what took its place.
func TestFactThatBecameASignal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inbox := open(t, 0)
		e := webhook.Entry{Key: "a", Lane: "a", Kind: webhook.KindFact, Window: time.Hour}
		if _, err := inbox.Accept(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		leases, err := inbox.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Minute})
		if err != nil || len(leases) != 1 {
			t.Fatalf("got %v, %v; want a lease", leases, err)
		}
		if _, err := inbox.Commit(t.Context(), leases[0]); err != nil {
			t.Fatal(err)
		}
		e.Kind = webhook.KindSignal
		if _, err := inbox.Accept(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Hour)
		if leases, err = inbox.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Minute}); err != nil || len(leases) != 1 {
			t.Errorf("got %v, %v after the window of the fact; want the signal leased", leases, err)
		}
		if _, err := inbox.Commit(t.Context(), leases[0]); err != nil {
			t.Errorf("the signal was forgotten: %v", err)
		}
	})
}

func ExampleNew() {
	inbox, err := inboxmem.New(inboxmem.Options{})
	fmt.Println(inbox, err)
	// Output: <nil> inboxmem: AllowLossy is false: must be true, because the inbox is lost when the process ends
}
