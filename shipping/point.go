package shipping

import (
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Point is a pickup point where the customer collects a parcel.
type Point struct {
	Address Address // of the pickup point
	// Hours are the opening hours, at least one. Hours that end before they start extend over midnight and are sent
	// as two.
	Hours []Hours
	// Availability reports whether all items are in stock at the point. It is true by default.
	Availability client.Opt[bool]
}

// Address is the address of a pickup point. Empty members are written as null.
type Address struct {
	// Address is the street. It is required.
	Address  client.Code `json:"address"`
	Number   client.Code `json:"number"`   // house number, may contain letters
	Floor    client.Code `json:"floor"`    // floor or apartment
	Locality client.Code `json:"locality"` // quarter or part of the city
	City     client.Code `json:"city"`     // city or town
	Province client.Code `json:"province"` // province or state
	// Country is an ISO 3166-1 code such as AR.
	Country client.Code `json:"country"`
	Phone   client.Code `json:"phone"`   // phone number
	Zipcode client.Code `json:"zipcode"` // postal code
	// Latitude and Longitude are decimal degrees, -90 to 90 and -180 to 180. Set both or neither.
	Latitude  client.Code `json:"latitude"`
	Longitude client.Code `json:"longitude"`
}

// Hours are the opening hours on one day, such as time.Monday from "0900" to "1800".
type Hours struct {
	Day time.Weekday `json:"day"` // 0 is Sunday
	// Start and End have the format HHMM, 0000 to 2359.
	Start string `json:"start"`
	End   string `json:"end"`
}

func (a Address) check() error {
	for _, m := range []struct {
		name string
		text client.Code
	}{
		{"number", a.Number}, {"floor", a.Floor}, {"locality", a.Locality}, {"city", a.City}, {"province", a.Province},
		{"phone", a.Phone}, {"zipcode", a.Zipcode},
	} {
		if m.text != "" && !wire.IsLine(string(m.text)) {
			return engine.Invalid("address."+m.name, m.text, "a text in one line")
		}
	}
	switch {
	case !wire.IsLine(string(a.Address)):
		return engine.Invalid("address.address", a.Address, "a street")
	case a.Country != "" && !isCountry(string(a.Country)):
		return engine.Invalid("address.country", a.Country, "two capital letters")
	case (a.Latitude == "") != (a.Longitude == ""):
		return engine.Invalid("address.longitude", a.Longitude, "a longitude with a latitude, or neither")
	case a.Latitude != "" && !isDegrees(string(a.Latitude), 90):
		return engine.Invalid("address.latitude", a.Latitude, "a decimal from -90 to 90")
	case a.Longitude != "" && !isDegrees(string(a.Longitude), 180):
		return engine.Invalid("address.longitude", a.Longitude, "a decimal from -180 to 180")
	}
	return nil
}

func isCountry(s string) bool {
	return len(s) == 2 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'A' && s[1] <= 'Z'
}

// isDegrees reports whether s is a decimal between -limit and limit.
func isDegrees(s string, limit int64) bool {
	for _, r := range s {
		if r != '-' && r != '.' && (r < '0' || r > '9') {
			return false
		}
	}
	var digits [mostDigits]byte
	if _, ok := parse(s, &digits); !ok {
		return false
	}
	d, err := Number(s).Decimal()
	return err == nil && d.Abs().Cmp(client.Cents(limit*100).Decimal()) <= 0
}

// written returns the hours in the platform's form. Hours over midnight are split in two.
func written(hours []Hours) ([]Hours, error) {
	if len(hours) == 0 {
		return nil, engine.Invalid("hours", 0, "one at least")
	}
	all := make([]Hours, 0, len(hours))
	for i, h := range hours {
		field := func(name string) string { return fmt.Sprintf("hours[%d].%s", i, name) }
		switch {
		case h.Day < time.Sunday || h.Day > time.Saturday:
			return nil, engine.Invalid(field("day"), int(h.Day), "0 to 6")
		case !isClock(h.Start):
			return nil, engine.Invalid(field("start"), h.Start, "HHMM, 0000 to 2359")
		case !isClock(h.End):
			return nil, engine.Invalid(field("end"), h.End, "HHMM, 0000 to 2359")
		case h.Start == h.End:
			return nil, engine.Invalid(field("end"), h.End, "another time than start")
		case h.Start < h.End:
			all = append(all, h)
			continue
		}
		const midnight, last = "0000", "2359"
		if h.Start < last {
			all = append(all, Hours{h.Day, h.Start, last})
		}
		if midnight < h.End {
			all = append(all, Hours{(h.Day + 1) % 7, midnight, h.End})
		}
	}
	if len(all) == 0 { // only the minute before midnight
		return nil, engine.Invalid("hours", len(hours), "more than the last minute of a day")
	}
	return all, nil
}

// isClock reports whether s is HHMM.
func isClock(s string) bool {
	return len(s) == 4 && digitsOnly(s) && s[:2] < "24" && s[2:] < "60"
}
