package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// listing is a List without the type of its records. List is only a thin wrapper around it. The methods of a generic
// type are compiled again in every package that uses one of its instances, and there are dozens of instances. Each
// method is compiled three times for each instance, so none is inlined into the others. The same holds for Opt.
type listing struct {
	engine.ListSpec
	codec   *codec
	records reflect.Type // a slice type of the records
	resumed *place       // where a cursor resumes the list; nil without a cursor
}

// newListing returns the listing of records that a nil pointer has the type of.
func newListing(list engine.Listing, records any) *listing {
	spec, record := list.Spec(), reflect.TypeOf(records).Elem()
	l := &listing{ListSpec: spec, codec: codecOf(engine.CoreOf(spec.Service)), records: reflect.SliceOf(record)}
	if id, ok := record.FieldByName("ID"); l.SinceID && (!ok || id.Type != reflect.TypeFor[ID]()) {
		l.Err = cmp.Or(l.Err, fmt.Errorf("%s has no field ID of type ID, which since_id requires", record))
	}
	if l.Resumed {
		at, err := l.readCursor(l.Cursor)
		l.resumed, l.Err = at, cmp.Or(l.Err, err)
	}
	return l
}

// after returns a list that continues after a cursor.
func after(l engine.Listing, cursor string) engine.Listing {
	spec := l.Spec()
	spec.Cursor, spec.Resumed = cursor, true
	return spec.Listing()
}

// id returns the id of a record of a list with since_id. The record is a pointer.
func (l *listing) id(record any) ID {
	return ID(reflect.ValueOf(record).Elem().FieldByName("ID").Int())
}

// page reads the page that the list selects.
func (l *listing) page(ctx context.Context) (*listPage, error) {
	values := l.asked()
	page, err := l.fetch(ctx, values)
	if page == nil {
		return nil, err
	}
	p := l.pager()
	if p.repeats(page, values) {
		return &listPage{items: reflect.MakeSlice(l.records, 0, 0), total: page.total, number: page.number, date: page.date}, nil
	}
	if lost := p.follow(page, values); lost != nil {
		err = errors.Join(err, lost)
	}
	return page, err
}

// pages yields the pages in order. Inlining it would copy it into every List.
//
//go:noinline
func (l *listing) pages(ctx context.Context) listPages {
	return func(yield func(*listPage, error) bool) { l.pager().run(ctx, l.largest(), yield) }
}

// collect returns the records of all pages as a slice, and the joined errors.
func (l *listing) collect(ctx context.Context) (any, error) {
	all := reflect.New(l.records).Elem()
	all.Set(reflect.MakeSlice(l.records, 0, 0))
	var errs []error
	for page, err := range l.pages(ctx) {
		if page != nil {
			before, more := all.Len(), page.items.Len()
			all.Grow(more) // reflect.AppendSlice would allocate twice
			all.SetLen(before + more)
			reflect.Copy(all.Slice(before, before+more), page.items)
		}
		errs = append(errs, err)
	}
	return all.Interface(), errors.Join(errs...)
}

// asked returns the parameters of the first page. These are the parameters of the filter, and after a cursor its
// position and page size.
func (l *listing) asked() url.Values {
	values := maps.Clone(l.Query)
	if values == nil {
		values = make(url.Values)
	}
	if l.resumed != nil {
		values.Del("page")
		values.Del("per_page")
		maps.Copy(values, l.resumed.values)
	}
	return values
}

// largest returns the parameters of the first page, with the largest page size if the list has pages and no size was
// chosen. The size of a cursor is retained, because its page number is wrong for another size.
func (l *listing) largest() url.Values {
	values := l.asked()
	if !l.Whole && !l.FixedSize && l.resumed == nil && !values.Has("per_page") {
		values.Set("per_page", strconv.Itoa(cmp.Or(l.MaxPerPage, MaxPerPage)))
	}
	return values
}

// fetch reads the page that values select.
func (l *listing) fetch(ctx context.Context, values url.Values) (page *listPage, err error) {
	if l.Err != nil {
		return nil, fmt.Errorf("GET %s: %w", l.Path, l.Err)
	}
	r := engine.Request{Path: l.Path, Args: l.Args, Query: values, Secrets: l.Secrets}
	err = engine.Ask(ctx, l.Service, r, func(ctx context.Context, got *engine.Answer, err error) error {
		page, err = l.read(ctx, values, got, err)
		return err
	})
	return page, err
}

// read reads the page that values select from the response. If err means that the page is after the last one, the page
// is empty.
func (l *listing) read(ctx context.Context, values url.Values, got *engine.Answer, err error) (*listPage, error) {
	page := &listPage{items: reflect.MakeSlice(l.records, 0, 0), total: -1, number: max(1, pageNumber(values))}
	if last, told := lastPage(err); (told || l.EmptyNotFound && nothingFound(err)) && (last < page.number || last == 1) {
		page.date, page.gone = dateOfError(err), true
		if !told || last == 0 {
			page.total = 0 // unknown after the last of n pages
		}
		return page, nil // an error that names this page or a later one as the last contradicts itself
	}
	if err != nil {
		return nil, err
	}
	a := &answer{got, l.codec}
	if err := a.check(); err != nil {
		return nil, err
	}
	page.date = engine.Date(a.Header)
	if page.links, err = parseLinks(ctx, a.Header.Values("Link")); err != nil {
		return nil, fmt.Errorf("GET %s: %w", l.Path, err)
	}
	if a.Status == http.StatusNoContent {
		return page, nil
	}
	raw, counted, err := l.open(a.Body)
	if err != nil {
		return nil, a.unreadable(err)
	}
	items, err := decodeItems(ctx, l.codec, raw, l.records, a.Chosen)
	if !items.IsValid() {
		return nil, a.unreadable(err)
	}
	bad := badItems(err)
	for _, item := range bad {
		page.unread = max(page.unread, item.id)
		if l.Secrets {
			item.Raw = nil
		}
	}
	page.items, page.got, page.mark = items, items.Len()+len(bad), mark(raw)
	engine.CoreOf(l.Service).Give(got) // the errors of items have copies
	if page.count(totalOf(a.Header)); page.total < 0 {
		page.count(counted)
	}
	if err != nil {
		err = fmt.Errorf("GET %s: %w", l.Path, err)
	}
	return page, err
}

// open finds the items in the response, and the total if it is next to them. An array is accepted in place of an
// envelope. A missing member and null mean no items. An empty body is an error, because the response was lost.
func (l *listing) open(body []byte) (json.RawMessage, int, error) {
	noItems := json.RawMessage("[]")
	raw, total := json.RawMessage(body), -1
	for _, name := range l.Envelope {
		if wire.Kind(raw) == '[' {
			break
		}
		var members map[string]json.RawMessage
		if err := wire.Unmarshal(raw, &members); err != nil {
			return nil, 0, fmt.Errorf("member %s: %w", wire.Quote(name), err)
		}
		if counted, ok := l.counted(members); ok {
			total = counted
		}
		if raw = members[name]; raw == nil {
			raw = noItems
		}
	}
	if wire.Kind(raw) == 'n' {
		raw = noItems
	}
	return raw, total, nil
}

// counted returns the total among members of the answer.
func (l *listing) counted(members map[string]json.RawMessage) (total int, ok bool) {
	counted := members[l.Total]
	if outer, inner, nested := strings.Cut(l.Total, "."); nested {
		var beside map[string]json.RawMessage
		if wire.Unmarshal(members[outer], &beside) != nil {
			return 0, false
		}
		counted = beside[inner]
	}
	var n Int
	if len(counted) == 0 || n.UnmarshalJSON(counted) != nil {
		return 0, false
	}
	return int(n), true
}
