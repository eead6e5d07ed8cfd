package res

import (
	"iter"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/table"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// finder lists, in ascending order, the ids of the records whose texts have the part.
type finder func(tx *world.Tx, part string) []int64

// isSearch reports whether the query is q and nothing else, except a page.
func isSearch(in *api.In) bool { return in.Has("q") && in.Unfiltered("q") }

// searched is the list of the records with the ids. Only those on the page are read.
func searched[T any](ids []int64, records *table.Table[int64, T], show func(record T) any) *api.List {
	return &api.List{Len: len(ids), Item: func(i int) any {
		record, _ := records.Get(ids[i])
		return show(record)
	}}
}

// candidates yields the records that q selects by ascending id, all of them if there is no q.
func candidates[T any](tx *world.Tx, in *api.In, records *table.Table[int64, T], find finder) iter.Seq2[int64, T] {
	if !in.Has("q") {
		return records.All()
	}
	return func(yield func(int64, T) bool) {
		for _, id := range find(tx, in.Text("q")) {
			if record, ok := records.Get(id); ok && !yield(id, record) {
				return
			}
		}
	}
}
