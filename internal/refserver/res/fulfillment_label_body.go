package res

import (
	"slices"

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

func readLabelReport(b form) labelReport {
	var r labelReport
	var status string
	b.text("status", &status)
	r.status = world.LabelStatus(status)
	if !slices.Contains([]world.LabelStatus{world.LabelInProgress, world.LabelReadyToDownload, world.LabelFailed, world.LabelCanceled}, r.status) {
		b.wrong.add(b.at("status"), badLabelStatus)
	}
	if r.status == world.LabelReadyToDownload || b.has("documents") {
		b.array("documents", maxDocuments, func(b form) { r.documents = append(r.documents, readLabelDocument(b)) })
	}
	b.object("reason", func(b form) {
		b.text("type", &r.reason.Type)
		b.text("message", &r.reason.Message)
	})
	patchTrackingInfo(b, &r.tracking)
	return r
}

// maxDocuments is assumed: a label has one file of each format, and some to spare.
const maxDocuments = 10

func readLabelDocument(b form) world.LabelDocument {
	var d world.LabelDocument
	b.need("type", &d.Type)
	b.text("format", &d.Format)
	if d.Format != "PDF" && d.Format != "ZPL" {
		b.wrong.add(b.at("format"), badFormat)
	}
	value(b, "size", beNumber, &d.Size)
	b.need("download_url_from_app", &d.URL)
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
