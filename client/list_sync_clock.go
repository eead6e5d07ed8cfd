package client

import (
	"reflect"
	"time"
)

// maxLead is the maximum time by which a Date may be later than the confirmed time, before it is considered wrong.
const maxLead = time.Hour

// syncClock finds a time that the platform's clock had reached at the first response of a run. It has three sources:
// the Date of that response, the clock of this machine, and the times of changes that the platform stored. Each of them
// may be wrong, so none is accepted that is later than both of the others.
type syncClock struct {
	mark  time.Time // the mark of the run, a time reached before
	here  time.Time // this machine's clock at the start
	first time.Time // here, at the first response; zero before
	date  time.Time // of the first response; zero if it has none
	proof time.Time // the latest time that changes confirm
}

// read evaluates the times of a page.
func (c *syncClock) read(page *listPage) {
	now := time.Now()
	if c.first.IsZero() {
		c.first, c.date = now, page.date
		if c.proof = c.mark; c.date.IsZero() {
			c.prove(latestUpdate(page.items, c.here))
		}
	}
	if c.needsProof() {
		// A change of a later page may be later than the first response, by the time since then.
		c.prove(latestUpdate(page.items, c.date.Add(now.Sub(c.first))).Add(c.first.Sub(now)))
	}
}

func (c *syncClock) prove(at time.Time) {
	if at.After(c.proof) {
		c.proof = at
	}
}

// needsProof reports whether this machine's clock does not confirm the Date.
func (c *syncClock) needsProof() bool { return c.date.After(c.here.Add(SyncOverlap)) }

// slow reports whether the changes prove that this machine's clock is slower than the platform's.
func (c *syncClock) slow() bool { return c.proof.After(c.here.Add(SyncOverlap)) }

// doubtful reports whether the Date is later than the confirmed time by more than maxLead, so that it must be wrong.
func (c *syncClock) doubtful() bool {
	return c.date.After(c.proof.Add(maxLead)) && (c.slow() || c.date.After(c.here.Add(maxLead)))
}

// mistaken reports whether the mark is later than both clocks, so that the run may have missed changes.
func (c *syncClock) mistaken() bool {
	early := c.mark.Add(-maxLead)
	return !c.date.IsZero() && early.After(c.date) && early.After(c.here)
}

// reached returns the latest confirmed time.
func (c *syncClock) reached() time.Time {
	switch {
	case c.date.IsZero(), c.doubtful() && c.slow():
		return c.proof
	case c.slow(), !c.date.After(c.here):
		return c.date
	case c.proof.After(c.here):
		return c.proof
	}
	return c.here
}

// latestUpdate returns the latest update among the items that is not later than a time; zero if there is none.
func latestUpdate(items reflect.Value, until time.Time) (latest time.Time) {
	for i := range items.Len() {
		if at := updateOf(items.Index(i)); at.After(latest) && !at.After(until) {
			latest = at
		}
	}
	return latest
}

// updateOf returns the time of the last change of a record; zero if it has none.
func updateOf(record reflect.Value) time.Time {
	if at, ok := field(record, "UpdatedAt"); ok {
		told, _ := at.Interface().(Time)
		return told.Time.UTC()
	}
	if extra := extraOf(record); extra != nil {
		var told Time
		if raw := (*extra)["updated_at"]; raw != nil && told.UnmarshalJSON(raw) == nil {
			return told.Time.UTC()
		}
	}
	return time.Time{}
}

// field returns a field of v, including fields of embedded structs. It returns false if v is no struct or has no such
// field, or if the embedded struct is nil.
func field(v reflect.Value, name string) (reflect.Value, bool) {
	if v.Kind() != reflect.Struct {
		return reflect.Value{}, false
	}
	f, ok := v.Type().FieldByName(name)
	if !ok {
		return reflect.Value{}, false
	}
	value, err := v.FieldByIndexErr(f.Index)
	return value, err == nil && value.CanInterface()
}
