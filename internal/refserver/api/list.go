package api

import "github.com/commerceplatform/commerce-go/internal/refserver/world"

// List is every record that matches a request. The pipeline cuts the page out of
// it, so that only what is asked for is turned into JSON.
type List struct {
	Len  int
	Item func(i int) any
	// Key, if not nil, is that of a record whose Item is made of the tables of the store and of
	// nothing else: not of the caller, the request or the time. It may be kept then.
	Key func(i int) int64
	// Envelope, if not nil, takes the place of that of the operation's Paging, for an object
	// that the records belong to.
	Envelope func(p Page) any
}

// Collection makes the handler of a list. find returns all records that match,
// in the order they are listed; show makes the JSON of one.
func Collection[T any](
	find func(tx *world.Tx, in *In) ([]T, error),
	show func(tx *world.Tx, in *In, record T) any,
) Handler {
	return func(tx *world.Tx, in *In) (any, error) {
		found, err := find(tx, in)
		if err != nil {
			return nil, err
		}
		return &List{Len: len(found), Item: func(i int) any { return show(tx, in, found[i]) }}, nil
	}
}

// Record makes the handler of a read. find returns the record that the path names; show
// makes its JSON.
func Record[T any](
	find func(tx *world.Tx, in *In) (T, error),
	show func(tx *world.Tx, in *In, record T) any,
) Handler {
	return func(tx *world.Tx, in *In) (any, error) {
		found, err := find(tx, in)
		if err != nil {
			return nil, err
		}
		return show(tx, in, found), nil
	}
}

// Kept is Collection for records whose JSON is made of the tables of the store alone. key is theirs.
func Kept[T any](
	find func(tx *world.Tx, in *In) ([]T, error),
	show func(tx *world.Tx, record T) any,
	key func(record T) int64,
) Handler {
	return func(tx *world.Tx, in *In) (any, error) {
		found, err := find(tx, in)
		if err != nil {
			return nil, err
		}
		return &List{
			Len: len(found), Item: func(i int) any { return show(tx, found[i]) }, Key: func(i int) int64 { return key(found[i]) },
		}, nil
	}
}

// Paging describes the pages of a list. The zero value is the rule of most lists: pages of 30, and at most 200 a page.
// The page after the last is 404 "Last page is N", and so is an empty list that is not below a record.
type Paging struct {
	// Default is the page size if none is asked for; 0 is the world's PageSize.
	Default int
	// Fixed is set for a list whose page size cannot be asked for.
	Fixed bool
	// Max is the greatest page size; 0 is the world's MaxPageSize.
	Max int
	// Whole is set for a list that has no pages.
	Whole bool
	// EmptyOK is set for a list that answers 200 with nothing in it; one with an
	// Envelope also does beyond the last page.
	EmptyOK bool
	// FirstEmpty is set for a list whose first page answers 200 with nothing in it, as those below a record do.
	FirstEmpty bool
	// Envelope puts the items of a page into an object of the list's own.
	Envelope func(p Page) any
}

// Page is what an envelope is made from.
type Page struct {
	Items []any
	// Total counts the items of all pages.
	Total int
	// Number counts from 1; Size is how many items a full page has; Last is the
	// number of pages.
	Number, Size, Last int
}
