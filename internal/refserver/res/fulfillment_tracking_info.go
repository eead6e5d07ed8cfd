package res

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type trackingInfoJSON struct {
	URL  *string `json:"url"`
	Code *string `json:"code"`
}

type trackingChangeJSON struct {
	From       trackingInfoJSON `json:"from_tracking_info"`
	To         trackingInfoJSON `json:"to_tracking_info"`
	HappenedAt string           `json:"happened_at"`
	CreatedAt  string           `json:"created_at"`
	AppID      *int64           `json:"app_id"`
	UserID     *int64           `json:"user_id"` // null: apps act, nobody in person
}

func trackingInfoOnWire(t world.TrackingInfo) trackingInfoJSON {
	return trackingInfoJSON{URL: api.TextOrNil(t.URL), Code: api.TextOrNil(t.Code)}
}

func trackingChangeOnWire(c world.TrackingChange) trackingChangeJSON {
	return trackingChangeJSON{
		From:       trackingInfoOnWire(c.From),
		To:         trackingInfoOnWire(c.To),
		HappenedAt: colonStamp(c.HappenedAt),
		CreatedAt:  colonStamp(c.CreatedAt),
		AppID:      idOrNull(c.AppID),
	}
}

// track gives the fulfillment order tracking information. Equal information changes nothing.
func track(tx *world.Tx, f world.FulfillmentOrder, to world.TrackingInfo) world.FulfillmentOrder {
	if f.Tracking == to {
		return f
	}
	f.TrackingHistory = append(slices.Clone(f.TrackingHistory), world.TrackingChange{
		From: f.Tracking, To: to, HappenedAt: tx.Now(), CreatedAt: tx.Now(), AppID: tx.App().ID,
	})
	f.Tracking, f.UpdatedAt = to, tx.Now()
	return f
}
