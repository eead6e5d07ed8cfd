package delivery

import (
	"net/http"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// State is how far a delivery has come.
type State string

const (
	// Pending deliveries have an attempt before them or under way.
	Pending State = "pending"
	// Delivered ones got a 2xx.
	Delivered State = "delivered"
	// Failed ones ran out of attempts, or cannot be sent: their store was suspended in
	// the meantime, or their fields are not JSON. The last Attempt says why.
	Failed State = "failed"
)

// Delivery is one event on its way to one address.
type Delivery struct {
	ID      int64
	Event   int64
	Name    string
	Store   int64
	App     int64
	Webhook int64
	URL     string
	Body    []byte
	State   State
	// Next is when the next attempt is due; the zero time if none is.
	Next     time.Time
	Attempts []Attempt
	// Rev is greater after each change than that of any delivery before.
	Rev int64
	// At is the time of the event, and Cause what caused it, as in world.Event.
	At    time.Time
	Cause int64
	// Entry is for Options.Note, to find what it noted of the delivery.
	Entry int64

	retry *work.Alarm // makes the next attempt; nil if none is due
}

// Attempt is one POST, or why there was none.
type Attempt struct {
	// N counts from 1.
	N  int
	At time.Time
	// Wait is what lay between this attempt and the one before.
	Wait time.Duration
	URL  string
	// To is the origin that a route led to, empty for a handler in this process and for the address itself.
	To        string
	Body      []byte
	Signature string
	// Status of the answer, 0 if there was none; then Error says why.
	Status   int
	Answer   string
	Error    string
	Duration time.Duration
	// Resent is set for an attempt that someone asked for.
	Resent bool
	// DecidedBy is the clock of a timeout: "virtual" if the time was charged with Spend to a virtual clock, else
	// "real".
	DecidedBy string
	Wire      Wire
}

// OK reports whether the answer ends the delivery.
func (a Attempt) OK() bool { return a.Error == "" && a.Status >= 200 && a.Status < 300 }

// DefaultHeader is the header that carries the signature.
const DefaultHeader = "X-Platform-Hmac-Sha256"

// DefaultTimeout is how long a partner may take to answer.
const DefaultTimeout = 3 * time.Second

// request is what a delivery sends, whichever way it goes.
func (d *Delivery) request(header, signature string) http.Header {
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", "Commerce-Platform-Webhooks")
	h.Set(header, signature)
	return h
}

func (d *Delivery) copy() Delivery {
	out := *d
	out.Body = slices.Clone(d.Body)
	out.Attempts = slices.Clone(d.Attempts)
	return out
}
