package value

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// CompletedAt is the time at which a sale was completed. The platform sends it as {date, timezone_type, timezone};
// every form of Time is read. The zero CompletedAt means "not completed" and is written as null.
type CompletedAt struct{ time.Time }

// Kinds of timezone in the form of CompletedAt on the wire.
const (
	zoneOffset = 1 // "-03:00"
	zoneName   = 3 // "UTC"
)

// MarshalJSON writes the object, or null for the zero CompletedAt.
func (c CompletedAt) MarshalJSON() ([]byte, error) {
	if c.IsZero() {
		return []byte("null"), nil
	}
	zone, kind := c.Location().String(), zoneName
	if zone == "" {
		zone, kind = c.Format("-07:00"), zoneOffset
	}
	return wire.Marshal(struct {
		Date     string `json:"date"`
		Kind     int    `json:"timezone_type"`
		Timezone string `json:"timezone"`
	}{c.Format("2006-01-02 15:04:05.000000"), kind, zone})
}

// UnmarshalJSON reads the object or another form of Time.
func (c *CompletedAt) UnmarshalJSON(data []byte) error {
	var t Time
	if err := t.UnmarshalJSON(data); err != nil {
		return err
	}
	c.Time = t.Time
	return nil
}
