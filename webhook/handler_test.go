package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

func secrets(n int) []client.Secret {
	return []client.Secret{testSecret, "the one before", "a third"}[:n]
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Handler)
		want   string // "": fine
	}{
		{"zero values", func(*Handler) {}, ""},
		{"two secrets", func(h *Handler) { h.Secrets = secrets(2) }, ""},
		{"limits", func(h *Handler) { h.MaxBody, h.MaxRuns, h.Budget, h.HeaderName = 1, 1, AnswerTime, "X-Sig_1" }, ""},
		{"no secret", func(h *Handler) { h.Secrets = nil }, "no secret"},
		{"empty secret", func(h *Handler) { h.Secrets = []client.Secret{""} }, "secret 1: must not be empty"},
		{"second secret empty", func(h *Handler) { h.Secrets = []client.Secret{testSecret, ""} },
			"secret 2: must not be empty"},
		{"three secrets", func(h *Handler) { h.Secrets = secrets(3) }, "3 secrets"},
		{"secret with line end", func(h *Handler) { h.Secrets = []client.Secret{"abc\n"} },
			"secret 1: must not begin or end with white space"},
		{"no registry", func(h *Handler) { h.Registry = nil }, "no registry"},
		{"empty registry", func(h *Handler) { h.Registry = &Registry{} }, "the registry handles no event"},
		{"header with space", func(h *Handler) { h.HeaderName = "x sig" }, `HeaderName is "x sig"`},
		{"header with colon", func(h *Handler) { h.HeaderName = "x-sig:" }, `HeaderName is "x-sig:"`},
		{"negative body", func(h *Handler) { h.MaxBody = -1 }, "MaxBody is -1"},
		{"negative runs", func(h *Handler) { h.MaxRuns = -1 }, "MaxRuns is -1"},
		{"negative budget", func(h *Handler) { h.Budget = -1 }, "Budget is -1ns"},
		{"budget too long", func(h *Handler) { h.Budget = AnswerTime + 1 }, "Budget is 3.000000001s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProbe(t, tt.change)
			err := p.Check()
			if tt.want == "" {
				if err != nil {
					t.Errorf("got %v, want nil", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "abc") {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			// Whoever does not check gets a handler that handles nothing.
			for _, secret := range append(slices.Clone(p.Secrets), testSecret) {
				r := signed(paidBody)
				r.Header.Set(p.headerName(), Sign(secret, []byte(paidBody)))
				if w := send(p, r); w.Code != http.StatusServiceUnavailable {
					t.Errorf("unchecked: got status %d, want 503", w.Code)
				}
			}
			if len(p.calls)+len(p.kept)+p.parses != 0 || len(p.failed) != 1 {
				t.Errorf("unchecked: got %d calls, %d kept, %d parses, %d reports; want one report", len(p.calls),
					len(p.kept), p.parses, len(p.failed))
			}
		})
	}
}

// The report about a panic has the stack of the handler, and the error that was its value.
func TestPanicIsReported(t *testing.T) {
	full := errors.New("disk full")
	var events Registry
	On(&events, OrderPaid, func(context.Context, Delivery[Entity]) error { panic(full) })
	p := newProbe(t, func(h *Handler) { h.Registry = &events })
	if code := send(p, signed(paidBody)).Code; code != http.StatusServiceUnavailable || len(p.failed) != 1 {
		t.Fatalf("got %d and reports %v, want 503 and one", code, p.failed)
	}
	f := p.failed[0]
	if !errors.Is(f, full) || !bytes.Contains(f.Stack, []byte("handler_test.go")) || f.StoreID != 123 ||
		f.Event != OrderPaid.Name {
		t.Errorf("got %v of store %d, event %q, with the stack\n%s", f, f.StoreID, f.Event, f.Stack)
	}
}

func TestUnknown(t *testing.T) {
	tests := []struct {
		name, body string
		reason     error
		store      client.ID
		event      Name
	}{
		{"new event", `{"store_id":123,"event":"kit/updated","id":5}`, ErrUnknownEvent, 123, "kit/updated"},
		{"no handler", `{"store_id":123,"event":"order/packed","id":5}`, ErrUnhandled, 123, "order/packed"},
		{"payload not shown, no handler", `{"store_id":123,"event":"app/suspended"}`, ErrUnhandled, 123,
			"app/suspended"},
		{"malformed", `{"store_id":123,"event":"order/paid"}`, ErrMalformed, 123, "order/paid"},
		{"not JSON", `hello`, ErrMalformed, 0, ""},
		{"no store", `{"event":"order/paid","id":5}`, ErrMalformed, 0, "order/paid"},
		{"other store", `{"store_id":124,"event":"order/paid","id":5}`, ErrUnknownStore, 124, "order/paid"},
		{"control characters", `{"store_id":123,"event":"order/paid\n{level:INFO}","id":5}`, ErrUnknownEvent, 123,
			"order/paid\n{level:INFO}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			known := func(_ context.Context, id client.ID) (bool, error) { return id == 123, nil }
			p := newProbe(t, func(h *Handler) { h.KnownStore = known })
			if w := send(p, signed(tt.body)); w.Code != http.StatusOK || len(p.calls) != 0 || len(p.kept) != 1 ||
				len(p.failed) != 0 {
				t.Fatalf("got status %d, %d calls, %d kept, %d reports; want 200 and one kept", w.Code, len(p.calls),
					len(p.kept), len(p.failed))
			}
			d := p.kept[0]
			if !errors.Is(d.Payload.Reason, tt.reason) || d.StoreID != tt.store || d.Event != tt.event ||
				string(d.Raw) != tt.body || d.ReceivedAt.IsZero() {
				t.Errorf("got %v of store %d, event %q, body %q", d.Payload.Reason, d.StoreID, d.Event, d.Raw)
			}

			p = newProbe(t, func(h *Handler) { h.KnownStore, h.Unknown = known, nil })
			if w := send(p, signed(tt.body)); w.Code != http.StatusOK || len(p.calls) != 0 || len(p.failed) != 1 ||
				!errors.Is(p.failed[0], tt.reason) {
				t.Errorf("without a hook: got status %d, %d calls, reports %v; want 200 and a report", w.Code,
					len(p.calls), p.failed)
			}
		})
	}
	t.Run("known store", func(t *testing.T) {
		p := newProbe(t, func(h *Handler) {
			h.KnownStore = func(_ context.Context, id client.ID) (bool, error) { return id == 123, nil }
		})
		if w := send(p, signed(paidBody)); w.Code != http.StatusOK || len(p.calls) != 1 {
			t.Errorf("got status %d, %d calls; want 200 and a call", w.Code, len(p.calls))
		}
	})
	t.Run("ignored", func(t *testing.T) {
		p := newProbe(t, func(h *Handler) { h.Registry.Ignore("order/packed", "theme/updated") })
		for _, name := range []string{"order/packed", "theme/updated"} {
			if w := send(p, signed(`{"store_id":123,"event":"`+name+`","id":5}`)); w.Code != http.StatusOK {
				t.Errorf("got %d, want 200", w.Code)
			}
		}
		if len(p.calls)+len(p.kept)+len(p.failed) != 0 {
			t.Errorf("got %d calls, %d kept, %d reports; want none", len(p.calls), len(p.kept), len(p.failed))
		}
	})
}

// TestHooksThatFail: what cannot be kept or looked up must come again.
func TestHooksThatFail(t *testing.T) {
	const unknown = `{"store_id":123,"event":"kit/updated","id":5}`
	tests := []struct {
		name, body string
		change     func(*Handler)
		want       int
	}{
		{"Unknown fails", unknown, func(h *Handler) {
			h.Unknown = func(context.Context, Delivery[Unknown]) error { return errors.New("full") }
		}, 503},
		{"Unknown fails beside a queue", unknown, func(h *Handler) {
			h.Sink, h.Unknown = untouched{}, func(context.Context, Delivery[Unknown]) error {
				return errors.New("full")
			}
		}, 503},
		{"Unknown fails for a store that is not known", paidBody, func(h *Handler) {
			h.KnownStore = func(context.Context, client.ID) (bool, error) { return false, nil }
			h.Unknown = func(context.Context, Delivery[Unknown]) error { return errors.New("full") }
		}, 503},
		{"KnownStore fails", paidBody, func(h *Handler) {
			h.KnownStore = func(context.Context, client.ID) (bool, error) { return true, errors.New("no database") }
		}, 503},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProbe(t, tt.change)
			if w := send(p, signed(tt.body)); w.Code != tt.want || len(p.calls) != 0 {
				t.Errorf("got status %d, %d calls; want %d, none", w.Code, len(p.calls), tt.want)
			}
			if tt.want == 503 && len(p.failed) != 1 {
				t.Errorf("got reports %v, want one", p.failed)
			}
		})
	}
}

// untouched is a queue that nothing reaches.
type untouched struct{ Sink }

// TestCanary: no secret, signature or personal data in logs, reports and values
// that are printed, and no text from outside that writes lines of its own.
func TestCanary(t *testing.T) {
	const canary = "cnry_7f3a"
	var log bytes.Buffer
	level := slog.HandlerOptions{Level: slog.LevelDebug}
	for _, out := range []slog.Handler{slog.NewTextHandler(&log, &level), slog.NewJSONHandler(&log, &level)} {
		p := newProbe(t, func(h *Handler) {
			h.Secrets = []client.Secret{canary}
			h.Unknown, h.OnFailure, h.Logger = nil, nil, slog.New(out)
			On(h.Registry, CustomerRedactRequested, func(_ context.Context, d Delivery[CustomerRedact]) error {
				h.reporter().log().Info("redact", "delivery", d)
				return errors.New("later\nlevel=INFO \u202e\x1b[31m")
			})
		})
		evil := `order/paid\n{level:INFO}\u001b[31m\u202e\u0000` + strings.Repeat("x", 100)
		for _, body := range []string{
			`{"store_id":1,"event":"customers/redact","customer":{"id":1,"email":"` + canary +
				`"},"orders_to_redact":[]}`,
			`{"store_id":1,"event":"customers/redact","customer":{"id":"` + canary + `"}}`,
			`{"store_id":"` + canary + `","event":"order/paid","id":1}`,
			`{"store_id":1,"event":"order/paid","id":"` + canary + `"}`,
			`{"store_id":1,"event":"order/paid","` + canary + `":1,"` + canary + `":1}`,
			canary,
			`{"store_id":1,"event":"` + evil + `"}`,
		} {
			r := signed(body)
			r.Header.Set(SignatureHeader, Sign(canary, []byte(body)))
			send(p, r)
			r = signed(body)
			r.Header.Set(SignatureHeader, canary)
			send(p, r)
		}
		fmt.Fprintf(&log, "%v %+v %#v %s", p.Secrets, p.Handler.Secrets, p.Handler.Secrets, p.Check())
		fmt.Fprintf(&log, "%v %+v %#v %d %x", p.Handler, p.Handler, p.Handler, p.Handler, p.Handler)
	}
	got := log.String()
	if strings.Contains(got, canary) {
		t.Errorf("the canary is in the log:\n%s", got)
	}
	for _, raw := range []string{"\x1b", "\u202e", "\x00", "\n{level", "\nlevel=INFO \\", strings.Repeat("x", 64)} {
		if strings.Contains(got, raw) {
			t.Errorf("the log has %q:\n%s", raw, got)
		}
	}
	if !strings.Contains(got, "webhook.Handler") {
		t.Errorf("the handler is not named in the log:\n%s", got)
	}
	if !strings.Contains(got, `order/paid\\n{level:INFO}`) || !strings.Contains(got, "refused.status=401") {
		t.Errorf("the log lacks the escaped name or the refusal:\n%s", got)
	}
}

// TestFailureText: whose delivery it was is told as far as it is known.
func TestFailureText(t *testing.T) {
	down := errors.New("down")
	for want, f := range map[string]*Failure{
		"webhook: down": {Err: down},
		`webhook: "order/paid" of store 123: down`: {Event: "order/paid", StoreID: 123, Err: down},
		`webhook: "order/paid" of store 0: down`:   {Event: "order/paid", Err: down},
		`webhook: "" of store 123: down`:           {StoreID: 123, Err: down},
	} {
		if got := f.Error(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestDefaultLog: nothing is lost in silence where nothing is configured.
func TestDefaultLog(t *testing.T) {
	var log bytes.Buffer
	var events Registry
	On(&events, OrderPaid, func(context.Context, Delivery[Entity]) error { panic("oh") })
	h := &Handler{Secrets: secrets(1), Registry: &events}
	if h.reporter().log() != slog.Default() {
		t.Error("without a Logger, the default one is not used")
	}
	h.Logger = slog.New(slog.NewTextHandler(&log, nil))
	send(h, signed(paidBody))
	send(h, signed(`{"store_id":123,"event":"kit/updated"}`))
	for _, want := range []string{
		`level=ERROR msg="webhook: not handled" delivery.event=order/paid delivery.store_id=123 ` +
			`delivery.error="panic: oh" delivery.stack=`,
		`level=WARN msg="webhook: not handled" delivery.event=kit/updated delivery.store_id=123 ` +
			`delivery.error="unknown event"`,
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, &log)
		}
	}
}
