package client

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// copyForm is the version of the form of states. A later release may write another one.
const copyForm = 1

// Bounds of a state.
const (
	keptWrites     = 128              // the latest ones; a step that began before them is read again
	keptTombstones = 512              // including older deletions; after more, records are confirmed one by one
	tombstoneAge   = 10 * time.Minute // for so long the platform may list a deleted record
	keptUnread     = 1000             // records that could not be read
)

// copyState is the state of a Copy. It contains everything that concurrent steps must know about each other. The mirror
// replaces it only if it has not changed since the step began.
type copyState struct {
	Form    int        `json:"form"`
	Born    string     `json:"born"`    // random: distinguishes a state from one that was deleted and created again
	Version string     `json:"version"` // of the API
	Store   ID         `json:"store"`
	List    string     `json:"list"`   // its path
	Filter  string     `json:"filter"` // its fingerprint
	Step    int64      `json:"step"`   // number of steps that were applied
	Whole   bool       `json:"whole"`  // a crawl has been completed
	Mark    time.Time  `json:"mark,omitzero"`
	Run     copyPart   `json:"run"`
	Check   copyPart   `json:"check"`
	Unread  []ID       `json:"unread,omitzero"`
	Writes  copyWrites `json:"writes,omitzero"`
	Floor   int64      `json:"floor"` // Writes has all writes of the steps after this one
	// Buried is the time of the latest deletion that Writes does not have, although it is younger than tombstoneAge, in
	// Unix seconds.
	Buried int64 `json:"buried,omitzero"`
}

// copyPart is a pass that one process at a time continues.
type copyPart struct {
	Step int64     `json:"step"`          // the last one that continued it
	Pass *copyPass `json:"pass,omitzero"` // nil if none is in progress
}

// copyPass is the progress of a pass through the whole list.
type copyPass struct {
	Phase   CopyPhase `json:"phase"`
	Since   time.Time `json:"since,omitzero"`  // of CopyChanges: the mark when it began
	Next    time.Time `json:"next,omitzero"`   // the mark after it
	Cursor  string    `json:"cursor,omitzero"` // of the crawl
	Through ID        `json:"through"`         // ids of the mirror up to this one were compared
	Records int       `json:"records"`
}

// copyWrite is a write of the records with the ids From to To.
type copyWrite struct {
	Step     int64
	From, To ID
	// Gone is the time of a deletion that the platform reported, in Unix seconds; 0 if it is no deletion.
	Gone int64
}

// copyWrites are writes in the order of their steps. Their JSON is a text of numbers, which is read faster than
// objects.
type copyWrites []copyWrite

// MarshalText writes the numbers.
func (all copyWrites) MarshalText() ([]byte, error) {
	var text []byte
	for _, w := range all {
		for _, n := range [...]int64{w.Step, int64(w.From), int64(w.To), w.Gone} {
			text = append(strconv.AppendInt(text, n, 10), ' ')
		}
	}
	return bytes.TrimSuffix(text, []byte(" ")), nil
}

// UnmarshalText reads the numbers.
func (all *copyWrites) UnmarshalText(text []byte) error {
	var numbers []int64
	for field := range strings.FieldsSeq(string(text)) {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return err
		}
		numbers = append(numbers, n)
	}
	if len(numbers)%4 != 0 {
		return fmt.Errorf("%d numbers: must be four for each write", len(numbers))
	}
	for w := range slices.Chunk(numbers, 4) {
		*all = append(*all, copyWrite{w[0], ID(w[1]), ID(w[2]), w[3]})
	}
	return nil
}

// newCopyState returns the state of a copy that has not begun.
func newCopyState(l *listing) *copyState {
	store, path := l.owner()
	return &copyState{Form: copyForm, Born: rand.Text(), Version: engine.VersionOf(l.Service), Store: store, List: path, Filter: l.fingerprint()}
}

// readCopyState returns the state in a text, which must be of the same list. If the filter or the version has changed,
// the copy starts again and retains the writes of the state.
func readCopyState(text string, l *listing) (*copyState, error) {
	fresh := newCopyState(l)
	if text == "" {
		return fresh, nil
	}
	s := new(copyState)
	if err := wire.Unmarshal([]byte(text), s); err != nil || s.Form < 1 || s.Born == "" {
		return nil, errors.New("the stored state cannot be read: delete it, then the copy starts again")
	}
	if s.Form > copyForm {
		return nil, fmt.Errorf("the stored state has form %d, which a newer release wrote: must be at most %d", s.Form, copyForm)
	}
	if s.Store != fresh.Store || s.List != fresh.List {
		return nil, fmt.Errorf("the stored state is of %s of store %d: must be of %s of store %d: %w", s.List, s.Store, fresh.List, fresh.Store, ErrValidation)
	}
	if s.Version != fresh.Version || s.Filter != fresh.Filter {
		fresh.Born, fresh.Step, fresh.Unread, fresh.Writes = s.Born, s.Step, s.Unread, s.Writes
		fresh.Floor, fresh.Buried = s.Floor, s.Buried
		fresh.Run.Step, fresh.Check.Step = s.Run.Step, s.Check.Step
		return fresh, nil
	}
	return s, nil
}

// text returns the state as it is stored.
func (s *copyState) text() (string, error) {
	data, err := wire.Marshal(s)
	return string(data), err
}

// clone returns a state that can be changed.
func (s *copyState) clone() *copyState {
	next := *s
	next.Writes, next.Unread = slices.Clone(s.Writes), slices.Clone(s.Unread)
	return &next
}

// gone reports whether the platform had reported the deletion of a record within tombstoneAge, when a step began to
// read. A record that it has after that was restored.
func (s *copyState) gone(id ID, at time.Time) bool {
	oldest := at.Add(-tombstoneAge).Unix()
	return slices.ContainsFunc(s.Writes, func(w copyWrite) bool { return w.Gone > oldest && w.From == id })
}

// crowded reports whether Writes lacks deletions that are younger than tombstoneAge.
func (s *copyState) crowded(now time.Time) bool {
	return s.Buried != 0 && now.Unix()-s.Buried < int64(tombstoneAge.Seconds())
}

// wrote reports whether one of the records, in ascending order of id, may have been written after a step.
func (s *copyState) wrote(after int64, ids []ID) bool {
	if after < s.Floor {
		return true
	}
	return slices.ContainsFunc(s.Writes, func(w copyWrite) bool {
		i, _ := slices.BinarySearch(ids, w.From)
		return w.Step > after && i < len(ids) && ids[i] <= w.To
	})
}

// note stores that the current step has written records. Many ids become a range, so that other steps may read records
// again that were not written.
func (s *copyState) note(ids []ID) {
	const most = 16
	if len(ids) > most {
		s.Writes = append(s.Writes, copyWrite{Step: s.Step, From: ids[0], To: ids[len(ids)-1]})
		return
	}
	for _, id := range ids {
		s.Writes = append(s.Writes, copyWrite{Step: s.Step, From: id, To: id})
	}
}

// bury stores that the platform has reported the deletion of a record.
func (s *copyState) bury(id ID, now time.Time) {
	s.Writes = append(s.Writes, copyWrite{Step: s.Step, From: id, To: id, Gone: now.Unix()})
}

// forget removes entries that are too old or too many.
func (s *copyState) forget(now time.Time) {
	all := s.Writes
	s.Writes = nil
	for i, w := range all {
		later, young := len(all)-i, w.Gone != 0 && now.Unix()-w.Gone < int64(tombstoneAge.Seconds())
		if later <= keptWrites || young && later <= keptTombstones {
			s.Writes = append(s.Writes, w)
			continue
		}
		if s.Floor = max(s.Floor, w.Step); young {
			s.Buried = max(s.Buried, w.Gone)
		}
	}
	s.Unread = s.Unread[max(0, len(s.Unread)-keptUnread):]
}
