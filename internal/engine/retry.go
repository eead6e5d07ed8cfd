package engine

import (
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// Class says what may be repeated after which failure. The platform has no
// idempotency key, so a class follows from what the endpoint does.
type Class string

// The classes. Every endpoint of the contract has one.
const (
	Read           Class = "read"            // nothing changes
	AbsolutePut    Class = "absolute-put"    // sets fields of a record by id
	Overwrite      Class = "overwrite"       // overwrites associations
	AddingPut      Class = "adding-put"      // adds values to a set
	ReplaceAll     Class = "replace-all"     // overwrites a collection and deletes what is absent
	AbsolutePatch  Class = "absolute-patch"  // sets fields of several records by id
	StatusPatch    Class = "status-patch"    // allowed in one state only
	Remove         Class = "delete"          // deletes by id
	StatePut       Class = "state-put"       // moves a state machine
	KeyedCreate    Class = "keyed-create"    // creates a record that a natural key can find
	Create         Class = "create"          // creates a record without natural key
	EffectCreate   Class = "effect-create"   // creates, with effects such as mails or payments
	TokenExchange  Class = "token-exchange"  // spends a code that is good once
	failureClasses       = int(brokenAnswer) // for the width of the table below
)

// failure is what an attempt ended with, by what is known of the server's side.
type failure uint8

const (
	noFailure    failure = iota
	notSent              // refused, DNS, dial timeout: nothing reached the server
	tooMany              // 429: the request is lost
	unavailable          // 503, 408, 425
	serverError          // 500, 502, 504, those of gateways, and the refusals of an intermediary
	noAnswer             // written, then reset, closed or timed out
	brokenAnswer         // 2xx, then the body broke off
)

// reaction is what is done about a failure.
type reaction uint8

const (
	never  reaction = iota
	always          // within attempts and Total
	soon            // only at once: a late repetition could undo a newer write
	asked           // only if Retry.Effects asks for it
)

// soonLimit is what "at once" means.
const soonLimit = 5 * time.Second

// reactions is the policy: per class the reaction to notSent, tooMany,
// unavailable, serverError, noAnswer and brokenAnswer.
var reactions = map[Class][failureClasses]reaction{
	Read:          {always, always, always, always, always, always},
	AbsolutePut:   {always, always, always, always, always, never},
	Overwrite:     {always, always, always, always, always, never},
	AddingPut:     {always, always, always, always, always, never},
	ReplaceAll:    {always, always, always, soon, soon, never},
	AbsolutePatch: {always, always, always, soon, soon, never},
	StatusPatch:   {always, always, never, never, never, never},
	Remove:        {always, always, always, always, always, never},
	StatePut:      {always, always, never, never, never, never},
	KeyedCreate:   {always, always, never, never, never, never},
	Create:        {always, always, never, never, never, never},
	EffectCreate:  {always, asked, never, never, never, never},
	TokenExchange: {always, never, never, never, never, never},
}

// reactionTo returns what class does about f. A class that is not known repeats
// only what never left.
func (class Class) reactionTo(f failure) reaction {
	if f == noFailure {
		return never
	}
	row, ok := reactions[class]
	if !ok {
		row = reactions[TokenExchange]
	}
	return row[f-1]
}

// uncertain reports whether a write of the class that ended in f may have been
// applied although no good answer came.
func (class Class) uncertain(f failure) bool {
	switch f {
	case serverError, noAnswer, brokenAnswer:
		return class != Read
	case unavailable:
		return class.reactionTo(f) == never
	}
	return false
}

// gatewayStatus is where the statuses begin that gateways make up, such as 520 and 524.
// They say nothing about what the platform did with a request that was passed on to it.
const gatewayStatus = 520

// failureOf classifies a status.
func failureOf(status int) failure {
	switch status {
	case http.StatusTooManyRequests:
		return tooMany
	case http.StatusServiceUnavailable, http.StatusRequestTimeout, http.StatusTooEarly:
		return unavailable
	case http.StatusInternalServerError, http.StatusBadGateway, http.StatusGatewayTimeout:
		return serverError
	}
	if status >= gatewayStatus {
		return serverError
	}
	return noFailure
}

const (
	minBackoff = 250 * time.Millisecond
	maxBackoff = 8 * time.Second
)

// backoff returns a wait after the given number of attempts, with full jitter:
// between zero and 0.25 s doubled with each attempt, 8 s at most.
func backoff(attempts int) time.Duration {
	most := maxBackoff
	if shift := attempts - 1; shift < 5 {
		most = minBackoff << shift
	}
	return rand.N(most) + 1
}

// quota bounds what retries add to the load of a platform in trouble: a call
// earns a tenth of a retry, and at most quotaSize are saved up.
type quota struct {
	mu     sync.Mutex
	tenths int
}

const quotaSize = 20

func (q *quota) fill() { q.tenths = quotaSize * 10 }

// earn counts a call.
func (q *quota) earn() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tenths = min(q.tenths+1, quotaSize*10)
}

// spend takes one retry; it returns false if none is left.
func (q *quota) spend() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.tenths < 10 {
		return false
	}
	q.tenths -= 10
	return true
}
