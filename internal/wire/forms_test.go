package wire

import (
	"reflect"
	"strings"
	"testing"
)

type inner struct {
	A string `json:"a"`
}

type tree struct {
	Name     string  `json:"name"`
	Children []*tree `json:"children"`
	Next     *tree   `json:"next"`
}

// What the forms do not know of a type is left to the general decoder, and the types around it are not.
func TestFormsOfAnyType(t *testing.T) {
	f := NewForms(Reads(func(r *Reader, d *digits) bool {
		text, ok := r.Scalar()
		*d = digits(text)
		return ok
	}))
	for _, tt := range []struct {
		document string
		into     any
	}{
		{`{"quoted":"12","b":"x"}`, new(struct {
			Quoted int    `json:"quoted,string"`
			B      string `json:"b"`
		})},
		{`{"a":"x","A":"y"}`, new(struct{ *inner })},
		{`{"a":"x","inner":{"a":"y"}}`, new(struct {
			inner
			Named inner `json:"inner"`
		})},
		{`{"a":"x"}`, new(struct {
			inner
			A string `json:"a"`
		})},
		{`{"name":"a","children":[{"name":"b","children":[]},{"name":"c","next":{"name":"d"}},null],"next":null}`, new(tree)},
		{`{"x":1,"y":[2,"3"],"z":{"a":4}}`, new(map[string]any)},
		{`[["1",2],[],null,[3]]`, new([][]digits)},
		{`{"d":[4]}`, new(struct {
			D digits `json:"d"`
		})},
		{`"x"`, new(any)},
		{`7`, new(int)},
	} {
		want := reflect.New(reflect.TypeOf(tt.into).Elem()).Interface()
		err := Unmarshal([]byte(tt.document), want)
		if took := f.Unmarshal([]byte(tt.document), tt.into); took != (err == nil) || !reflect.DeepEqual(tt.into, want) {
			t.Errorf("%s into %T: took it %v, %+v; want %+v, %v", tt.document, tt.into, took, tt.into, want, err)
		}
	}
}

// A list makes room by the one before it, once: room that nothing fills must not add up.
func TestFormsMakeRoomForWhatComes(t *testing.T) {
	document := []byte(`[[0`)
	for range 20_000 {
		document = append(document, ",1"...)
	}
	document = append(document, ']')
	for range 1_000 {
		document = append(document, ",[1]"...)
	}
	document = append(document, ']')
	var lists [][]digits
	if !NewForms().UnmarshalList(document, &lists, 2_000) {
		t.Fatal("refused")
	}
	room := 0
	for _, l := range lists {
		room += cap(l)
	}
	if most := 4 * 21_000; room > most {
		t.Errorf("room for %d items, want %d at most for 21,000", room, most)
	}

	wide := `{"children":[` + strings.TrimSuffix(strings.Repeat("{},", 20_000), ",") + `]},`
	deep := strings.Repeat(`{"children":[`, 50) + `{}` + strings.Repeat(`]}`, 50)
	var trees []*tree
	if !NewForms().UnmarshalList([]byte("["+wide+deep+"]"), &trees, 2) {
		t.Fatal("refused")
	}
	room = 0
	for below := trees[1]; below.Children != nil; below = below.Children[0] {
		room += cap(below.Children)
	}
	if most := 2 * 20_000; room > most {
		t.Errorf("room for %d children, want %d at most after 20,000", room, most)
	}
}
