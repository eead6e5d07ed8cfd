package wire_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

type crate struct {
	Label string                     `json:"label"`
	Full  bool                       `json:"full"`
	Tags  []string                   `json:"tags"`
	Rest  map[string]json.RawMessage `json:",embed"`
}

type store struct {
	Crates []crate `json:"crates"`
}

// packing is what the functions of crates share.
type packing struct {
	*wire.Reader
	tags wire.Short[string]
}

func (p *packing) text(s *string) (ok bool) {
	*s, ok = p.Text()
	return ok
}

var crates = wire.NewRecord[packing](func(c *crate) *map[string]json.RawMessage { return &c.Rest }).
	With("label", func(p *packing, c *crate) bool { return p.text(&c.Label) }).
	With("full", func(p *packing, c *crate) bool { return p.Bool(&c.Full) }).
	With("tags", func(p *packing, c *crate) bool { return p.tags.Read(p.Reader, &c.Tags, p.text) })

func readCrates(r *wire.Reader, all *[]crate) bool {
	p := &packing{Reader: r}
	return wire.Items(r, all, func(c *crate) bool { return crates.Read(r, p, c) })
}

// A Record is read as the general decoder reads the struct, and is as strict.
func TestRecord(t *testing.T) {
	forms := wire.NewForms(wire.Reads(readCrates))
	refused := 0
	for _, list := range []string{
		`null`, `[]`, `{}`, `[null]`, `[{}]`,
		`[{"label":"a","full":true,"tags":["x"]},{"tags":[],"full":false,"label":""}]`, `[{"full":null,"tags":null}]`,
		`[{"new":{"a":[1]},"label":"\u00e9"},{ "tags" : [ "x" , "y" ] , "full":true }]`,
		`[{"label":"a","label":"b"}]`, `[{"new":1,"new":1}]`, `[{"new":{"a":1,"a":1}}]`,
		`[{"Label":"a"}]`, `[{"label":"\ud800"}]`,
		"[{\"label\":\"\xff\"}]", "[{\"new\":\"\xff\"}]", `[{"full":1}]`, `[{"label":1}]`, `[{"tags":{}}]`,
		`[{"tags":["x",]}]`, `[{},]`, `[{"label":"a",}]`,
		`[{"l\u0061bel":"a"}]`, `[{"l\u0061bel":"a","label":"a"}]`, `["x"]`, `[{"tags":["x"]`, `[{"full":tru}]`,
	} {
		body := []byte(`{"crates":` + list + `}`)
		var quick, general store
		quickErr, err := forms.UnmarshalStrict(body, &quick), wire.UnmarshalStrict(body, &general)
		if (quickErr == nil) != (err == nil) || !reflect.DeepEqual(quick, general) {
			t.Errorf("%s: got %+v, %v, want %+v, %v", body, quick, quickErr, general, err)
		}
		if err != nil {
			refused++
		}
	}
	if refused != 17 {
		t.Errorf("%d documents are refused", refused)
	}
}

// Lists that share memory do not share what can be changed, and no list has much more memory than it needs.
func TestRecordLists(t *testing.T) {
	const lines = 300
	var parts []string
	var want store
	for i := range lines {
		c := crate{Label: fmt.Sprint(i), Tags: []string{}}
		for tag := range []int{2, 2, 0, 3, 1, 40, 7}[i%7] {
			c.Tags = append(c.Tags, fmt.Sprint(i, tag))
		}
		text, err := wire.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		want.Crates, parts = append(want.Crates, c), append(parts, string(text))
	}
	var got store
	body := []byte(`{"crates":[` + strings.Join(parts, ",") + `]}`)
	err := wire.NewForms(wire.Reads(readCrates)).UnmarshalStrict(body, &got)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v, %v", got, err)
	}
	if room := cap(got.Crates); room > 2*lines {
		t.Errorf("room for %d items, want at most twice %d", room, lines)
	}
	for i := range got.Crates {
		tags := got.Crates[i].Tags
		for tag := range tags {
			tags[tag] = "changed"
		}
		_ = append(tags, "more")
		next := i + 1
		if next < lines && !reflect.DeepEqual(got.Crates[next], want.Crates[next]) {
			t.Fatalf("crate %d changed with the one before it: %+v", next, got.Crates[next])
		}
	}
}

// A short first item before a long text makes no room for items that the text would have place for.
func TestItemsMakeNoRoomForTexts(t *testing.T) {
	body := []byte(`{"crates":[{},{},{"label":"` + strings.Repeat("x", 1<<19) + `"}]}`)
	var got store
	if err := wire.NewForms(wire.Reads(readCrates)).UnmarshalStrict(body, &got); err != nil {
		t.Fatal(err)
	}
	if room := cap(got.Crates) * int(reflect.TypeFor[crate]().Size()); room > 2*len(body) {
		t.Errorf("room of %d bytes for %d bytes", room, len(body))
	}
}
