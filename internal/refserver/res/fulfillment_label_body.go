package res

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type labelJSON struct {
	ID                 string              `json:"id"`
	FulfillmentOrderID string              `json:"fulfillment_order_id"`
	Status             string              `json:"status"`
	RequestedBy        requestedByJSON     `json:"requested_by"`
	Documents          []labelDocumentJSON `json:"documents"`
	TrackingInfo       *trackingInfoJSON   `json:"tracking_info"`
	Reason             *labelReasonJSON    `json:"reason"`
	CreatedAt          string              `json:"created_at"`
	UpdatedAt          string              `json:"updated_at"`
}

type requestedByJSON struct {
	AppID  *int64 `json:"app_id"`
	UserID *int64 `json:"user_id"`
}

type labelDocumentJSON struct {
	Type   string `json:"type"`
	Format string `json:"format"`
	Size   int64  `json:"size"`
	URL    string `json:"download_url"`
}

type labelReasonJSON struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// labelGroupJSON are labels of one fulfillment order.
type labelGroupJSON struct {
	ID     string      `json:"id"`
	Labels []labelJSON `json:"labels"`
}

func labelOnWire(l world.Label) labelJSON {
	out := labelJSON{
		ID:                 l.ID,
		FulfillmentOrderID: l.FulfillmentOrderID,
		Status:             string(l.Status),
		RequestedBy:        requestedByJSON{AppID: idOrNull(l.AppID)},
		Documents:          []labelDocumentJSON{},
		CreatedAt:          colonStamp(l.CreatedAt),
		UpdatedAt:          colonStamp(l.UpdatedAt),
	}
	for _, d := range l.Documents {
		out.Documents = append(out.Documents, labelDocumentJSON(d))
	}
	if l.Tracking != (world.TrackingInfo{}) {
		t := trackingInfoOnWire(l.Tracking)
		out.TrackingInfo = &t
	}
	if l.Reason != (world.LabelReason{}) {
		r := labelReasonJSON(l.Reason)
		out.Reason = &r
	}
	return out
}

// labelsOf are the labels of a fulfillment order in the order they were asked for.
func labelsOf(tx *world.Tx, fulfillment string) []world.Label {
	var out []world.Label
	for _, l := range tx.Labels.Where("fulfillment_order", fulfillment) {
		out = append(out, l)
	}
	return out
}

// labelReport is what a carrier's app says of a label.
type labelReport struct {
	status    world.LabelStatus
	documents []world.LabelDocument
	reason    world.LabelReason
	tracking  world.TrackingInfo
}

func readLabelReport(b body.Members) labelReport {
	var r labelReport
	var status string
	b.Text("status", &status)
	r.status = world.LabelStatus(status)
	if !slices.Contains([]world.LabelStatus{world.LabelInProgress, world.LabelReadyToDownload, world.LabelFailed, world.LabelCanceled}, r.status) {
		b.Refuse("status", badLabelStatus)
	}
	if r.status == world.LabelReadyToDownload || b.Has("documents") {
		b.Array("documents", maxDocuments, func(b body.Members) { r.documents = append(r.documents, readLabelDocument(b)) })
	}
	b.Object("reason", func(b body.Members) {
		b.Text("type", &r.reason.Type)
		b.Text("message", &r.reason.Message)
	})
	patchTrackingInfo(b, &r.tracking)
	return r
}

// maxDocuments is assumed: a label has one file of each format, and some to spare.
const maxDocuments = 10

func readLabelDocument(b body.Members) world.LabelDocument {
	var d world.LabelDocument
	b.Need("type", &d.Type)
	b.Text("format", &d.Format)
	if d.Format != "PDF" && d.Format != "ZPL" {
		b.Refuse("format", badFormat)
	}
	body.Value(b, "size", body.BeNumber, &d.Size)
	b.Need("download_url_from_app", &d.URL)
	return d
}

// apply moves the label as reported. Tracking information that comes along is that
// of the fulfillment order from now on.
func (r labelReport) apply(tx *world.Tx, fulfillment, id string) (world.Label, error) {
	f, l, err := label(tx, fulfillment, id)
	if err != nil {
		return l, err
	}
	if len(r.documents) > 0 {
		l.Documents = r.documents
	}
	l.Reason = r.reason
	if r.tracking != (world.TrackingInfo{}) {
		l.Tracking = r.tracking
		if err := keepFulfillmentOrder(tx, track(tx, f, r.tracking)); err != nil {
			return l, err
		}
	}
	return moveLabel(tx, f, l, reported, r.status)
}
