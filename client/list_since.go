package client

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"strings"
)

// Since yields the records with an id greater than the given one, in ascending order of id. Numbered pages can skip or
// repeat a record if others are created or deleted meanwhile; Since cannot. It can continue from the last id seen. It
// requires a list with a since_id parameter. The id is always read, even if Paging.Fields does not include it.
//
//go:noinline
func (l List[T]) Since(ctx context.Context, after ID) iter.Seq2[*T, error] {
	return recordsOf[*T](coreOf(l).sincePages(ctx, after))
}

//go:noinline
func (l *listing) sincePages(ctx context.Context, after ID) listPages {
	return func(yield func(*listPage, error) bool) { l.eachSince(ctx, after, yield) }
}

func (l *listing) eachSince(ctx context.Context, after ID, yield func(*listPage, error) bool) {
	if !l.SinceID {
		yield(nil, fmt.Errorf("GET %s: the list has no since_id: use All: %w", l.Path, ErrValidation))
		return
	}
	p := &pager{list: l, byID: true, known: true, total: -1}
	for values := l.greater(after); ; {
		page, err := l.fetch(ctx, values)
		if page == nil {
			yield(nil, err)
			return
		}
		before, lost := after, p.follow(page, values)
		after, err = l.ascend(page, after, err)
		if !yield(page, err) || lost == nil && !page.more {
			return
		}
		switch {
		case lost != nil:
			yield(nil, lost)
			return
		case after > before:
			values, *p = l.greater(after), pager{list: l, byID: true, known: true, total: -1, size: p.size}
		case page.got > 0:
			yield(nil, fmt.Errorf("GET %s: the list continues after id %d, but no id of the page can be read, so the next page is unknown", l.Path, after))
			return
		default: // the records of the page are hidden, and those of the next one have greater ids, too
			values = page.next
		}
	}
}

// greater returns the parameters of the first page of the records with an id greater than after.
func (l *listing) greater(after ID) url.Values {
	values := l.largest()
	maps.DeleteFunc(values, func(name string, _ []string) bool { return name == "page" || isToken(name) && !l.Query.Has(name) })
	values.Set("since_id", after.String())
	if fields := values.Get("fields"); fields != "" {
		values.Set("fields", strings.Join(with(strings.Split(fields, ","), "id"), ",")) // required to continue
	}
	return values
}

// ascend returns the last id of a page, including unreadable items. A page that does not ascend from the requested id
// is an error, because it would make the crawl skip records or loop.
func (l *listing) ascend(page *listPage, after ID, err error) (ID, error) {
	for i := range page.items.Len() {
		id := l.id(page.items.Index(i).Addr().Interface())
		if id <= after {
			page.more = false
			return after, fmt.Errorf("GET %s: id %d comes after %d: the answer to since_id is not ascending", l.Path, id, after)
		}
		after = id
	}
	return max(after, page.unread), err
}
