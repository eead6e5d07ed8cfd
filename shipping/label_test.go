package shipping

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
)

var (
	firstLabel  = ulid.MustParse("01JEXAMP1E0000000000000AB1")
	secondLabel = ulid.MustParse("01JEXAMP1E0000000000000AB2")
	someOrder   = ulid.MustParse("01FHZXHK8PTP9FVK99Z66GXASS")
)

// labels are two labels that are to be made.
func labels(t *testing.T) []byte {
	t.Helper()
	one := document(t, "label_request")
	return slices.Concat([]byte("["), one, []byte(","), bytes.Replace(one, []byte(firstLabel.String()), []byte(secondLabel.String()), 1), []byte("]"))
}

func refs(ids ...ulid.ULID) []byte {
	var all []string
	for _, id := range ids {
		all = append(all, fmt.Sprintf(`{"fulfillment_order_id":"%s","label_id":"%s"}`, someOrder, id))
	}
	return []byte(`{"labels":[` + strings.Join(all, ",") + `]}`)
}

func TestLabelsAreGenerated(t *testing.T) { synctest.Test(t, testLabelsAreGenerated) }

func testLabelsAreGenerated(t *testing.T) {
	const ok2 = `{"id":"01JEXAMP1E0000000000000AB2","status":"OK"}`
	for _, v := range []struct {
		name   string
		body   []byte
		failed []LabelFailure
		err    error
		takes  time.Duration
		status int
		answer string
		report error
	}{
		{"all", labels(t), nil, nil, 0, 202, "", nil},
		{"one not", labels(t), []LabelFailure{{LabelID: firstLabel, Message: "no such street\n"}}, nil, 0, 207,
			`[{"id":"01JEXAMP1E0000000000000AB1","status":"FAILED","reason":{"type":"OTHER_ERROR","message":"no such street\\n"}},` + ok2 + `]`, nil},
		{"a stranger not", labels(t), []LabelFailure{{LabelID: someOrder}}, nil, 0, 202, "", ErrInvalid},
		{"an error", labels(t), nil, errDown, 0, 0, "", errDown},
		{"an error of its own deadline", labels(t), nil, context.DeadlineExceeded, 0, 0, "", context.DeadlineExceeded},
		{"too late", labels(t), nil, nil, time.Minute, 0, "", ErrLate},
		{"one that cannot be read", bytes.Replace(labels(t), []byte(`"total_weight"`), []byte(`"total_weight":{},"x"`), 1), nil, nil, 0, 207,
			`[` + ok2 + `,{"id":"01JEXAMP1E0000000000000AB1","status":"FAILED","reason":{"type":"OTHER_ERROR","message":"the request for the label could not be read"}}]`, ErrMalformed},
		{"one without an id", bytes.Replace(labels(t), []byte(firstLabel.String()), nil, 1), nil, nil, 0, 202, "", ErrMalformed},
		{"nothing that can be read", []byte(`[{"id":7}]`), nil, nil, 0, 400, "", ErrMalformed},
		{"none", []byte(`[]`), nil, nil, 0, 400, "", ErrMalformed},
		{"51", []byte(`[` + strings.Repeat(`{},`, 50) + `{}]`), nil, nil, 0, 400, "", ErrMalformed},
		{"an object", []byte(`{}`), nil, nil, 0, 400, "", ErrMalformed},
	} {
		var got []Label
		var reported []*Failure
		h := &LabelHandler{
			Access: Access{Guarded: true},
			Generate: func(ctx context.Context, all []Label) ([]LabelFailure, error) {
				got = all
				time.Sleep(v.takes)
				return v.failed, v.err
			},
			OnFailure: func(_ context.Context, f *Failure) { reported = append(reported, f) },
		}
		start := time.Now()
		w := postTo(h, "/labels/generate", v.body)
		took, wantTook := time.Since(start), time.Duration(0)
		if v.status == 0 {
			wantTook = AnswerTime + time.Second // the platform has given up by then
		}
		if w.Code != v.status || v.answer != "" && w.Body.String() != v.answer || (w.Code == 202 || w.Code == 0) && w.Body.Len() > 0 || took != wantTook {
			t.Errorf("%s: got %d %s after %v, want %d %s", v.name, w.Code, w.Body, took, v.status, v.answer)
		}
		if v.report == nil && len(reported) > 0 || v.report != nil && (len(reported) != 1 || !errors.Is(reported[0], v.report)) {
			t.Errorf("%s: reported %v", v.name, reported)
		}
		if v.name == "all" && (len(got) != 2 || got[0].ID != firstLabel || got[0].Status != client.LabelStarted || got[0].RequestedBy.AppID != 1234 ||
			got[0].FulfillmentOrder.ID != someOrder || got[0].FulfillmentOrder.Recipient.Email != "ana@example.com") {
			t.Errorf("%s: got %+v", v.name, got)
		}
		time.Sleep(v.takes)
	}
}

func TestLabelsAreChanged(t *testing.T) {
	var said []string
	note := func(what string, failed ...LabelFailure) func(context.Context, []LabelRef) ([]LabelFailure, error) {
		return func(_ context.Context, all []LabelRef) ([]LabelFailure, error) {
			said = append(said, fmt.Sprint(what, " ", len(all), " ", all[0].FulfillmentOrderID, " ", all[0].LabelID))
			return failed, nil
		}
	}
	h := &LabelHandler{
		Access:    Access{Guarded: true},
		Generate:  func(context.Context, []Label) ([]LabelFailure, error) { return nil, nil },
		Cancel:    note("cancel", LabelFailure{secondLabel, LabelInTransit, "on its way"}),
		Suspend:   note("suspend", LabelFailure{LabelID: firstLabel}),
		OnFailure: func(context.Context, *Failure) {},
	}
	result := func(id ulid.ULID, rest string) string {
		return fmt.Sprintf(`{"fulfillment_order_id":"%s","label_id":"%s",%s}`, someOrder, id, rest)
	}
	for _, v := range []struct {
		path   string
		body   []byte
		status int
		answer string
	}{
		{"/l/cancel", refs(firstLabel), 204, ""},
		{"/l/cancel", refs(firstLabel, secondLabel), 207, `{"labels":[` + result(firstLabel, `"status":"OK"`) + `,` +
			result(secondLabel, `"status":"FAILED","reason":{"code":"LABEL_IN_TRANSIT","message":"on its way"}`) + `]}`},
		{"/l/suspension", refs(firstLabel), 207, `{"labels":[` + result(firstLabel, `"status":"FAILED","reason":{"code":"CARRIER_SYSTEM_ERROR","message":""}`) + `]}`},
		{"/l/reactivate", refs(firstLabel), 404, `{"error":"Not Found"}`},
		{"/l/other", refs(firstLabel), 404, `{"error":"Not Found"}`},
		{"/l/cancel", []byte(`{}`), 400, `{"error":"Bad Request"}`},
		{"/l/cancel", []byte(`{"labels":[{}]}`), 400, `{"error":"Bad Request"}`},
		{"/l/cancel", []byte(`[]`), 400, `{"error":"Bad Request"}`},
		{"/l/cancel", nil, 400, `{"error":"Bad Request"}`},
		{"/l/cancel", refs(slices.Repeat([]ulid.ULID{firstLabel}, 51)...), 204, ""}, // 50 is of generate
		{"/l/cancel", refs(slices.Repeat([]ulid.ULID{firstLabel}, 5_001)...), 400, `{"error":"Bad Request"}`},
	} {
		if w := postTo(h, v.path, v.body); w.Code != v.status || w.Body.String() != v.answer {
			t.Errorf("%s %s: got %d %s, want %d %s", v.path, v.body, w.Code, w.Body, v.status, v.answer)
		}
	}
	if want := "cancel 1 " + someOrder.String() + " " + firstLabel.String(); len(said) != 4 || said[0] != want {
		t.Errorf("called %v", said)
	}
	said, h.Reactivate = nil, note("reactivate")
	if w := postTo(h, "/l/reactivate", refs(firstLabel, secondLabel)); w.Code != 204 || len(said) != 1 || !strings.HasPrefix(said[0], "reactivate 2 ") {
		t.Errorf("reactivate: got %d, called %v", w.Code, said)
	}
}

// A function continues if its client disconnects, and what becomes of it is reported, with the labels. So is a request
// for which there is no place.
func TestGenerateIsLeftWithoutAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var reported []string
		h := &LabelHandler{
			Access: Access{Guarded: true}, MaxRuns: 1,
			Generate: func(ctx context.Context, _ []Label) ([]LabelFailure, error) {
				time.Sleep(2 * time.Second)
				if err := ctx.Err(); err != nil {
					t.Errorf("the context of the function ended with the connection: %v", err)
				}
				time.Sleep(time.Minute)
				panic(errDown)
			},
			OnFailure: func(_ context.Context, f *Failure) {
				mu.Lock()
				defer mu.Unlock()
				reported = append(reported, f.Error())
			},
		}
		for range 2 {
			ctx, hangUp := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, hangUp)
			go serve(h, httptest.NewRequestWithContext(ctx, http.MethodPost, "/generate", bytes.NewReader(labels(t))))
			synctest.Wait()
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		const whose = "shipping: generate label 01JEXAMP1E0000000000000AB1 of fulfillment order 01FHZXHK8PTP9FVK99Z66GXASS and 1 more: "
		want := []string{"too many functions in progress: MaxRuns is 1", ErrLate.Error(), "panic: upstream is down"}
		if got, want := strings.Join(reported, "; "), whose+strings.Join(want, "; "+whose); got != want {
			t.Errorf("reported %s, want %s", got, want)
		}
	})
}

func TestLabelHandlerCheck(t *testing.T) {
	if w := postTo(&LabelHandler{Logger: slog.New(slog.DiscardHandler)}, "/generate", nil); w.Code != 503 {
		t.Errorf("the zero LabelHandler: got %d", w.Code)
	}
	generate := func(context.Context, []Label) ([]LabelFailure, error) { return nil, nil }
	for want, bad := range map[string]*LabelHandler{
		"no Generate":  {Access: Access{Guarded: true}},
		"anyone":       {Generate: generate},
		"Budget is 5s": {Generate: generate, Access: Access{Guarded: true}, Budget: AnswerTime},
	} {
		if err := bad.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want …%s…", err, want)
		}
	}
	if LabelCode("X").Known() || !LabelInTransit.Known() {
		t.Error("Known is wrong")
	}
}

// The bound was 5,000, and a callback about 4,000 labels was called no strict JSON, because that has no more values.
func TestAsManyLabelsAreReadAsTheBoundSays(t *testing.T) {
	all := slices.Repeat([]ulid.ULID{firstLabel}, maxRefs+1)
	if got, err := readRefs(refs(all[1:]...)); len(got) != maxRefs || err != nil {
		t.Errorf("got %d labels, %v, want %d", len(got), err, maxRefs)
	}
	if _, err := readRefs(refs(all...)); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("must be 1 to %d labels", maxRefs)) {
		t.Errorf("one more: got %v, want an error that names the bound", err)
	}
}
