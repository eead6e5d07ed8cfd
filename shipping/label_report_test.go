package shipping

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// reporting is a handler of labels whose address ends in the store, and what it reports.
func reporting(t *testing.T, does func() ([]LabelFailure, error)) (h *LabelHandler, answers *[]LabelAnswer, failed *[]*Failure) {
	t.Helper()
	answers, failed = &[]LabelAnswer{}, &[]*Failure{}
	return &LabelHandler{
		Access:   Access{Guarded: true},
		Generate: func(context.Context, []Label) ([]LabelFailure, error) { return does() },
		Cancel:   func(context.Context, []LabelRef) ([]LabelFailure, error) { return does() },
		StoreOf: func(r *http.Request) client.ID {
			id, err := strconv.ParseInt(strings.Split(r.URL.Path, "/")[1], 10, 64)
			if err != nil {
				panic(err)
			}
			return client.ID(id)
		},
		OnAnswered: func(_ context.Context, a LabelAnswer) { *answers = append(*answers, a) },
		OnFailure:  func(_ context.Context, f *Failure) { *failed = append(*failed, f) },
	}, answers, failed
}

// Each callback that was answered is reported, with the store, the labels and the fulfillment orders.
func TestLabelCallbacksAreReported(t *testing.T) {
	ok := func() ([]LabelFailure, error) { return nil, nil }
	one := func() ([]LabelFailure, error) { return []LabelFailure{{LabelID: firstLabel}}, nil }
	down := func() ([]LabelFailure, error) { return nil, errDown }
	late := func() ([]LabelFailure, error) { time.Sleep(time.Minute); return nil, nil }
	for _, tt := range []struct {
		path   string
		body   []byte
		does   func() ([]LabelFailure, error)
		want   string // store, action, labels, status, labels that failed, whether a function was called
		failed error
	}{
		{"/7/generate", labels(t), ok, "7 generate 2 202 0 true", nil},
		{"/7/generate", labels(t), one, "7 generate 2 207 1 true", nil},
		{"/7/generate", labels(t), down, "7 generate 2 0 0 true", errDown}, // so that the platform repeats it
		{"/7/cancel", refs(firstLabel, secondLabel), ok, "7 cancel 2 204 0 true", nil},
		{"/7/cancel", refs(firstLabel, secondLabel), one, "7 cancel 2 207 1 true", nil},
		{"/7/cancel", refs(firstLabel), down, "7 cancel 1 503 0 true", errDown},
		{"/7/cancel", refs(firstLabel), late, "7 cancel 1 503 0 true", ErrLate},
		{"/7/cancel", []byte("{}"), ok, "7 cancel 0 400 0 false", ErrMalformed},
		{"/seven/cancel", refs(firstLabel), ok, "0 cancel 1 204 0 true", nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			h, answers, failed := reporting(t, tt.does)
			serve(h, httptest.NewRequest(http.MethodPost, tt.path, bytes.NewReader(tt.body)))
			time.Sleep(time.Hour)
			if len(*answers) != 1 {
				t.Fatalf("%s: %d answers reported, want 1", tt.want, len(*answers))
			}
			a := (*answers)[0]
			if got := fmt.Sprint(a.StoreID, " ", a.Action, " ", len(a.Labels), " ", a.Status, " ", a.Failed, " ", a.Ran); got != tt.want || !errors.Is(a.Err, tt.failed) {
				t.Errorf("got %s, %v, want %s, %v", got, a.Err, tt.want, tt.failed)
			}
			if len(a.Labels) > 0 && (a.Labels[0].LabelID != firstLabel || a.Labels[0].FulfillmentOrderID != someOrder) {
				t.Errorf("%s: about %+v", tt.want, a.Labels[0])
			}
			if a.StoreID == 0 {
				if len(*failed) != 1 || !strings.HasPrefix((*failed)[0].Err.Error(), "StoreOf: panic: ") {
					t.Errorf("%s: reported %v, want that StoreOf panicked", tt.want, *failed)
				}
				return
			}
			if tt.failed == nil {
				if len(*failed) > 0 {
					t.Errorf("%s: reported %v", tt.want, *failed)
				}
				return
			}
			if len(*failed) != 1 || (*failed)[0].StoreID != a.StoreID || (*failed)[0].Action != a.Action || len((*failed)[0].Labels) != len(a.Labels) {
				t.Errorf("%s: reported %+v", tt.want, *failed)
			}
		})
	}
}

// The log names the labels too, and the members of one that cannot be read.
func TestLabelFailuresInTheLog(t *testing.T) {
	var log bytes.Buffer
	h, _, _ := reporting(t, func() ([]LabelFailure, error) { return nil, errDown })
	h.OnFailure, h.Logger = nil, slog.New(slog.NewTextHandler(&log, nil))
	serve(h, httptest.NewRequest(http.MethodPost, "/7/cancel", bytes.NewReader(refs(firstLabel, secondLabel))))
	serve(h, httptest.NewRequest(http.MethodPost, "/7/cancel", strings.NewReader(`{"labels": [{"label_id": "x", "fulfillment_order_id": 7}]}`)))
	serve(h, httptest.NewRequest(http.MethodPost, "/7/cancel", strings.NewReader(`{"labels": [{"fulfillment_order_id": null}]}`)))
	serve(h, httptest.NewRequest(http.MethodPost, "/7/cancel", strings.NewReader(`{"labels": `)))
	for _, want := range []string{
		`failure.labels="cancel label 01JEXAMP1E0000000000000AB1 of fulfillment order 01FHZXHK8PTP9FVK99Z66GXASS and 1 more of store 7"`,
		`label 0: malformed call: label_id: a string of 1 bytes: must be a ULID; fulfillment_order_id: a number: must be a ULID`,
		`label 0: malformed call: label_id: nothing: must be a ULID`,
		`not the strict JSON of a label callback: it ends too early`,
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, &log)
		}
	}
}
