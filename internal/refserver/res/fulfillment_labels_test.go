package res_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

const labelled = "fulfillment_order/label_status_updated <nil>"

// openLabels is a shop whose store has labels, with a fulfillment order.
func openLabels(t *testing.T) (*shop, parcel) {
	f := open(t)
	f.alter(func(tx *world.Tx) error { withLabels(tx); return nil })
	return f, f.parcel(world.Packed, nil)
}

func TestLabel(t *testing.T) {
	f, p := openLabels(t)
	w := f.send(f.token, "unstable POST /fulfillment-orders/labels", array{object{"id": p.id}})
	if w.Code != http.StatusAccepted {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	f.wantEvents()
	path := f.labelled(p, world.LabelStarted)
	label := path[strings.LastIndex(path, "/")+1:]
	f.want(f.object("unstable PATCH "+path, object{"status": "IN_PROGRESS"}), object{"id": label, "fulfillment_order_id": p.id, "status": "IN_PROGRESS", "documents": array{}, "tracking_info": nil, "reason": nil})
	f.wantEvents(labelled)
	before := len(f.happened)
	document := object{"type": "LABEL", "format": "PDF", "size": 123, "download_url_from_app": "https://app.example/l"}
	f.want(f.object("unstable PATCH "+path, object{"status": "READY_TO_DOWNLOAD", "documents": array{document}, "tracking_info": object{"code": "T1", "url": "https://t.example/1"}}), object{
		"status": "READY_TO_USE", "documents": array{object{"type": "LABEL", "format": "PDF", "size": 123, "download_url": "https://app.example/l"}},
		"tracking_info": object{"code": "T1", "url": "https://t.example/1"},
	})
	f.wantEvents(labelled, fmt.Sprint("order/updated ", p.orderID))
	for _, e := range f.happened[before:] {
		if e.Name == "fulfillment_order/label_status_updated" {
			f.want(plain(e.Fields), object{"order_id": p.orderID, "fulfillment_id": p.id, "label_id": label, "status": "READY_TO_USE", "tracking_info": object{"code": "T1", "url": "https://t.example/1"}, "reason": "absent"})
		}
	}
	f.want(f.object("GET "+p.path, nil), object{"tracking_info.code": "T1"})
	f.want(f.object("unstable POST "+path+"/download", nil), object{"status": "DOWNLOADED", "documents.0.format": "PDF"})
	f.wantEvents(labelled)
	f.want(f.object("unstable POST "+path+"/download", nil), object{"status": "DOWNLOADED"})
	f.wantEvents()
}

// TestLabelStates tries every report about a label of every status.
func TestLabelStates(t *testing.T) {
	allowed := map[world.LabelStatus][]string{
		"STARTED":      {"IN_PROGRESS", "CANCELED"},
		"IN_PROGRESS":  {"FAILED", "CANCELED", "READY_TO_DOWNLOAD"},
		"READY_TO_USE": {"CANCELED"},
		"DOWNLOADED":   {"CANCELED"},
	}
	f, p := openLabels(t)
	begin := f.World().Snapshot()
	for _, from := range res.LabelStates().States {
		for _, to := range []string{"IN_PROGRESS", "FAILED", "CANCELED", "READY_TO_DOWNLOAD"} {
			f.World().Restore(begin)
			path := f.labelled(p, from)
			body := object{"status": to, "reason": object{"type": "OTHER_ERROR", "message": "m"}}
			if to == "READY_TO_DOWNLOAD" {
				body["documents"] = array{object{"type": "LABEL", "format": "ZPL", "size": 1, "download_url_from_app": "https://app.example/l"}}
			}
			w := f.send(f.token, "unstable PATCH "+path, body)
			if ok := slices.Contains(allowed[from], to); (w.Code == http.StatusOK) != ok || !ok && w.Code != http.StatusBadRequest {
				t.Errorf("%s to %s: %d %s", from, to, w.Code, w.Body)
			}
		}
		f.World().Restore(begin)
		path := f.labelled(p, from)
		w := f.send(f.token, "unstable POST "+path+"/download", nil)
		if ok := from == "READY_TO_USE" || from == "DOWNLOADED"; (w.Code == http.StatusOK) != ok {
			t.Errorf("download of %s: %d %s", from, w.Code, w.Body)
		}
	}
}

func TestLabelsInBulk(t *testing.T) {
	f, p := openLabels(t)
	one, two := f.labelled(p, world.LabelStarted), f.labelled(p, world.LabelInProgress)
	name := func(path string) string { return path[strings.LastIndex(path, "/")+1:] }
	got, _ := f.do("unstable PATCH /fulfillment-orders/labels/status", array{object{"id": p.id, "labels": array{
		object{"id": name(one), "status": "CANCELED"},
		object{"id": name(two), "status": "FAILED", "reason": object{"type": "OTHER_ERROR", "message": "m"}},
	}}}).(array)
	f.want(got, object{"0.id": p.id, "0.labels.0.status": "CANCELED", "0.labels.1.status": "FAILED", "0.labels.1.reason": object{"type": "OTHER_ERROR", "message": "m"}})
	f.wantEvents(labelled, labelled)
	ready := f.labelled(p, world.LabelInProgress)
	f.do("unstable PATCH /fulfillment-orders/labels/status", array{object{"id": p.id, "labels": array{object{"id": name(ready), "status": "READY_TO_DOWNLOAD",
		"documents":     array{object{"type": "LABEL", "format": "PDF", "size": 1, "download_url_from_app": "https://app.example/l"}},
		"tracking_info": object{"code": "T1"}}}}})
	f.wantEvents(labelled, fmt.Sprint("order/updated ", p.orderID))
	f.want(f.object("GET "+p.path, nil), object{"tracking_info.code": "T1"})
	l := f.World().Limits()
	if l.LabelBatch != 200 || l.Labels != 10 {
		t.Errorf("%d fulfillment orders of %d labels, the contract has 200 of 10", l.LabelBatch, l.Labels)
	}
}

// A label that is not ready after half an hour has failed, and that is told when it
// is found out.
func TestLabelExpires(t *testing.T) {
	f, p := openLabels(t)
	f.labelled(p, world.LabelStarted)
	f.clock.Advance(29 * time.Minute)
	f.wantEvents()
	f.do("unstable POST /fulfillment-orders/labels", array{object{"id": p.id}})
	f.clock.Advance(2 * time.Minute)
	f.wantEvents(labelled)
	f.clock.Advance(29 * time.Minute)
	f.wantEvents(labelled)
}

func TestLabelsAreAFeature(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Packed, nil)
	labels := array{object{"id": p.id}}
	if w := f.send(f.token, "unstable POST /fulfillment-orders/labels", labels); w.Code != http.StatusForbidden {
		t.Errorf("without the feature: %d %s", w.Code, w.Body)
	}
	f.alter(func(tx *world.Tx) error { withLabels(tx); return nil })
	for _, version := range []string{"v1", "2025-03"} {
		if w := f.send(f.token, version+" POST /fulfillment-orders/labels", labels); w.Code != http.StatusNotFound {
			t.Errorf("in %s: %d %s", version, w.Code, w.Body)
		}
	}
	if w := f.send(f.install(world.Scopes{"read_fulfillment_orders"}), "unstable POST /fulfillment-orders/labels", labels); w.Code != http.StatusForbidden {
		t.Errorf("without the scope: %d %s", w.Code, w.Body)
	}
}
