package carrier

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// rate is one that a carrier has answered.
type rate struct {
	code, kind, name         string
	price, merchant          decimal.Decimal
	currency                 string
	earliest, latest         time.Time
	idRequired, phone, noCOD bool
	// reference is nil for null.
	reference *string
	noStock   bool
	// point has the address and the hours of a pickup rate, as they were answered.
	point json.RawMessage
	// unread are the paths of the members that nothing has read, "address.zip".
	unread []string
}

// ratesJSON is an answer, with each rate as it was written.
type ratesJSON struct {
	Rates *[]json.RawMessage `json:"rates"`
}

// rates are those of an answer.
func rates(answer []byte) ([]json.RawMessage, error) {
	if len(answer) > delivery.MaxReply {
		return nil, fmt.Errorf("the answer is longer than %d bytes", delivery.MaxReply)
	}
	var body ratesJSON
	if err := json.Unmarshal(answer, &body); err != nil || body.Rates == nil {
		return nil, errors.New("the answer: must be an object with the array rates")
	}
	return *body.Rates, nil
}

// readRate reads a rate and returns its faults. A rate with faults has the fields that could be read.
func readRate(raw json.RawMessage) (rate, error) {
	var m members
	if err := json.Unmarshal(raw, &m.by); err != nil || m.by == nil {
		return rate{}, errors.New("rate: must be an object")
	}
	m.read = map[string]bool{}
	r := rate{code: m.text("code"), name: m.text("name"), kind: m.text("type"), currency: m.text("currency"), price: m.amount("price")}
	if r.kind != world.Ship && r.kind != world.Pickup {
		m.wrong("type %q: must be ship or pickup", r.kind)
	}
	if !isCurrency(r.currency) {
		m.wrong("currency %q: must be an ISO 4217 code", r.currency)
	}
	r.merchant = r.price
	if m.has("price_merchant") {
		r.merchant = m.amount("price_merchant")
	}
	r.earliest, r.latest = m.date("min_delivery_date"), m.date("max_delivery_date")
	r.idRequired, r.phone, r.noCOD = m.is("id_required", false), m.is("phone_required", false), !m.is("accepts_cod", true)
	if m.has("reference") && json.Unmarshal(m.by["reference"], &r.reference) != nil {
		m.wrong("reference: must be a string")
	}
	if r.kind == world.Pickup {
		r.noStock = !m.is("availability", true)
		r.point = m.point()
	}
	r.unread = m.unread()
	return r, m.err
}

// isCurrency goes by the form of the codes only: which of them are shown is decided by
// the currency of the request.
func isCurrency(s string) bool {
	return len(s) == 3 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// members are those of an object, and the first thing that is wrong with them.
type members struct {
	at  string
	by  map[string]json.RawMessage
	err error
	// read are the names that were asked for, and within the paths of unread members of these.
	read   map[string]bool
	within []string
}

// unread returns the paths of the members that nothing has asked for. All of a rate are asked for by has.
func (m *members) unread() []string {
	out := m.within
	for name := range m.by {
		if !m.read[name] {
			out = append(out, name)
		}
	}
	return out
}

// add notes the unread members of a member.
func (m *members) add(name string, unread []string) {
	for _, path := range unread {
		m.within = append(m.within, name+"."+path)
	}
}

func (m *members) wrong(format string, args ...any) {
	if m.err == nil {
		m.err = fmt.Errorf("%s%s", m.at, fmt.Sprintf(format, args...))
	}
}

// has is false for null too.
func (m *members) has(name string) bool {
	m.read[name] = true
	raw, ok := m.by[name]
	return ok && !bytes.Equal(raw, []byte("null"))
}

// text is a string that has to be there and to have something in it.
func (m *members) text(name string) string {
	var s string
	if !m.has(name) {
		m.wrong("%s is missing", name)
	} else if json.Unmarshal(m.by[name], &s) != nil || s == "" {
		m.wrong("%s: must be a string that is not empty", name)
	}
	return s
}

// maxPrice bounds a price, so that it can be shown.
const maxPrice = 1_000_000_000_000

// amount is a number that has to be there.
func (m *members) amount(name string) decimal.Decimal {
	if !m.has(name) {
		m.wrong("%s is missing", name)
		return decimal.Zero
	}
	var n float64
	const longest = 40
	if json.Unmarshal(m.by[name], &n) != nil || len(m.by[name]) > longest || n < 0 || n > maxPrice {
		m.wrong("%s: must be a number from 0 to %d", name, maxPrice)
		return decimal.Zero
	}
	d, err := decimal.NewFromString(string(m.by[name]))
	if err != nil || d.Exponent() < -2*longest {
		m.wrong("%s: must be a number with fewer decimals", name)
		return decimal.Zero
	}
	return d.Round(2)
}

// date is a time, zero for null or none.
func (m *members) date(name string) time.Time {
	if !m.has(name) {
		return time.Time{}
	}
	var s string
	if json.Unmarshal(m.by[name], &s) != nil {
		m.wrong("%s: must be an ISO 8601 time", name)
		return time.Time{}
	}
	t, err := api.ParseTime(s)
	if err != nil {
		m.wrong("%s %q: must be an ISO 8601 time", name, s)
	}
	return t
}

func (m *members) is(name string, otherwise bool) bool {
	if !m.has(name) {
		return otherwise
	}
	var b bool
	if json.Unmarshal(m.by[name], &b) != nil {
		m.wrong("%s: must be true or false", name)
		return otherwise
	}
	return b
}

// point is where a pickup rate leads to and when it is open.
func (m *members) point() json.RawMessage {
	if !m.has("address") || !m.has("hours") {
		m.wrong("address and hours: must both be there, because the type is pickup")
		return nil
	}
	place := members{at: "address: ", read: map[string]bool{}}
	if json.Unmarshal(m.by["address"], &place.by) != nil {
		m.wrong("address: must be an object")
		return nil
	}
	for _, name := range strings.Fields("address number floor locality city province country phone zipcode latitude longitude") {
		var s string
		if place.has(name) && json.Unmarshal(place.by[name], &s) != nil {
			place.wrong("%s: must be a string or null", name)
		}
	}
	m.add("address", place.unread())
	hours := readHours(m.by["hours"])
	m.add("hours", delivery.Unread[[]hoursJSON](m.by["hours"]))
	for _, err := range []error{place.err, hours} {
		if err != nil {
			m.wrong("%v", err)
		}
	}
	out, err := json.Marshal(map[string]json.RawMessage{"address": m.by["address"], "hours": m.by["hours"]})
	if err != nil {
		m.wrong("address and hours: %v", err)
	}
	return out
}

// hoursJSON is when a point is open on a day.
type hoursJSON struct {
	Day   *int   `json:"day"`
	Start string `json:"start"`
	End   string `json:"end"`
}

// readHours checks when a point is open.
func readHours(raw json.RawMessage) error {
	var all []hoursJSON
	if json.Unmarshal(raw, &all) != nil || len(all) == 0 {
		return errors.New("hours: must be an array of {day, start, end}")
	}
	for i, h := range all {
		if h.Day == nil || *h.Day < 0 || *h.Day > 6 {
			return fmt.Errorf("hours[%d].day: must be 0 for Sunday to 6 for Saturday", i)
		}
		if !isClock(h.Start) || !isClock(h.End) {
			return fmt.Errorf("hours[%d]: must have start and end as HHMM", i)
		}
	}
	return nil
}

// isClock reports whether a text is a time of day, as HHMM.
func isClock(s string) bool {
	if len(s) != 4 {
		return false
	}
	_, err := time.Parse("1504", s)
	return err == nil
}
