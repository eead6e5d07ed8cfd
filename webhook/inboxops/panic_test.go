package inboxops_test

import (
	"bytes"
	"context"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxops"
)

// broken is an inbox whose methods do what is set.
type broken struct {
	inboxes
	stats, groups func()
}

func (b *broken) Stats(ctx context.Context) (webhook.Stats, error) {
	b.stats()
	return b.inboxes.Stats(ctx)
}

func (b *broken) Groups(ctx context.Context, f webhook.EntryFilter) (webhook.EntryGroups, error) {
	b.groups()
	return b.inboxes.Groups(ctx, f)
}

// An inbox that panics, or that ends its goroutine, fails the sample. It neither ends the process nor makes the pages
// wait, and the samples go on.
func TestInboxPanics(t *testing.T) {
	fine := func() {}
	for name, tt := range map[string]struct {
		stats, groups func()
		page          string
		logged        int
	}{
		"stats": {func() { panic("disk\x1b on fire") }, fine,
			`The inbox does not answer: panic: disk\x1b on fire`, 1},
		"groups":           {fine, func() { panic("too many") }, "The groups could not be counted: panic: too many", 1},
		"end of stats":     {runtime.Goexit, fine, "The inbox does not answer: ended its goroutine", 0},
		"end of the group": {fine, runtime.Goexit, "The groups could not be counted: ended its goroutine", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				in := &broken{memory(t), fine, fine}
				h := &inboxops.Handler{Inbox: in, Every: time.Second, Logger: slog.New(slog.NewTextHandler(&log, nil))}
				get := func() string {
					time.Sleep(time.Second)
					defer synctest.Wait()
					return ask(h, "GET", "/", "localhost", "127.0.0.1:1").Body.String()
				}
				get()
				in.stats, in.groups = tt.stats, tt.groups
				for range 3 {
					began := time.Now()
					if page := get(); !strings.Contains(page, tt.page) || time.Since(began) != time.Second {
						t.Errorf("after %v, want %q at once: %s", time.Since(began), tt.page, page)
					}
				}
				if n := strings.Count(log.String(), "panic_test.go"); n < tt.logged ||
					strings.Count(log.String(), "the inbox panicked") != tt.logged {
					t.Errorf("logged %q, want %d line with the stack", &log, tt.logged)
				}
				in.stats, in.groups = fine, fine
				if page := get(); strings.Contains(page, "does not answer") || strings.Contains(page, "not be counted") {
					t.Errorf("the sample after it failed too: %s", page)
				}
			})
		})
	}
}

// Run goes on after a panic of the inbox.
func TestRunOutlivesPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		samples := 0
		in := &broken{memory(t), func() { samples++; panic("disk on fire") }, func() {}}
		h := &inboxops.Handler{Inbox: in, Every: time.Second, Logger: slog.New(slog.DiscardHandler)}
		ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
		defer cancel()
		if err := h.Run(ctx); err != nil || samples != 4 {
			t.Errorf("%d samples, %v; want one a second", samples, err)
		}
	})
}
