package world

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Label is a shipping label that was asked for from the carrier of a fulfillment
// order.
type Label struct {
	// ID is a ULID.
	ID                 string
	FulfillmentOrderID string
	Status             LabelStatus
	// AppID is the app that asked, 0 for none.
	AppID     int64
	Documents []LabelDocument
	Tracking  TrackingInfo
	// Reason is why it failed; its Type is empty for null.
	Reason LabelReason
	// AskedAt is when its carrier was first asked for it, zero if it was not.
	AskedAt   time.Time
	CreatedAt time.Time
	UpdatedAt time.Time
}

// LabelStatus is how far a label is.
type LabelStatus string

// The statuses of a label.
const (
	LabelStarted         LabelStatus = "STARTED"
	LabelInProgress      LabelStatus = "IN_PROGRESS"
	LabelFailed          LabelStatus = "FAILED"
	LabelCanceled        LabelStatus = "CANCELED"
	LabelReadyToDownload LabelStatus = "READY_TO_DOWNLOAD"
	LabelReadyToUse      LabelStatus = "READY_TO_USE"
	LabelDownloaded      LabelStatus = "DOWNLOADED"
)

// LabelDocument is a file of a label.
type LabelDocument struct {
	Type string
	// Format is PDF or ZPL.
	Format string
	// Size is in bytes.
	Size int64
	URL  string
}

// LabelReason is why there is no label.
type LabelReason struct {
	Type    string
	Message string
}

// Indexes find the labels of a fulfillment order.
func (l Label) Indexes() []table.Entry {
	return []table.Entry{table.Multi("fulfillment_order", l.FulfillmentOrderID)}
}
