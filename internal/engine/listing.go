package engine

import "net/url"

// Listing is a list without the type of its records. It is one pointer, which the methods of all lists copy. The
// specification is not changed.
type Listing struct{ spec *ListSpec }

// ListSpec describes a list: its path, and its differences from other lists.
type ListSpec struct {
	Service *Service
	// Path has a placeholder for each of Args, as that of a Request.
	Path  string
	Args  []any
	Query url.Values
	// Err is the error of the first use, for example of a filter.
	Err error
	// Envelope is the way to the items, such as "pages", "results"; empty if the answer is an array.
	Envelope []string
	// Total is the member that counts all items; empty if there is none. It may be in another object, such as
	// "meta.itemCount".
	Total string
	// FixedSize says that the platform chooses the size of the pages, so that none is asked for.
	FixedSize bool
	// MaxPerPage is the largest page, if it is another than elsewhere; 0 if it is not.
	MaxPerPage int
	// SinceID says that the list knows since_id. Its records have a field ID whose kind is int64.
	SinceID bool
	// MostResults is how many records one query gives, if the list knows created_at_min and created_at_max; 0 if there
	// is no such limit.
	MostResults int
	// Whole says that the contract gives the list no page parameter: the first answer holds everything, unless it names
	// a next page or a greater total.
	Whole bool
	// EmptyNotFound says that the platform answers 404 with its code and any description where nothing is found.
	EmptyNotFound bool
	// Secrets says that there are secrets among the items, as that of a Request does.
	Secrets bool
	// Cursor resumes the list, if Resumed is true.
	Cursor  string
	Resumed bool
}

// Listing returns the list that the specification describes.
func (spec ListSpec) Listing() Listing { return Listing{&spec} }

// Spec returns the description of the list.
func (l Listing) Spec() ListSpec {
	if l.spec == nil {
		return ListSpec{}
	}
	return *l.spec
}
