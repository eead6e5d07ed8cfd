package res

import (
	"math"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func labelOps() []api.Op {
	write, unstable := []string{"write_fulfillment_orders"}, []string{api.Unstable}
	const feature = "fulfillment_order_label_api"
	const one = "/fulfillment-orders/{fulfillment_order_id}/labels/{label_id}"
	told := []string{"fulfillment_order/label_status_updated"}
	noOrder := api.ErrCase{Status: 404, Text: noSuchFulfillmentOrder}
	missing := []api.ErrCase{noOrder, {Status: 404, Text: noSuchLabel}}
	wrong := []api.ErrCase{
		{Status: 400, Text: "status: " + badLabelStatus},
		{Status: 400, Text: "documents: " + body.NotEmpty},
		{Status: 400, Text: "documents.0.format: " + badFormat},
		{Status: 400, Text: "documents.0.download_url_from_app: " + body.NotEmpty},
		{Status: 400, Text: "reason: " + body.BeObject},
		{Status: 400, Text: noLabelWay},
	}
	return []api.Op{
		{ID: "labels.create", Method: "POST", Path: "/fulfillment-orders/labels", Scopes: write, Versions: unstable, StoreFeature: feature, Success: 202,
			Provenance: api.Supplement, AsksCarriers: true, Handler: createLabels,
			Errors: []api.ErrCase{noOrder, {Status: 400, Text: "labels: " + body.BeArray},
				{Status: 400, Text: "labels: " + body.NotEmpty}, {Status: 400, Text: "labels.0.id: " + body.BeString}}},
		{ID: "labels.update", Method: "PATCH", Path: one, Scopes: write, Versions: unstable, StoreFeature: feature,
			Emits: append(told, "order/updated"), Provenance: api.Supplement, Errors: slices.Concat(missing, wrong), Handler: updateLabel},
		{ID: "labels.updateStatus", Method: "PATCH", Path: "/fulfillment-orders/labels/status", Scopes: write, Versions: unstable, StoreFeature: feature,
			Emits: append(told, "order/updated"), Provenance: api.Assumed, Handler: updateLabels,
			Errors: slices.Concat(missing, []api.ErrCase{
				{Status: 400, Text: "fulfillment_orders: " + body.BeArray},
				{Status: 400, Text: "fulfillment_orders: must contain no more than 200 elements"},
				{Status: 400, Text: "fulfillment_orders.0.labels: must contain no more than 10 elements"},
				{Status: 400, Text: "fulfillment_orders.0.labels: " + body.NotEmpty},
				{Status: 400, Text: "fulfillment_orders.0.labels.0.status: " + badLabelStatus},
				{Status: 400, Text: noLabelWay},
			})},
		{ID: "labels.download", Method: "POST", Path: one + "/download", Scopes: write, Versions: unstable, StoreFeature: feature, NoBody: true,
			Emits: told, Provenance: api.Assumed, Handler: downloadLabel,
			Errors: append(slices.Clone(missing), api.ErrCase{Status: 400, Text: notReady})},
	}
}

// Texts about labels, all assumed.
const (
	noSuchLabel    = "Label with such id does not exist"
	noLabelWay     = "The label cannot get this status"
	notReady       = "The label is not ready to use"
	badLabelStatus = "must be one of the following values: IN_PROGRESS, READY_TO_DOWNLOAD, FAILED, CANCELED"
	badFormat      = "must be one of the following values: PDF, ZPL"
)

// What moves a label: its carrier's app reports, or refuses to make it, the platform
// fetches the documents, somebody downloads them, or nothing happens for too long.
const (
	reported   = "report"
	refused    = "refuse"
	fetched    = "fetch"
	downloaded = "download"
	expired    = "expire"
)

// LabelStates is the table of labels. None goes back and none leaves a status out.
func LabelStates() api.Machine[world.LabelStatus] {
	return api.Machine[world.LabelStatus]{
		Name:    "label",
		Initial: world.LabelStarted,
		States: []world.LabelStatus{world.LabelStarted, world.LabelInProgress, world.LabelFailed, world.LabelCanceled,
			world.LabelReadyToDownload, world.LabelReadyToUse, world.LabelDownloaded},
		Edges: []api.Edge[world.LabelStatus]{
			{From: world.LabelStarted, On: reported, To: world.LabelInProgress},
			{From: world.LabelStarted, On: reported, To: world.LabelCanceled},
			{From: world.LabelStarted, On: refused, To: world.LabelFailed},
			{From: world.LabelStarted, On: expired, To: world.LabelFailed},
			{From: world.LabelInProgress, On: reported, To: world.LabelFailed},
			{From: world.LabelInProgress, On: reported, To: world.LabelCanceled},
			{From: world.LabelInProgress, On: reported, To: world.LabelReadyToDownload},
			{From: world.LabelInProgress, On: expired, To: world.LabelFailed},
			{From: world.LabelReadyToDownload, On: fetched, To: world.LabelReadyToUse},
			{From: world.LabelReadyToUse, On: reported, To: world.LabelCanceled},
			{From: world.LabelReadyToUse, On: downloaded, To: world.LabelDownloaded},
			{From: world.LabelDownloaded, On: reported, To: world.LabelCanceled},
		},
	}
}

// moveLabel gives a label a status and tells of it. Of READY_TO_DOWNLOAD nobody is
// told: the platform fetches the documents at once.
func moveLabel(tx *world.Tx, f world.FulfillmentOrder, l world.Label, on string, to world.LabelStatus) (world.Label, error) {
	if !LabelStates().Leads(l.Status, on, to) {
		return l, described(400, noLabelWay)
	}
	l.Status, l.UpdatedAt = to, tx.Now()
	if to == world.LabelReadyToDownload {
		return moveLabel(tx, f, l, fetched, world.LabelReadyToUse)
	}
	more := map[string]any{"label_id": l.ID, "status": string(to)}
	if l.Tracking != (world.TrackingInfo{}) {
		more["tracking_info"] = trackingInfoOnWire(l.Tracking)
	}
	if l.Reason != (world.LabelReason{}) {
		more["reason"] = labelReasonJSON(l.Reason)
	}
	tx.Emit("fulfillment_order/label_status_updated", fulfillmentPayload(f, more))
	return l, tx.Labels.Put(l.ID, l)
}

// expireLabel fails a label that has been too long in a status from which it has to go
// on, or that is not ready in the time in which it has to be there.
func expireLabel(tx *world.Tx, f world.FulfillmentOrder, l world.Label) (world.Label, error) {
	end, waits := labelEnd(tx.Limits(), l)
	if !waits || !tx.Now().After(end) {
		return l, nil
	}
	return moveLabel(tx, f, l, expired, world.LabelFailed)
}

// labelEnd is until when a label may stay as it is; false if it may for ever.
func labelEnd(limits world.Limits, l world.Label) (time.Time, bool) {
	if len(LabelStates().Next(l.Status, expired)) == 0 {
		return time.Time{}, false
	}
	end, last := l.UpdatedAt.Add(limits.LabelPatience), l.CreatedAt.Add(limits.LabelDeadline)
	if last.Before(end) {
		end = last
	}
	return end, true
}

func createLabels(tx *world.Tx, in *api.In) (any, error) {
	var ids []string
	wrong := body.ReadArray(in, "labels", math.MaxInt, func(b body.Members) { // no rule says how many
		var id string
		b.Need("id", &id)
		ids = append(ids, id)
	})
	if err := wrong.Described(); err != nil {
		return nil, err
	}
	out := []labelJSON{}
	for _, id := range ids {
		l, err := addLabel(tx, id)
		if err != nil {
			return nil, err
		}
		out = append(out, labelOnWire(l))
	}
	return out, nil
}

// addLabel begins a label of a fulfillment order for the app that acts.
func addLabel(tx *world.Tx, id string) (world.Label, error) {
	f, ok := tx.FulfillmentOrders.Get(id)
	if !ok {
		return world.Label{}, described(404, noSuchFulfillmentOrder)
	}
	l := world.Label{ID: tx.NewULID(), FulfillmentOrderID: f.ID, Status: world.LabelStarted, AppID: tx.App().ID, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
	return l, tx.Labels.Put(l.ID, l)
}

// label is the one with the id, which is the fulfillment order's.
func label(tx *world.Tx, fulfillment, id string) (world.FulfillmentOrder, world.Label, error) {
	f, ok := tx.FulfillmentOrders.Get(fulfillment)
	if !ok {
		return f, world.Label{}, described(404, noSuchFulfillmentOrder)
	}
	l, ok := tx.Labels.Get(id)
	if !ok || l.FulfillmentOrderID != f.ID {
		return f, l, described(404, noSuchLabel)
	}
	l, err := expireLabel(tx, f, l)
	return f, l, err
}

func updateLabel(tx *world.Tx, in *api.In) (any, error) {
	if _, _, err := label(tx, in.Var("fulfillment_order_id"), in.Var("label_id")); err != nil {
		return nil, err
	}
	b, err := body.Read(in)
	if err != nil {
		return nil, err
	}
	report := readLabelReport(b)
	if err := b.Done(in).Described(); err != nil {
		return nil, err
	}
	l, err := report.apply(tx, in.Var("fulfillment_order_id"), in.Var("label_id"))
	if err != nil {
		return nil, err
	}
	return labelOnWire(l), nil
}

// updateLabels takes an array of {id, labels: [{id, status, ...}]} and does all of it
// or nothing.
func updateLabels(tx *world.Tx, in *api.In) (any, error) {
	type group struct {
		ID     string
		ids    []string
		report []labelReport
	}
	var groups []group
	wrong := body.ReadArray(in, "fulfillment_orders", tx.Limits().LabelBatch, func(b body.Members) {
		var g group
		b.Need("id", &g.ID)
		b.Array("labels", tx.Limits().Labels, func(b body.Members) {
			var id string
			b.Need("id", &id)
			g.ids, g.report = append(g.ids, id), append(g.report, readLabelReport(b))
		})
		groups = append(groups, g)
	})
	if err := wrong.Described(); err != nil {
		return nil, err
	}
	out := []labelGroupJSON{}
	for _, g := range groups {
		shown := labelGroupJSON{ID: g.ID}
		for i, id := range g.ids {
			l, err := g.report[i].apply(tx, g.ID, id)
			if err != nil {
				return nil, err
			}
			shown.Labels = append(shown.Labels, labelOnWire(l))
		}
		out = append(out, shown)
	}
	return out, nil
}

// downloadLabel gives the documents, as often as they are asked for.
func downloadLabel(tx *world.Tx, in *api.In) (any, error) {
	f, l, err := label(tx, in.Var("fulfillment_order_id"), in.Var("label_id"))
	if err != nil {
		return nil, err
	}
	switch l.Status {
	case world.LabelReadyToUse:
		l, err = moveLabel(tx, f, l, downloaded, world.LabelDownloaded)
	case world.LabelDownloaded:
	default:
		return nil, described(400, notReady)
	}
	if err != nil {
		return nil, err
	}
	return labelOnWire(l), nil
}
