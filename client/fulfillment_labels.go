package client

import (
	"context"
	"fmt"
	"net/http"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// MaxLabelOrders is the maximum number of fulfillment orders of one UpdateStatuses call.
const MaxLabelOrders = 200

// LabelStatus is the state of a shipping label. It changes from started to in progress, and then to failed, canceled or
// ready. A label cannot return to an earlier state or skip a state.
type LabelStatus string

// The values of LabelStatus.
const (
	LabelStarted    LabelStatus = "STARTED"     // requested; nobody has begun to make it
	LabelInProgress LabelStatus = "IN_PROGRESS" // the carrier is making it
	// LabelReadyToDownload is set by the carrier's app. The platform then downloads the documents and sets
	// LabelReadyToUse.
	LabelReadyToDownload LabelStatus = "READY_TO_DOWNLOAD"
	LabelReadyToUse      LabelStatus = "READY_TO_USE" // it can be downloaded from the platform
	LabelDownloaded      LabelStatus = "DOWNLOADED"   // somebody has downloaded it
	LabelFailed          LabelStatus = "FAILED"       // there is no label; the reason is in LabelReasonInput
	LabelCanceled        LabelStatus = "CANCELED"     // it was cancelled and the carrier agreed
	LabelSuspended       LabelStatus = "SUSPENDED"    // it is suspended
)

// Known reports whether the contract names the value.
func (s LabelStatus) Known() bool {
	return wire.Known(s,
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
	TrackingInfo Opt[LabelTrackingInput] `json:"tracking_info,omitzero"` // the carrier's tracking
	// Reason is required for LabelFailed.
	Reason Opt[LabelReasonInput] `json:"reason,omitzero"`
}

// LabelDocumentInput is a file that the platform downloads from the app.
type LabelDocumentInput struct {
	// Type is "LABEL". Format is "PDF" or "ZPL".
	Type   string `json:"type"`
	Format string `json:"format"`
	// Size is in bytes.
	Size               int64  `json:"size"`
	DownloadURLFromApp string `json:"download_url_from_app"` // an HTTPS URL
}

// LabelTrackingInput is the carrier's tracking of a shipment.
type LabelTrackingInput struct {
	Code string `json:"code,omitzero"` // the carrier's tracking code
	URL  string `json:"url,omitzero"`  // where the customer can track the shipment
}

// LabelReasonInput is the reason why there is no label.
type LabelReasonInput struct {
	// Type is a code such as OTHER_ERROR.
	Type    string `json:"type"`
	Message string `json:"message,omitzero"` // an explanation
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

// LabelService manages the labels of fulfillment orders with the scope write_fulfillment_orders. Only version unstable
// has it, and only for stores with FeatureFulfillmentLabels. For other stores it fails with ErrForbidden. The contract
// does not show the responses of the endpoints. Use Client.Do to read them.
type LabelService engine.Service

// Request requests labels for fulfillment orders. The carrier makes them later.
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

// Update changes the status of a label that the carrier's app makes. A label that is still in progress after 30 minutes
// fails.
//
//api:endpoint PATCH /fulfillment-orders/{fulfillment_order_id}/labels/{label_id}
func (s *LabelService) Update(ctx context.Context, fulfillmentOrderID, id ulid.ULID, in LabelInput) error {
	if err := in.check(); err != nil {
		return err
	}
	return engine.Do(ctx, s, engine.Request{Method: http.MethodPatch, Path: "/fulfillment-orders/{fulfillment_order_id}/labels/{label_id}",
		Args: []any{fulfillmentOrderID, id}, Body: in}, nil)
}

// UpdateStatuses changes labels of up to MaxLabelOrders fulfillment orders, with 1 to 10 labels each. The contract does
// not show the body, so it is sent unchanged.
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
