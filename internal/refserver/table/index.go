package table

import "fmt"

// Indexed is a record that can be found by more than its key.
type Indexed interface {
	// Indexes are the entries under which the record is found. They depend on
	// nothing but the record.
	Indexes() []Entry
}

// Entry is one value of one named index.
type Entry struct {
	Index, Value string
	unique       bool
}

// Unique is an entry that one record at most may hold.
func Unique(index, value string) Entry { return Entry{index, value, true} }

// Multi is an entry that many records may share.
func Multi(index, value string) Entry { return Entry{index, value, false} }

// Conflict says which unique entry belongs to another record already.
type Conflict struct{ Index, Value string }

// Error names the index and the value.
func (c *Conflict) Error() string {
	return fmt.Sprintf("index %s: another record holds %q", c.Index, c.Value)
}

func entriesOf(record any) []Entry {
	if p, ok := record.(*packed); ok {
		record = p.by.unpack(p.row)
	}
	if i, ok := record.(Indexed); ok {
		return i.Indexes()
	}
	return nil
}
