package control

import (
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// resource is a table of a store.
type resource struct {
	name  string
	table reflect.Value // a *table.Table
}

// tables are the resources of a store by name, as they are now.
func (a *API) tables(store int64) (out []resource, err error) {
	err = a.server.World().View(0, store, func(tx *world.Tx) error {
		all := reflect.ValueOf(&tx.Tables).Elem()
		for i := range all.NumField() {
			out = append(out, resource{snake(all.Type().Field(i).Name), all.Field(i).Addr()})
		}
		return nil
	})
	return out, err
}

// count is how many records a resource has.
func (r resource) count() int64 { return r.table.MethodByName("Len").Call(nil)[0].Int() }

// key is the type of the keys.
func (r resource) key() reflect.Type { return r.table.MethodByName("Get").Type().In(0) }

func (r resource) recordType() reflect.Type { return r.table.MethodByName("Get").Type().Out(0) }

// parse makes a key of a text.
func (r resource) parse(text string) (reflect.Value, bool) {
	if r.key().Kind() == reflect.String {
		return reflect.ValueOf(text), true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return reflect.ValueOf(n), err == nil
}

// random reports whether the keys say nothing about the order in which the records were made, such as UUIDs.
func (r resource) random() bool {
	created, ok := r.recordType().FieldByName("CreatedAt")
	return ok && r.key().Kind() == reflect.String && created.Type == reflect.TypeFor[time.Time]()
}

// made is a record with its key and its time.
type made struct {
	key, record reflect.Value
	at          time.Time
}

// created is from for random keys, in the order in which the records were made. A key that is not there begins nothing.
func (r resource) created(records iter.Seq2[reflect.Value, reflect.Value], text string, newest bool) (iter.Seq2[reflect.Value, reflect.Value], bool) {
	var all []made
	for key, record := range records {
		all = append(all, made{key, record, record.FieldByName("CreatedAt").Interface().(time.Time)})
	}
	slices.SortStableFunc(all, func(a, b made) int { return a.at.Compare(b.at) })
	if newest {
		slices.Reverse(all)
	}
	if text != "" {
		i := slices.IndexFunc(all, func(m made) bool { return m.key.String() == text })
		if i < 0 {
			return nil, false
		}
		all = all[i+1:]
	}
	return func(yield func(key, record reflect.Value) bool) {
		for _, m := range all {
			if !yield(m.key, m.record) {
				return
			}
		}
	}, true
}

// from yields the records that were made after the one with the key in the text, all of them if it is empty. With
// newest they are those before it, the newest first.
func (r resource) from(text string, newest bool) (iter.Seq2[reflect.Value, reflect.Value], bool) {
	if r.random() {
		return r.created(r.all(), text, newest)
	}
	all, from := "All", "After"
	if newest {
		all, from = "Backward", "Before"
	}
	if text == "" {
		return r.table.MethodByName(all).Call(nil)[0].Seq2(), true
	}
	key, ok := r.parse(text)
	if !ok {
		return nil, false
	}
	return r.table.MethodByName(from).Call([]reflect.Value{key})[0].Seq2(), true
}

// find returns the record with the key in the text, the zero Value if there is none.
func (r resource) find(text string) reflect.Value {
	key, ok := r.parse(text)
	if !ok {
		return reflect.Value{}
	}
	out := r.table.MethodByName("Get").Call([]reflect.Value{key})
	if !out[1].Bool() {
		return reflect.Value{}
	}
	return out[0]
}

// record is the record with the key in the text as it is shown.
func (r resource) record(text string) (any, error) {
	if record := r.find(text); record.IsValid() {
		return plain(record), nil
	}
	e := r.unknown("key", text)
	e.Message = fmt.Sprintf("%s have no key %q", r.name, cut(text))
	return nil, e
}

// unknown is the error of a key that no record has.
func (r resource) unknown(kind, text string) *Error {
	var known []string
	for key := range r.all() {
		if known = append(known, keyText(key)); len(known) == mostSearched {
			break
		}
	}
	return unknown(kind, text, known)
}

// has reports a key of the path that no record of a resource has.
func (c *call) has(resource, parameter string) error {
	r, err := c.resourceNamed(resource)
	if err != nil {
		return err
	}
	if text := c.r.PathValue(parameter); !r.find(text).IsValid() {
		return r.unknown(parameter, text)
	}
	return nil
}

func resources(c *call) (any, error) {
	tables, err := c.tables(c.st.ID)
	if err != nil {
		return nil, err
	}
	out := map[string]int64{}
	for _, r := range tables {
		out[r.name] = r.count()
	}
	return map[string]any{"resources": out}, nil
}

// resource is the table of the path.
func (c *call) resource() (resource, error) { return c.resourceNamed(c.r.PathValue("resource")) }

// resourceNamed is the table of a resource.
func (c *call) resourceNamed(name string) (resource, error) {
	tables, err := c.tables(c.st.ID)
	if err != nil {
		return resource{}, err
	}
	names := map[string]resource{}
	for _, r := range tables {
		names[r.name] = r
	}
	r, ok := names[name]
	if !ok {
		return r, unknown("resource", name, slices.Sorted(maps.Keys(names)))
	}
	return r, nil
}

func entities(c *call) (any, error) {
	r, err := c.resource()
	if err != nil {
		return nil, err
	}
	return r.page(c)
}

// page answers the records whose members contain each word of the filter. A page ends early after mostFiltered records,
// and the next one continues there.
func (r resource) page(c *call) (any, error) {
	q := c.r.URL.Query()
	newest, err := c.newestFirst()
	if err != nil {
		return nil, err
	}
	words, err := wordsOf(q.Get("filter"))
	if err != nil {
		return nil, err
	}
	records, ok := c.search.among(c.API.ctx, c.st.ID, r, words, q.Get("after"), newest)
	if !ok {
		return nil, wrong("after", cut(q.Get("after")), "must be the member next of a page")
	}
	p, err := c.pager()
	if err != nil {
		return nil, err
	}
	texts := texterOf(r.recordType())
	last := ""
	for key, record := range records {
		switch {
		case c.ctx.Err() != nil:
			return nil, c.ctx.Err()
		case p.Searched == mostFiltered:
			p.Next = &last
			return p.list, nil
		}
		p.Searched, last = p.Searched+1, keyText(key)
		if len(words) > 0 && !contains(texts.searchedText(key, record), words) {
			continue
		}
		if more, err := p.add(keyText(key), func() any { return plain(record) }); !more {
			return p.list, err
		}
	}
	return p.list, nil
}

// keyText is a key as text.
func keyText(key reflect.Value) string {
	if key.Kind() == reflect.String {
		return key.String()
	}
	return text(key.Int())
}

func entity(c *call) (any, error) {
	r, err := c.resource()
	if err != nil {
		return nil, err
	}
	return r.record(c.r.PathValue("key"))
}
