package client

import (
	"context"
	"fmt"
	"net/http"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/enum"
)

// MaxLabelOrders is the number of fulfillment orders that UpdateStatuses takes.
const MaxLabelOrders = 200

// LabelStatus is the state of a shipping label. It moves from started through in
// progress to failed, canceled or ready; there is no way back and no skipping.
type LabelStatus string

// The values of LabelStatus.
const (
	LabelStarted    LabelStatus = "STARTED"     // asked for, and nobody has begun it
	LabelInProgress LabelStatus = "IN_PROGRESS" // the carrier is making it
	// LabelReadyToDownload is set by the carrier's app; the platform then fetches the
	// documents and sets LabelReadyToUse.
	LabelReadyToDownload LabelStatus = "READY_TO_DOWNLOAD"
	LabelReadyToUse      LabelStatus = "READY_TO_USE" // it can be downloaded from the platform
	LabelDownloaded      LabelStatus = "DOWNLOADED"   // somebody has downloaded it
	LabelFailed          LabelStatus = "FAILED"       // there is none; the reason says why
	LabelCanceled        LabelStatus = "CANCELED"     // it was cancelled, and the carrier agreed
	LabelSuspended       LabelStatus = "SUSPENDED"    // it is suspended
)

// Known reports whether the contract names the value.
func (s LabelStatus) Known() bool {
	return enum.Known(s,
		LabelStarted, LabelInProgress, LabelReadyToDownload, LabelReadyToUse, LabelDownloaded, LabelFailed,
		LabelCanceled, LabelSuspended,
	)
}

// LabelInput is the body of LabelService.Update.
type LabelInput struct {
	// Status is required.
	Status LabelStatus `json:"status"`
	// Documents are required for LabelReadyToDownload.
	Documents    []LabelDocumentInput    `json:"documents,omitzero"`
	TrackingInfo Opt[LabelTrackingInput] `json:"tracking_info,omitzero"` // where the carrier's tracking is
	// Reason is required for LabelFailed.
	Reason Opt[LabelReasonInput] `json:"reason,omitzero"`
}

// LabelDocumentInput is a file that the platform fetches from the app.
type LabelDocumentInput struct {
	// Type is "LABEL", Format "PDF" or "ZPL".
	Type   string `json:"type"`
	Format string `json:"format"`
	// Size is in bytes.
	Size               int64  `json:"size"`
	DownloadURLFromApp string `json:"download_url_from_app"` // an HTTPS address
}

// LabelTrackingInput leads to the carrier's tracking.
type LabelTrackingInput struct {
	Code string `json:"code,omitzero"` // the carrier's tracking code
	URL  string `json:"url,omitzero"`  // where the shipment can be followed
}

// LabelReasonInput tells why there is no label.
type LabelReasonInput struct {
	// Type is a word such as OTHER_ERROR.
	Type    string `json:"type"`
	Message string `json:"message,omitzero"` // in words
}

func (in LabelInput) check() error {
	if !in.Status.Known() {
		return engine.Invalid("status", in.Status, "a status of the contract")
	}
	if in.Status == LabelReadyToDownload && len(in.Documents) == 0 {
		return engine.Invalid("documents", len(in.Documents), "at least one document for "+string(LabelReadyToDownload))
	}
	if reason, _ := in.Reason.Get(); in.Status == LabelFailed && reason.Type == "" {
		return engine.Invalid("reason.type", reason.Type, "a reason for "+string(LabelFailed))
	}
	for i, d := range in.Documents {
		if d.Format != "PDF" && d.Format != "ZPL" {
			return engine.Invalid(fmt.Sprintf("documents[%d].format", i), d.Format, "PDF or ZPL")
		}
		if !secure(d.DownloadURLFromApp) {
			return engine.Invalid(fmt.Sprintf("documents[%d].download_url_from_app", i), d.DownloadURLFromApp, "an https URL")
		}
	}
	return nil
}

// LabelService acts on the labels of fulfillment orders with the scope
// write_fulfillment_orders. Only version unstable has it, and only for stores with
// FeatureFulfillmentLabels; others answer ErrForbidden. The contract does not show
// what the endpoints answer; Client.Do reads it.
type LabelService engine.Service

// Request asks for the labels of fulfillment orders. The carrier makes them later.
//
//api:endpoint POST /fulfillment-orders/labels
func (s *LabelService) Request(ctx context.Context, fulfillmentOrderIDs ...ulid.ULID) error {
	type item struct {
		ID ulid.ULID `json:"id"`
	}
	in := make([]item, len(fulfillmentOrderIDs))
	for i, id := range fulfillmentOrderIDs {
		in[i] = item{id}
	}
	if len(in) == 0 {
		return engine.Invalid("id", len(in), "at least one fulfillment order")
	}
	return engine.Do(ctx, s, engine.Request{Method: http.MethodPost, Path: "/fulfillment-orders/labels", Body: in}, nil)
}

// Update tells the platform about a label that the carrier's app makes. A label
// that is still in progress after 30 minutes fails.
//
//api:endpoint PATCH /fulfillment-orders/{fulfillment_order_id}/labels/{label_id}
func (s *LabelService) Update(ctx context.Context, fulfillmentOrderID, id ulid.ULID, in LabelInput) error {
	if err := in.check(); err != nil {
		return err
	}
	return engine.Do(ctx, s, engine.Request{Method: http.MethodPatch, Path: "/fulfillment-orders/{fulfillment_order_id}/labels/{label_id}",
		Args: []any{fulfillmentOrderID, id}, Body: in}, nil)
}

// UpdateStatuses changes labels of up to MaxLabelOrders fulfillment orders, with 1
// to 10 labels each. The contract does not show the body: it is sent as it is given.
//
//api:endpoint PATCH /fulfillment-orders/labels/status
func (s *LabelService) UpdateStatuses(ctx context.Context, body any) error {
	return engine.Do(ctx, s, engine.Request{Method: http.MethodPatch, Path: "/fulfillment-orders/labels/status", Body: body}, nil)
}

// Download marks a label as downloaded.
//
//api:endpoint POST /fulfillment-orders/{fulfillment_order_id}/labels/{label_id}/download
func (s *LabelService) Download(ctx context.Context, fulfillmentOrderID, id ulid.ULID) error {
	return engine.Do(ctx, s, engine.Request{Method: http.MethodPost, Path: "/fulfillment-orders/{fulfillment_order_id}/labels/{label_id}/download",
		Args: []any{fulfillmentOrderID, id}}, nil)
}
