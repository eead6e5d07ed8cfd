package delivery

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestUnread(t *testing.T) {
	type part struct {
		ID     string                 `json:"id"`
		Reason struct{ Text *string } `json:"reason"`
		Free   json.RawMessage        `json:"free"`
	}
	for answer, want := range map[string][]string{
		`{"id":"1","free":{"odd":1}}`:                      nil,
		`{"ID":"1","reason":{"text":"x"}}`:                 {"ID", "reason.text"},
		`{"odd":2,"reason":{"b":1,"a":1},"also":{"id":1}}`: {"also", "odd", "reason.a", "reason.b"},
		`[]`: nil, `null`: nil, `not JSON`: nil, ``: nil,
	} {
		if got := Unread[part]([]byte(answer)); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", answer, got, want)
		}
	}
	got, want := Unread[[]part]([]byte(`[{"b":1},{"a":1,"b":2},{"id":"1"}]`)), []string{"a", "b"}
	if !slices.Equal(got, want) {
		t.Errorf("of a list: got %v, want %v", got, want)
	}
}
