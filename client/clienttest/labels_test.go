package clienttest_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// TestLabels goes from the request of a label to its cancellation.
func TestLabels(t *testing.T) {
	srv, ctx := clienttest.New(t, clienttest.Options{Demo: true, Features: []string{client.FeatureFulfillmentLabels}}), t.Context()
	status, takes := http.StatusAccepted, time.Duration(0)
	var paths []string
	_ = srv.Partner("https://post.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.Path)
		_ = clienttest.Spend(r.Context(), takes)
		w.WriteHeader(status)
	}))
	id, err := addCarrier(ctx, srv, fields{"callback_labels_url": "https://post.example/labels"})
	if err != nil {
		t.Fatal(err)
	}
	c := srv.Client()
	var orders []struct {
		ID     client.ID `json:"id"`
		Status string    `json:"shipping_status"`
	}
	if err := c.Do(ctx, client.Request{Method: http.MethodGet, Path: "/orders"}, &orders); err != nil {
		t.Fatal(err)
	}
	var parcel ulid.ULID
	for _, o := range orders {
		if o.Status != "unpacked" {
			continue
		}
		var list []struct {
			ID ulid.ULID `json:"id"`
		}
		path := fmt.Sprintf("/orders/%s/fulfillment-orders", o.ID)
		if err := c.Do(ctx, client.Request{Method: http.MethodGet, Path: path}, &list); err != nil {
			t.Fatal(err)
		}
		parcel = list[0].ID
		body := fields{"shipping": fields{"carrier": fields{"carrier_id": id.String()}}}
		if err := c.Do(ctx, client.Request{Method: http.MethodPatch, Path: path + "/" + parcel.String(), Body: body}, nil); err != nil {
			t.Fatal(err)
		}
		break
	}
	calls, err := srv.RequestLabels(ctx, parcel)
	if err != nil || len(calls) != 1 {
		t.Fatalf("%+v, %v", calls, err)
	}
	call := calls[0]
	l := call.Labels[0]
	if call.Kind != "generate" || call.CarrierID != id || call.Status != 202 || call.Try != 1 || !call.Next.IsZero() || l.FulfillmentOrderID != parcel || !l.OK || l.Status != "STARTED" {
		t.Errorf("call %+v", call)
	}
	for _, undo := range []func() ([]clienttest.LabelCall, error){
		func() ([]clienttest.LabelCall, error) { return srv.SuspendLabels(ctx, l.LabelID) },
		func() ([]clienttest.LabelCall, error) { return srv.ReactivateLabels(ctx, l.LabelID) },
		func() ([]clienttest.LabelCall, error) { return srv.CancelLabels(ctx, l.LabelID) },
	} {
		status = http.StatusNoContent
		if calls, err = undo(); err != nil || !calls[0].Labels[0].OK {
			t.Errorf("%+v, %v", calls, err)
		}
	}
	if calls[0].Labels[0].Status != "CANCELED" {
		t.Errorf("cancelled: %+v", calls[0])
	}
	if _, err := srv.CancelLabels(ctx, l.LabelID); err == nil {
		t.Error("a cancelled label was cancelled again")
	}
	// What an app asks for over the API reaches the carrier by itself.
	err = c.Do(ctx, client.Request{Version: client.VersionUnstable, Method: http.MethodPost, Path: "/fulfillment-orders/labels", Body: []fields{{"id": parcel.String()}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := srv.Settle(ctx); err != nil {
		t.Fatal(err)
	}
	takes = 5 * time.Second
	if calls, err = srv.RequestLabels(ctx, parcel); err != nil || !calls[0].Late || calls[0].Next != srv.Clock().Now().Add(2*time.Second) {
		t.Errorf("late: %+v, %v", calls, err)
	}
	srv.Clock().Advance(6 * time.Second)
	all := srv.LabelCalls()
	if last := all[len(all)-1]; len(all) != 9 || last.Try != 4 || last.Labels[0].Status != "FAILED" {
		t.Errorf("%d calls, the last %+v", len(all), last)
	}
	if want := "[/labels/generate /labels/suspension /labels/reactivate /labels/cancel /labels/generate /labels/generate /labels/generate /labels/generate /labels/generate]"; fmt.Sprint(paths) != want {
		t.Errorf("paths %v", paths)
	}
}
